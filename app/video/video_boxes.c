/* SPDX-License-Identifier: MIT */
#include "app/video/video_boxes.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOURCC(text)                                                                               \
  ((guint32)(text)[0] << 24 | (guint32)(text)[1] << 16 | (guint32)(text)[2] << 8                   \
   | (guint32)(text)[3])

/* The bytes of a visual sample entry before its boxes; the limit of entries of a time table. */
enum { ENTRY_HEAD = 78, MAX_TIMES = 1 << 20, TIMES_AT_ONCE = 512 };

#define FULL_TURN 65536.0 /* 1 as a matrix has it */

typedef struct {
  guint32 type;
  guint64 start, body, end; /* in the file */
} Box;

typedef struct {
  double a, b, c, d; /* x' = a x + c y, y' = b x + d y */
} Matrix;

typedef struct {
  int fd;
  guint64 n_bytes;
  guint n_left; /* boxes that may still be looked at */
  FsVideoBoxes *boxes;
  Box header; /* mvhd */
  guint32 timescale;
  guint64 length; /* of the film, in its ticks */
  Matrix matrix;
  gboolean is_fragmented;
  double longest_s; /* track */
} Reader;

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean
read_at (const Reader *reader, guint64 at, void *bytes, gsize n)
{
  return at <= reader->n_bytes && n <= reader->n_bytes - at
         && pread (reader->fd, bytes, n, (off_t)at) == (gssize)n;
}

