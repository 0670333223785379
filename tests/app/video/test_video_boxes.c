/* SPDX-License-Identifier: MIT */
/* The boxes of MP4 files that the tests write byte by byte: sound, odd, cut off and damaged ones.
 */
#include "app/video/video_boxes.h"
#include "tests/app/photo/made_files.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static char *folder;

/* --- writing them ----------------------------------------------------------------------------- */

static void
append (GByteArray *to, guint64 value, guint n_bytes)
{
  for (guint k = n_bytes; k-- > 0;) {
    guint8 byte = k < 8 ? (guint8)(value >> 8 * k) : 0;
    g_byte_array_append (to, &byte, 1);
  }
}

/* Where its size is to be put. */
static guint
begin (GByteArray *to, const char *type)
{
  guint at = to->len;
  append (to, 0, 4);
  g_byte_array_append (to, (const guint8 *)type, 4);
  return at;
}

static void
end (GByteArray *to, guint at)
{
  guint n = to->len - at;
  for (int k = 0; k < 4; k++)
    to->data[at + (guint)k] = (guint8)(n >> (24 - 8 * k));
}

typedef struct {
  int version;
  double film[4], track[4]; /* a b c d; all 0 for none turned */
  int range;                /* of colr's last byte; -1: none */
  gboolean has_shape;       /* pasp                          */
  const gint64 *edits;      /* film's ticks and track's tick, by turns */
  guint n_edits;
  guint64 film_ticks, track_ticks;
  guint n_pictures; /* of 512 ticks */
  gboolean is_fragmented, has_long_sizes;
} Film;

static void
append_matrix (GByteArray *to, const double *m)
{
  static const double upright[4] = { 1, 0, 0, 1 };
  if (m[0] == 0 && m[1] == 0 && m[2] == 0 && m[3] == 0)
    m = upright;
  for (int i = 0; i < 4; i++) {
    append (to, (guint32)(gint32)lround (m[i] * 65536), 4);
    if (i % 2)
      append (to, 0, 4);
  }
  append (to, 0, 8);
  append (to, 0x40000000, 4);
}

/* mvhd and mdhd up to the length. */
static void
append_times (GByteArray *to, const Film *film, guint32 timescale, guint64 ticks)
{
  guint word = film->version ? 8 : 4;
  append (to, (guint64)film->version << 24, 4);
  append (to, 0, 2 * word);
  append (to, timescale, 4);
  append (to, ticks, word);
}

static void
append_head (GByteArray *to, const Film *film)
{
  guint word = film->version ? 8 : 4, box = begin (to, "tkhd");
  append (to, (guint64)film->version << 24 | 7, 4);
  append (to, 0, 2 * word);
  append (to, 5, 4);
  append (to, 0, 4 + word + 16);
  append_matrix (to, film->track);
  append (to, 96 << 16, 4);
  append (to, 64 << 16, 4);
  end (to, box);
}

static void
append_edits (GByteArray *to, const Film *film)
{
  guint word = film->version ? 8 : 4, box = begin (to, "edts"), list = begin (to, "elst");
  append (to, (guint64)film->version << 24, 4);
  append (to, film->n_edits, 4);
  for (guint i = 0; i < film->n_edits; i++) {
    append (to, (guint64)film->edits[2 * i], word);
    append (to, (guint64)film->edits[2 * i + 1], word);
    append (to, 0x10000, 4);
  }
  end (to, list);
  end (to, box);
}

static void
append_table (GByteArray *to, const Film *film)
{
  guint table = begin (to, "stbl"), list = begin (to, "stsd");
  append (to, 0, 4);
  append (to, 1, 4);
  guint entry = begin (to, "avc1");
  append (to, 0, 64);
  append (to, 0, 14);
  if (film->has_shape) {
    guint shape = begin (to, "pasp");
    append (to, 3, 4);
    append (to, 4, 4);
    end (to, shape);
  }
  if (film->range >= 0) {
    guint colour = begin (to, "colr");
    g_byte_array_append (to, (const guint8 *)"nclx\0\1\0\1\0\1", 10);
    append (to, (guint64)film->range, 1);
    end (to, colour);
  }
  end (to, entry);
  end (to, list);
  guint times = begin (to, "stts");
  append (to, 0, 4);
  append (to, 1, 4);
  append (to, film->n_pictures, 4);
  append (to, 512, 4);
  end (to, times);
  end (to, table);
}

