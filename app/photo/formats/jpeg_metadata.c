/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/jpeg_metadata.h"

#include "app/photo/input/exif.h"

#include <string.h>

/* Source: ITU-T T.81, annex B; JFIF 1.02; ICC.1:2022, annex B.4; XMP part 3, 1.1.3. The blocks
 * before the picture count, with any number of fill bytes, or of bytes that are nothing, between
 * them. More blocks than the decoder admits are not looked at. */
enum { APP0 = 0xe0, APP1 = 0xe1, APP2 = 0xe2, START_OF_SCAN = 0xda, END_OF_IMAGE = 0xd9 };

enum { MAX_MARKERS = 4096, MAX_SEGMENTS = 255, MAX_FILL_BYTES = 16 << 20 };

static const char ICC_NAME[12] = "ICC_PROFILE"; /* with its 0 */
static const char XMP_NAME[29] = "http://ns.adobe.com/xap/1.0/";

typedef struct {
  FsMetadataFinds *finds;
  FsByteView segments[MAX_SEGMENTS + 1]; /* of the profile, by their number; no source: not there */
  guint n_segments;                      /* as the first part says                            */
  GArray *in_order;                      /* FsByteView: all parts as they come                */
} Walk;

static gboolean
begins_with (FsByteView view, const char *name, gsize n_bytes)
{
  char head[32];
  return fs_byte_view_read (view, 0, head, n_bytes) && memcmp (head, name, n_bytes) == 0;
}

static void
take_density (FsByteView view, FsMetadataFinds *finds)
{
  enum { NAME_BYTES = 5, UNIT_AT = 7, X_AT = 8, Y_AT = 10, INCH = 1, CENTIMETRE = 2 };
  guint8 head[12];
  if (!begins_with (view, "JFIF", NAME_BYTES) || !fs_byte_view_read (view, 0, head, sizeof head))
    return;
  const double inch = head[UNIT_AT] == INCH ? 1 : head[UNIT_AT] == CENTIMETRE ? 2.54 : 0;
  const guint x = (guint)head[X_AT] << 8 | head[X_AT + 1];
  const guint y = (guint)head[Y_AT] << 8 | head[Y_AT + 1];
  if (finds->own.dpi_x > 0 || x == 0 || y == 0)
    return;
  finds->own.dpi_x = x * inch;
  finds->own.dpi_y = y * inch;
}

/* The first of each number counts. */
static void
take_segment (FsByteView view, Walk *walk)
{
  guint8 numbers[2];
  const gsize n_name = sizeof ICC_NAME;
  if (!begins_with (view, ICC_NAME, n_name) || !fs_byte_view_read (view, n_name, numbers, 2))
    return;
  const FsByteView segment = fs_byte_view_slice (view, n_name + 2, view.n_bytes);
  if (walk->n_segments == 0)
    walk->n_segments = numbers[1];
  if (!walk->segments[numbers[0]].source)
    walk->segments[numbers[0]] = segment;
  if (walk->in_order->len < MAX_SEGMENTS)
    g_array_append_val (walk->in_order, segment);
}

static void
take_block (guint8 marker, FsByteView view, Walk *walk)
{
  if (marker == APP0)
    take_density (view, walk->finds);
  else if (marker == APP2)
    take_segment (view, walk);
  else if (marker == APP1 && begins_with (view, XMP_NAME, sizeof XMP_NAME))
    fs_finds_take_xmp (walk->finds, fs_byte_view_slice (view, sizeof XMP_NAME, view.n_bytes));
  else if (marker == APP1)
    fs_finds_take_exif (walk->finds, view);
}

/* The marker at or after `*at`, which ends up after it; 0 where there is none. */
static guint8
next_marker (FsByteView file, guint64 *at)
{
  guint8 byte;
  gboolean after_fill = FALSE;
  for (int i = 0; i < MAX_FILL_BYTES && fs_byte_view_read (file, *at, &byte, 1); i++) {
    *at += 1;
    if (after_fill && byte != 0 && byte != 0xff)
      return byte;
    after_fill = byte == 0xff;
  }
  return 0;
}

static gboolean
stands_alone (guint8 marker)
{
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

static void
walk_blocks (FsByteView file, Walk *walk)
{
  guint64 at = 2;
  for (int i = 0; i < MAX_MARKERS; i++) {
    guint8 length[2];
    const guint8 marker = next_marker (file, &at);
    if (marker == 0 || marker == START_OF_SCAN || marker == END_OF_IMAGE)
      return;
    if (stands_alone (marker))
      continue;
    if (!fs_byte_view_read (file, at, length, 2))
      return;
    const guint n = (guint)length[0] << 8 | length[1];
    /* Too short a length skips nothing, as in the decoder. */
    take_block (marker, fs_byte_view_slice (file, at + 2, MAX (n, 2) - 2), walk);
    at += MAX (n, 2);
  }
}

/* FALSE where one is missing. */
static gboolean
join_segments (const FsByteView *segments, guint n_segments, GByteArray *profile)
{
  for (guint i = 0; i < n_segments; i++)
    if (!segments[i].source
        || !fs_byte_view_append_to (segments[i], FS_METADATA_ICC_BYTES - profile->len, profile))
      return FALSE;
  return TRUE;
}

static void
take_profile (Walk *walk)
{
  g_autoptr (GByteArray) profile = g_byte_array_new ();
  if (walk->n_segments > 0 && join_segments (walk->segments + 1, walk->n_segments, profile))
    fs_finds_take_icc_bytes (walk->finds, profile->data, profile->len);
  if (walk->finds->icc)
    return;
  /* Some writers count from 0, or not at all. */
  g_byte_array_set_size (profile, 0);
  if (join_segments ((const FsByteView *)(gpointer)walk->in_order->data, walk->in_order->len,
                     profile))
    fs_finds_take_icc_bytes (walk->finds, profile->data, profile->len);
}

void
fs_jpeg_find_metadata (FsByteView file, FsMetadataFinds *finds)
{
  Walk walk = { .finds = finds, .in_order = g_array_new (FALSE, FALSE, sizeof (FsByteView)) };
  walk_blocks (file, &walk);
  take_profile (&walk);
  g_array_unref (walk.in_order);
}