static guint32
word (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

static guint64
long_word (const guint8 *bytes)
{
  return (guint64)word (bytes) << 32 | word (bytes + 4);
}

/* The box at `*at`, which then is that of the next one. */
static gboolean
next_box (Reader *reader, guint64 *at, guint64 end, Box *box)
{
  guint8 head[16];
  guint64 n_head = 8;
  if (end - *at < n_head || reader->n_left == 0 || !read_at (reader, *at, head, n_head))
    return FALSE;
  reader->n_left--;
  guint64 n = word (head);
  if (n == 1) {
    n_head = sizeof head;
    if (end - *at < n_head || !read_at (reader, *at, head, n_head))
      return FALSE;
    n = long_word (head + 8);
  } else if (n == 0 && end == reader->n_bytes)
    n = end - *at;
  if (n < n_head || n > end - *at)
    return FALSE;
  *box = (Box){ .type = word (head + 4), .start = *at, .body = *at + n_head, .end = *at + n };
  *at += n;
  return TRUE;
}

static gboolean
find_box (Reader *reader, const Box *within, guint64 n_skipped, const char *type, Box *box)
{
  guint64 at = within->body + n_skipped;
  while (at <= within->end && next_box (reader, &at, within->end, box))
    if (box->type == FOURCC (type))
      return TRUE;
  return FALSE;
}

static gboolean
read_body (const Reader *reader, const Box *box, guint64 skipped, guint8 *bytes, gsize n)
{
  return box->end - box->body >= skipped + n && read_at (reader, box->body + skipped, bytes, n);
}

/* --- parts of a track ------------------------------------------------------------------------- */

static void
add_patch (Reader *reader, guint64 offset, const guint8 *bytes, guint n)
{
  FsVideoPatch patch = { .offset = offset, .n_bytes = n };
  memcpy (patch.bytes, bytes, n);
  g_array_append_val (reader->boxes->patches, patch);
}

/* Reads timescale and length of mvhd or mdhd, which begin alike. */
static gboolean
read_times (const Reader *reader, const Box *box, guint32 *timescale, guint64 *length)
{
  guint8 head[32];
  if (!read_body (reader, box, 0, head, 20))
    return FALSE;
  gboolean is_long = head[0] == 1;
  if (is_long && !read_body (reader, box, 0, head, sizeof head))
    return FALSE;
  *timescale = word (head + (is_long ? 20 : 12));
  *length = is_long ? long_word (head + 24) : word (head + 16);
  return *timescale != 0;
}

static void
patch_length (Reader *reader, const Box *box, guint64 length)
{
  guint8 version, bytes[8];
  if (!read_body (reader, box, 0, &version, 1))
    return;
  gboolean is_long = version == 1;
  length = MIN (length, is_long ? (guint64)G_MAXINT64 - 1 : (guint64)G_MAXINT32 - 1);
  for (int k = 0; k < 8; k++)
    bytes[k] = (guint8)(length >> (56 - 8 * k));
  add_patch (reader, box->body + (is_long ? 24 : 16), is_long ? bytes : bytes + 4, is_long ? 8 : 4);
}

static double
fixed (const guint8 *bytes)
{
  return (gint32)word (bytes) / FULL_TURN;
}

static void
read_matrix (const Reader *reader, const Box *box, guint64 at, Matrix *matrix)
{
  guint8 bytes[20];
  *matrix = (Matrix){ 1, 0, 0, 1 };
  if (read_body (reader, box, at, bytes, sizeof bytes))
    *matrix = (Matrix){ fixed (bytes), fixed (bytes + 4), fixed (bytes + 12), fixed (bytes + 16) };
}

static Matrix
multiply (Matrix m, Matrix n)
{
  return (Matrix){ m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c,
                   m.c * n.b + m.d * n.d };
}

static void
use_matrix (FsVideoTrack *track, Matrix m)
{
  gboolean is_upright = fabs (m.a) + fabs (m.d) >= fabs (m.b) + fabs (m.c);
  if (is_upright)
    track->orientation = m.d < 0 ? (m.a < 0 ? 3 : 4) : (m.a < 0 ? 2 : 1);
  else
    track->orientation = m.b > 0 ? (m.c > 0 ? 5 : 6) : (m.c > 0 ? 8 : 7);
  double along_x = hypot (m.a, m.b), along_y = hypot (m.c, m.d);
  track->stretch = along_x > 0 && along_y > 0 ? along_x / along_y : 1;
}

/* Header, number and matrix. */
static gboolean
read_head (Reader *reader, const Box *trak, FsVideoTrack *track)
{
  Box box;
  guint8 head[24];
  if (!find_box (reader, trak, 0, "tkhd", &box) || !read_body (reader, &box, 0, head, sizeof head))
    return FALSE;
  gboolean is_long = head[0] == 1;
  Matrix matrix;
  track->id = word (head + (is_long ? 20 : 12));
  read_matrix (reader, &box, is_long ? 52 : 40, &matrix);
  use_matrix (track, multiply (matrix, reader->matrix));
  return TRUE;
}

/* The sum of all pictures' durations; 0 where there are none, or too many. */
static guint64
sum_times (const Reader *reader, const Box *box)
{
  guint8 head[8], entries[8 * TIMES_AT_ONCE];
  guint64 sum = 0, at = sizeof head;
  if (!read_body (reader, box, 0, head, sizeof head) || word (head + 4) > MAX_TIMES)
    return 0;
  for (guint left = word (head + 4); left > 0;) {
    guint n = MIN (left, TIMES_AT_ONCE);
    if (!read_body (reader, box, at, entries, 8 * (gsize)n))
      return 0;
    for (guint i = 0; i < n; i++)
      sum += (guint64)word (entries + 8 * i) * word (entries + 8 * i + 4);
    if (sum > G_MAXINT64 / 2)
      return 0;
    at += 8 * (guint64)n;
    left -= n;
  }
  return sum;
}

/* Reads the first sample entry. Its pixel aspect ratio takes precedence over the matrix. */
static void
read_entry (Reader *reader, const Box *table, FsVideoTrack *track)
{
  Box list, entry, shape, colour;
  guint8 bytes[11];
  if (!find_box (reader, table, 0, "stsd", &list))
    return;
  guint64 at = list.body + 8;
  if (at > list.end || !next_box (reader, &at, list.end, &entry))
    return;
  if (find_box (reader, &entry, ENTRY_HEAD, "pasp", &shape)
      && read_body (reader, &shape, 0, bytes, 8) && word (bytes) > 0 && word (bytes + 4) > 0)
    track->stretch = (double)word (bytes) / word (bytes + 4);
  if (find_box (reader, &entry, ENTRY_HEAD, "colr", &colour)
      && read_body (reader, &colour, 0, bytes, sizeof bytes) && word (bytes) == FOURCC ("nclx"))
    track->range = bytes[10] & 0x80 ? FS_VIDEO_RANGE_FULL : FS_VIDEO_RANGE_LIMITED;
}

static gboolean
read_media (Reader *reader, const Box *trak, FsVideoTrack *track)
{
  Box media, header, info, table, times;
  guint64 length;
  if (!find_box (reader, trak, 0, "mdia", &media) || !find_box (reader, &media, 0, "mdhd", &header)
      || !read_times (reader, &header, &track->timescale, &length))
    return FALSE;
  if (!find_box (reader, &media, 0, "minf", &info) || !find_box (reader, &info, 0, "stbl", &table))
    return TRUE;
  read_entry (reader, &table, track);
  if (reader->is_fragmented || !find_box (reader, &table, 0, "stts", &times))
    return TRUE;
  track->length = (gint64)sum_times (reader, &times);
  if ((guint64)track->length > length)
    patch_length (reader, &header, (guint64)track->length);
  reader->longest_s = MAX (reader->longest_s, (double)track->length / track->timescale);
  return TRUE;
}

/* --- edit lists ------------------------------------------------------------------------------- */

/* One entry that begins with the first picture and never ends. */
static void
hide_edits (Reader *reader, const Box *box, gboolean is_long)
{
  guint8 bytes[24] = { 0, 0, 0, 1 };
  guint n = is_long ? 24 : 16;
  bytes[n - 3] = 1;
  add_patch (reader, box->body + 4, bytes, n);
}

/* `value` of a track's ticks from ticks of the film, to the nearest. */
static gint64
rescale (guint64 value, guint32 to, guint32 from)
{
  double exact = (double)value * to / from;
  return exact < (double)(G_MAXINT64 / 4) ? (gint64)floor (exact + 0.5) : G_MAXINT64 / 4;
}

static void
add_edit (const Reader *reader, FsVideoTrack *track, const guint8 *entry, gboolean is_long)
{
  guint64 length = is_long ? long_word (entry) : word (entry);
  gint64 start = is_long ? (gint64)long_word (entry + 8) : (gint32)word (entry + 4);
  if (start < 0 || start > G_MAXINT64 / 4)
    return; /* nothing is shown for so long */
  FsVideoEdit edit = { start, start + rescale (length, track->timescale, reader->timescale) };
  if (length == 0)
    edit.end = G_MAXINT64;
  g_array_append_val (track->edits, edit);
}

static void
read_edits (Reader *reader, const Box *trak, FsVideoTrack *track)
{
  Box edits, box;
  guint8 head[8], entry[20];
  if (!find_box (reader, trak, 0, "edts", &edits) || !find_box (reader, &edits, 0, "elst", &box)
      || !read_body (reader, &box, 0, head, sizeof head))
    return;
  gboolean is_long = head[0] == 1;
  guint n = word (head + 4), n_bytes = is_long ? 20 : 12;
  if (n == 0 || n > FS_VIDEO_EDITS_MAX || box.end - box.body < 8 + (guint64)n * n_bytes)
    return;
  track->edits = g_array_new (FALSE, FALSE, sizeof (FsVideoEdit));
  for (guint i = 0; i < n && read_body (reader, &box, 8 + i * n_bytes, entry, n_bytes); i++)
    add_edit (reader, track, entry, is_long);
  /* Fragments lie outside of what the list was made for; and one that shows nothing is none. */
  if (reader->is_fragmented || track->edits->len == 0)
    g_clear_pointer (&track->edits, g_array_unref);
  hide_edits (reader, &box, is_long);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void
read_track (Reader *reader, const Box *trak)
{
  FsVideoTrack track = { .stretch = 1, .orientation = 1 };
  if (!read_head (reader, trak, &track) || !read_media (reader, trak, &track))
    return;
  read_edits (reader, trak, &track);
  g_array_append_val (reader->boxes->tracks, track);
}

static void
read_film (Reader *reader, const Box *moov)
{
  Box box;
  guint8 version;
  if (!find_box (reader, moov, 0, "mvhd", &reader->header)
      || !read_body (reader, &reader->header, 0, &version, 1)
      || !read_times (reader, &reader->header, &reader->timescale, &reader->length))
    return;
  read_matrix (reader, &reader->header, version == 1 ? 48 : 36, &reader->matrix);
  reader->is_fragmented = find_box (reader, moov, 0, "mvex", &box);
  guint64 at = moov->body;
  while (next_box (reader, &at, moov->end, &box))
    if (box.type == FOURCC ("trak"))
      read_track (reader, &box);
  double length_s = (double)reader->length / reader->timescale;
  if (reader->length > 0 && length_s < reader->longest_s)
    patch_length (reader, &reader->header, (guint64)ceil (reader->longest_s * reader->timescale));
}

static gboolean
is_first_box (guint32 type)
{
  static const char types[][5] = { "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid" };
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (type == FOURCC (types[i]))
      return TRUE;
  return FALSE;
}

static void
clear_track (gpointer data)
{
  FsVideoTrack *track = data;
  g_clear_pointer (&track->edits, g_array_unref);
}

FsVideoBoxes *
fs_video_boxes_read (const char *path)
{
  g_return_val_if_fail (path, NULL);
  FsVideoBoxes *boxes = g_new0 (FsVideoBoxes, 1);
  boxes->tracks = g_array_new (FALSE, FALSE, sizeof (FsVideoTrack));
  g_array_set_clear_func (boxes->tracks, clear_track);
  boxes->patches = g_array_new (FALSE, FALSE, sizeof (FsVideoPatch));
  Reader reader = { .boxes = boxes, .n_left = FS_VIDEO_BOXES_MAX };
  struct stat facts;
  reader.fd = open (path, O_RDONLY | O_CLOEXEC);
  if (reader.fd < 0)
    return boxes;
  if (fstat (reader.fd, &facts) == 0 && S_ISREG (facts.st_mode)) {
    reader.n_bytes = (guint64)facts.st_size;
    guint64 at = 0;
    Box box;
    for (gboolean goes_on = TRUE; goes_on && next_box (&reader, &at, reader.n_bytes, &box);) {
      goes_on = (box.start > 0 || is_first_box (box.type)) && box.type != FOURCC ("moov");
      if (box.type == FOURCC ("moov"))
        read_film (&reader, &box);
    }
  }
  close (reader.fd);
  return boxes;
}

void
fs_video_boxes_free (FsVideoBoxes *boxes)
{
  if (!boxes)
    return;
  g_array_unref (boxes->tracks);
  g_array_unref (boxes->patches);
  g_free (boxes);
}

const FsVideoTrack *
fs_video_boxes_find (const FsVideoBoxes *boxes, guint32 id)
{
  g_return_val_if_fail (boxes, NULL);
  for (guint i = 0; i < boxes->tracks->len; i++)
    if (g_array_index (boxes->tracks, FsVideoTrack, i).id == id)
      return &g_array_index (boxes->tracks, FsVideoTrack, i);
  return NULL;
}

gboolean
fs_video_boxes_patch (const FsVideoBoxes *boxes, guint64 offset, guint8 *bytes, gsize n_bytes)
{
  g_return_val_if_fail (boxes, FALSE);
  gboolean touched = FALSE;
  for (guint i = 0; i < boxes->patches->len; i++) {
    const FsVideoPatch *patch = &g_array_index (boxes->patches, FsVideoPatch, i);
    guint64 from = MAX (offset, patch->offset);
    guint64 to = MIN (offset + n_bytes, patch->offset + patch->n_bytes);
    if (from >= to)
      continue;
    touched = TRUE;
    if (bytes)
      memcpy (bytes + (from - offset), patch->bytes + (from - patch->offset), to - from);
  }
  return touched;
}