static void
append_track (GByteArray *to, const Film *film)
{
  guint trak = begin (to, "trak");
  append_head (to, film);
  if (film->edits)
    append_edits (to, film);
  guint media = begin (to, "mdia"), header = begin (to, "mdhd");
  append_times (to, film, 12800, film->track_ticks);
  append (to, 0, 4);
  end (to, header);
  guint info = begin (to, "minf");
  append_table (to, film);
  end (to, info);
  end (to, media);
  end (to, trak);
}

static GByteArray *
make (const Film *film)
{
  GByteArray *file = g_byte_array_new ();
  guint box = begin (file, "ftyp");
  append (file, 0, 8);
  end (file, box);
  if (film->has_long_sizes) {
    append (file, 1, 4);
    g_byte_array_append (file, (const guint8 *)"mdat", 4);
    append (file, 20, 8);
    append (file, 0, 4);
  }
  guint moov = begin (file, "moov"), header = begin (file, "mvhd");
  append_times (file, film, 1000, film->film_ticks);
  append (file, 0, 16);
  append_matrix (file, film->film);
  append (file, 0, 28);
  end (file, header);
  append_track (file, film);
  if (film->is_fragmented)
    end (file, begin (file, "mvex"));
  end (file, moov);
  return file;
}

/* --- reading them ----------------------------------------------------------------------------- */

static FsVideoBoxes *
read_bytes (const GByteArray *file)
{
  g_autofree char *path = made_file (folder, "some.mp4", file->data, file->len);
  return fs_video_boxes_read (path);
}

static FsVideoBoxes *
read_film (const Film *film)
{
  g_autoptr (GByteArray) file = make (film);
  return read_bytes (file);
}

static const FsVideoTrack *
get_track (const FsVideoBoxes *boxes)
{
  const FsVideoTrack *track = fs_video_boxes_find (boxes, 5);
  g_assert_nonnull (track);
  g_assert_null (fs_video_boxes_find (boxes, 4));
  g_assert_cmpuint (track->timescale, ==, 12800);
  return track;
}

static const Film plain = {
  .range = -1, .n_pictures = 100, .film_ticks = 4000, .track_ticks = 51200
};

static void
test_plain (void)
{
  for (int version = 0; version < 2; version++) {
    Film film = plain;
    film.version = version;
    film.has_long_sizes = version;
    g_autoptr (FsVideoBoxes) boxes = read_film (&film);
    const FsVideoTrack *track = get_track (boxes);
    g_assert_null (track->edits);
    g_assert_cmpint (track->length, ==, 51200);
    g_assert_cmpint (track->orientation, ==, 1);
    g_assert_cmpfloat (track->stretch, ==, 1);
    g_assert_cmpint (track->range, ==, FS_VIDEO_RANGE_UNKNOWN);
    g_assert_cmpuint (boxes->patches->len, ==, 0);
    g_assert_false (fs_video_boxes_patch (boxes, 0, NULL, 1000));
  }
}

static void
test_orientations (void)
{
  static const double turns[8][4] = { { 1, 0, 0, 1 },   { -1, 0, 0, 1 }, { -1, 0, 0, -1 },
                                      { 1, 0, 0, -1 },  { 0, 1, 1, 0 },  { 0, 1, -1, 0 },
                                      { 0, -1, -1, 0 }, { 0, -1, 1, 0 } };
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) {
      Film film = plain;
      film.version = k == 1;
      memcpy (k == 2 ? film.film : film.track, turns[i], sizeof film.film);
      g_autoptr (FsVideoBoxes) boxes = read_film (&film);
      g_assert_cmpint (get_track (boxes)->orientation, ==, i + 1);
      g_assert_cmpfloat (get_track (boxes)->stretch, ==, 1);
    }
  Film twice = plain;
  memcpy (twice.film, turns[5], sizeof twice.film);
  memcpy (twice.track, turns[5], sizeof twice.track);
  g_autoptr (FsVideoBoxes) boxes = read_film (&twice);
  g_assert_cmpint (get_track (boxes)->orientation, ==, 3);
}

static void
test_stretched (void)
{
  static const double wide[4] = { 1.5, 0, 0, 1 }, turned[4] = { 0, 2, -1, 0 };
  Film film = plain;
  memcpy (film.track, wide, sizeof wide);
  g_autoptr (FsVideoBoxes) boxes = read_film (&film);
  g_assert_cmpfloat (get_track (boxes)->stretch, ==, 1.5);
  memcpy (film.track, turned, sizeof turned);
  g_autoptr (FsVideoBoxes) second = read_film (&film);
  g_assert_cmpfloat (get_track (second)->stretch, ==, 2);
  g_assert_cmpint (get_track (second)->orientation, ==, 6);
  film.has_shape = TRUE;
  g_autoptr (FsVideoBoxes) third = read_film (&film);
  g_assert_cmpfloat (get_track (third)->stretch, ==, 0.75);
  g_assert_cmpint (get_track (third)->orientation, ==, 6);
}

