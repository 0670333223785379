/* SPDX-License-Identifier: MIT */
/* The size that a sequence's header says, of headers that are written here bit by bit. */
#include "app/photo/heif/bitstream.h"

#include <string.h>

enum { HVC1 = FS_FOURCC ('h', 'v', 'c', '1'), AV01 = FS_FOURCC ('a', 'v', '0', '1') };

typedef struct {
  guint8 bytes[256];
  gsize n_bits;
} Bits;

static void
put (Bits *bits, guint64 value, guint n)
{
  for (; n > 0; n--, bits->n_bits++)
    bits->bytes[bits->n_bits / 8] |= (guint8)((value >> (n - 1) & 1) << (7 - bits->n_bits % 8));
}

static void
put_golomb (Bits *bits, guint32 value)
{
  const guint n_bits = g_bit_storage (value + 1);
  put (bits, 0, n_bits - 1);
  put (bits, value + 1, n_bits);
}

/* What is cut off at the left, right, top and bottom, in pixels of chroma. */
static gboolean
add_sps (FsHeifStream *stream, guint32 width, guint32 height, guint32 chroma_format,
         const guint32 edges[4])
{
  Bits sps = { .n_bits = 0 }, box = { .n_bits = 0 };
  put (&sps, 33 << 1, 8); /* the unit's header */
  put (&sps, 1, 8);
  put (&sps, 1, 8); /* no layers below */
  for (int i = 0; i < 12; i++)
    put (&sps, 0x55, 8); /* profile: nothing to be escaped */
  put_golomb (&sps, 0);
  put_golomb (&sps, chroma_format);
  if (chroma_format == 3)
    put (&sps, 0, 1);
  put_golomb (&sps, width);
  put_golomb (&sps, height);
  put (&sps, 1, 1);
  for (int i = 0; i < 4; i++)
    put_golomb (&sps, edges[i]);
  put_golomb (&sps, 2);
  put_golomb (&sps, 0);
  put (&sps, 0x55, 8);
  const gsize n_bytes = (sps.n_bits + 7) / 8;
  box.n_bits = 22 * 8;
  put (&box, 1, 8);  /* array of units …       */
  put (&box, 33, 8); /* of this kind           */
  put (&box, 1, 16); /* one                    */
  put (&box, n_bytes, 16);
  memcpy (box.bytes + box.n_bits / 8, sps.bytes, n_bytes);
  return fs_heif_stream_add_settings (stream, HVC1,
                                      (FsHeifSpan){ box.bytes, box.n_bits / 8 + n_bytes });
}

static void
assert_size (const FsHeifStream *stream, guint64 width, guint64 height, guint bits)
{
  g_assert_cmpuint (stream->width, ==, width);
  g_assert_cmpuint (stream->height, ==, height);
  g_assert_cmpuint (stream->bits, ==, bits);
}

static void
test_hevc (void)
{
  static const guint32 edges[] = { 1, 2, 0, 3 };
  /* By how much of luma a pixel of chroma is, across and down. */
  static const guint scales[][2] = { { 1, 1 }, { 2, 2 }, { 2, 1 }, { 1, 1 } };
  for (guint32 format = 0; format < 4; format++) {
    FsHeifStream stream = { 0 };
    g_assert_true (add_sps (&stream, 640, 480, format, edges));
    assert_size (&stream, 640 - 3 * scales[format][0], 480 - 3 * scales[format][1], 10);
    g_assert_cmpuint (stream.n_pixels, ==, 640 * 480);
    g_assert_cmpuint (stream.max_width, ==, 640);
    g_assert_cmpuint (stream.max_height, ==, 480);
  }
}

/* The largest is what is allocated; the last one is what is shown. */
static void
test_several (void)
{
  static const guint32 none[4] = { 0 };
  FsHeifStream stream = { 0 };
  g_assert_true (add_sps (&stream, 5000, 30, 1, none));
  g_assert_true (add_sps (&stream, 64, 4000, 1, none));
  assert_size (&stream, 64, 4000, 10);
  g_assert_cmpuint (stream.n_pixels, ==, 64 * 4000);
  g_assert_cmpuint (stream.max_width, ==, 5000);
  g_assert_cmpuint (stream.max_height, ==, 4000);
}

/* More is cut off than there is: what is left would be less than nothing. */
static void
test_nothing_is_left (void)
{
  static const guint32 edges[][4] = { { 16, 16, 0, 0 },
                                      { 33, 0, 0, 0 },
                                      { 0, 0, 32, 0 },
                                      { 0, 0, 0, 0x7ffffff0 },
                                      { 0x7fffffff, 1, 0, 0 } };
  static const guint32 nearly[] = { 15, 16, 31, 0 };
  FsHeifStream stream = { 0 };
  for (gsize i = 0; i < G_N_ELEMENTS (edges); i++)
    g_assert_false (add_sps (&stream, 64, 64, 1, edges[i]));
  g_assert_true (add_sps (&stream, 64, 64, 1, nearly));
  assert_size (&stream, 2, 2, 10);
}

/* A still picture's header, the short one. */
static void
test_av1 (void)
{
  FsHeifStream stream = { 0 };
  Bits bits = { .n_bits = 32 };
  put (&bits, 1 << 3 | 2, 8); /* a sequence's header, with its size */
  put (&bits, 8, 8);
  put (&bits, 0, 3);
  put (&bits, 3, 2); /* still, reduced */
  put (&bits, 0, 5);
  put (&bits, 8, 4);
  put (&bits, 7, 4);
  put (&bits, 300 - 1, 9);
  put (&bits, 200 - 1, 8);
  put (&bits, 0, 6);
  put (&bits, 1, 1); /* ten bits */
  g_assert_true (fs_heif_stream_add_settings (&stream, AV01, (FsHeifSpan){ bits.bytes, 14 }));
  assert_size (&stream, 300, 200, 10);
  g_assert_cmpuint (stream.max_width, ==, 300);
  g_assert_cmpuint (stream.max_height, ==, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heif-stream/hevc", test_hevc);
  g_test_add_func ("/heif-stream/several", test_several);
  g_test_add_func ("/heif-stream/nothing-is-left", test_nothing_is_left);
  g_test_add_func ("/heif-stream/av1", test_av1);
  return g_test_run ();
}