static void
test_range (void)
{
  Film film = plain;
  for (int full = 0; full < 2; full++) {
    film.range = full ? 0x80 : 0;
    g_autoptr (FsVideoBoxes) boxes = read_film (&film);
    g_assert_cmpint (get_track (boxes)->range, ==,
                     full ? FS_VIDEO_RANGE_FULL : FS_VIDEO_RANGE_LIMITED);
  }
}

/* A list is kept in the track's ticks, and what GStreamer reads is one edit without end. */
static void
test_edits (void)
{
  static const gint64 edits[] = { 500, -1, 1000, 1024, 333, 6656 };
  for (int version = 0; version < 2; version++) {
    Film film = plain;
    film.version = version;
    film.edits = edits;
    film.n_edits = 3;
    g_autoptr (GByteArray) file = make (&film);
    g_autoptr (FsVideoBoxes) boxes = read_bytes (file);
    const FsVideoTrack *track = get_track (boxes);
    g_assert_cmpuint (track->edits->len, ==, 2);
    const FsVideoEdit *edit = (const FsVideoEdit *)(const void *)track->edits->data;
    g_assert_cmpint (edit[0].start, ==, 1024);
    g_assert_cmpint (edit[0].end, ==, 1024 + 12800);
    g_assert_cmpint (edit[1].start, ==, 6656);
    g_assert_cmpint (edit[1].end, ==, 6656 + 4262); /* 4262.4 */
    const guint8 *list = memmem (file->data, file->len, "elst", 4);
    guint at = (guint)(list - file->data), n = version ? 20 : 12;
    g_assert_true (fs_video_boxes_patch (boxes, 0, file->data, file->len));
    g_assert_cmpuint (file->data[at + 11], ==, 1);
    for (guint k = 0; k < n; k++)
      g_assert_cmpuint (file->data[at + 12 + k], ==, k == n - 3);
  }
}

/* However the file is read in pieces, and no byte beside them. */
static void
test_patches (void)
{
  static const gint64 edits[] = { 500, 1024 };
  Film film = plain;
  film.edits = edits;
  film.n_edits = 1;
  film.film_ticks = 100;
  film.track_ticks = 200;
  g_autoptr (GByteArray) file = make (&film);
  g_autoptr (FsVideoBoxes) boxes = read_bytes (file);
  g_assert_cmpuint (boxes->patches->len, ==, 3);
  g_autofree guint8 *whole = g_memdup2 (file->data, file->len);
  fs_video_boxes_patch (boxes, 0, whole, file->len);
  for (guint step = 1; step < 64; step++)
    for (guint at = 0; at < file->len; at += step) {
      guint n = MIN (step, file->len - at);
      guint8 chunk[64];
      memcpy (chunk, file->data + at, n);
      gboolean is_patched = fs_video_boxes_patch (boxes, at, NULL, n);
      gboolean done = fs_video_boxes_patch (boxes, at, chunk, n);
      g_assert_cmpint (is_patched, ==, done);
      g_assert_cmpmem (chunk, n, whole + at, n);
      g_assert_true (is_patched || memcmp (file->data + at, whole + at, n) == 0);
    }
}

/* Lengths that are shorter than the pictures' are made as long. */
static void
test_lengths (void)
{
  Film film = plain;
  film.film_ticks = 3000;
  g_autoptr (GByteArray) file = make (&film);
  g_autoptr (FsVideoBoxes) boxes = read_bytes (file);
  fs_video_boxes_patch (boxes, 0, file->data, file->len);
  const guint8 *header = memmem (file->data, file->len, "mvhd", 4);
  g_assert_cmpmem (header + 20, 4, "\0\0\x0f\xa0", 4);
  film.film_ticks = 0; /* unknown */
  g_autoptr (FsVideoBoxes) unknown = read_film (&film);
  g_assert_cmpuint (unknown->patches->len, ==, 0);
}

/* What such a list does not know of. */
static void
test_fragments (void)
{
  static const gint64 edits[] = { 0, 1024 };
  Film film = plain;
  film.edits = edits;
  film.n_edits = 1;
  film.is_fragmented = TRUE;
  film.film_ticks = 5;
  g_autoptr (FsVideoBoxes) boxes = read_film (&film);
  g_assert_null (get_track (boxes)->edits);
  g_assert_cmpint (get_track (boxes)->length, ==, 0);
  g_assert_cmpuint (boxes->patches->len, ==, 1);
}

static void
check_sound (const FsVideoBoxes *boxes, guint64 n_bytes)
{
  for (guint i = 0; i < boxes->patches->len; i++) {
    const FsVideoPatch *patch = &g_array_index (boxes->patches, FsVideoPatch, i);
    g_assert_cmpuint (patch->n_bytes, <=, sizeof patch->bytes);
    g_assert_cmpuint (patch->offset + patch->n_bytes, <=, n_bytes);
  }
  for (guint i = 0; i < boxes->tracks->len; i++) {
    const FsVideoTrack *track = &g_array_index (boxes->tracks, FsVideoTrack, i);
    g_assert_cmpuint (track->timescale, >, 0);
    g_assert_cmpint (track->orientation, >=, 1);
    g_assert_cmpint (track->orientation, <=, 8);
    g_assert_true (track->stretch > 0);
    for (guint k = 0; track->edits && k < track->edits->len; k++) {
      FsVideoEdit edit = g_array_index (track->edits, FsVideoEdit, k);
      g_assert_true (edit.start >= 0 && edit.end >= edit.start);
    }
  }
}

/* Cut off anywhere, and with any byte wrong, files are read soundly or not at all. */
static void
test_damage (void)
{
  static const gint64 edits[] = { 500, -1, 1000, 1024 };
  static const guint8 wrong[] = { 0, 1, 0x7f, 0xff };
  for (int version = 0; version < 2; version++) {
    Film film = {
      .version = version, .range = 0x80, .edits = edits, .n_edits = 2, .n_pictures = 9
    };
    g_autoptr (GByteArray) file = make (&film);
    g_autofree char *path = made_file (folder, "damaged.mp4", file->data, file->len);
    int fd = open (path, O_WRONLY | O_CLOEXEC);
    for (guint at = 0; at < file->len; at++) {
      g_assert_cmpint (pwrite (fd, &wrong[at % G_N_ELEMENTS (wrong)], 1, at), ==, 1);
      g_autoptr (FsVideoBoxes) boxes = fs_video_boxes_read (path);
      check_sound (boxes, file->len);
      g_assert_cmpint (pwrite (fd, file->data + at, 1, at), ==, 1);
    }
    for (guint n = file->len; n-- > 0;) {
      g_assert_cmpint (ftruncate (fd, n), ==, 0);
      g_autoptr (FsVideoBoxes) boxes = fs_video_boxes_read (path);
      check_sound (boxes, n);
    }
    close (fd);
  }
}

static void
check_none (const void *bytes, gsize n)
{
  g_autofree char *path = made_file (folder, "none.mp4", bytes, n);
  g_autoptr (FsVideoBoxes) boxes = fs_video_boxes_read (path);
  g_assert_cmpuint (boxes->tracks->len + boxes->patches->len, ==, 0);
}

static void
test_others (void)
{
  check_none ("", 0);
  check_none ("RIFF\0\0\0\0AVI moov", 16);
  check_none ("\0\0\0\x10moov\0\0\0\x08mvhd", 16);
  check_none ("\0\0\0\0moov\xff\xff\xff\xffmvhd", 16);
  check_none ("\0\0\0\1moov\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  g_autofree char *absent = g_build_filename (folder, "absent.mp4", NULL);
  g_autoptr (FsVideoBoxes) boxes = fs_video_boxes_read (absent);
  g_assert_cmpuint (boxes->tracks->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/app/video-boxes/plain", test_plain);
  g_test_add_func ("/app/video-boxes/orientations", test_orientations);
  g_test_add_func ("/app/video-boxes/stretched", test_stretched);
  g_test_add_func ("/app/video-boxes/range", test_range);
  g_test_add_func ("/app/video-boxes/edits", test_edits);
  g_test_add_func ("/app/video-boxes/patches", test_patches);
  g_test_add_func ("/app/video-boxes/lengths", test_lengths);
  g_test_add_func ("/app/video-boxes/fragments", test_fragments);
  g_test_add_func ("/app/video-boxes/damage", test_damage);
  g_test_add_func ("/app/video-boxes/others", test_others);
  int status = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return status;
}
