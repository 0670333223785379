/* SPDX-License-Identifier: MIT */
/* Which pictures of an MP4 or QuickTime file are shown: all of those that its edit list says, each
 * in its place, and all where there is none, whatever its headers claim. */
#include "app/frames/list/frames.h"
#include "app/video/video.h"
#include "tests/app/photo/made_files.h"

#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <string.h>

/* Pictures, of which number n is all of one red; ticks of the film and of its track. */
enum { SIDE = 16, N_PICTURES = 20, FILM_TICKS = 1000, TRACK_TICKS = 500, PICTURE_TICKS = 100 };

#define PICTURE_TIME (GST_SECOND / 5)

static char *folder;

/* --- making them ------------------------------------------------------------------------------ */

static GstBuffer *
make_picture (int number, gboolean is_png)
{
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  const guint8 filter = 0, pixel[3] = { (guint8)(10 * number), 0, 0 };
  for (int y = 0; y < SIDE; y++) {
    if (is_png)
      g_byte_array_append (rows, &filter, 1);
    for (int x = 0; x < SIDE; x++)
      g_byte_array_append (rows, pixel, sizeof pixel);
  }
  if (!is_png)
    return gst_buffer_new_memdup (rows->data, rows->len);
  g_autoptr (GByteArray) png = made_png_begin (SIDE, SIDE, 8, 2, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return gst_buffer_new_memdup (png->data, png->len);
}

static void
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Each picture is shown `late` pictures after it is decoded, as with pictures that are coded from
 * later ones. g_free. */
static char *
make_video (gboolean is_png, guint late, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *description = g_strdup_printf (
      "appsrc name=source format=time caps=%s,width=16,height=16,framerate=5/1 ! "
      "mux.video_0 qtmux name=mux movie-timescale=%d trak-timescale=%d ! filesink location=%s",
      is_png ? "image/png" : "video/x-raw,format=RGB", FILM_TICKS, TRACK_TICKS, path);
  g_autoptr (GstElement) pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < N_PICTURES; i++) {
    GstBuffer *buffer = make_picture ((int)i + 1, is_png);
    GST_BUFFER_DTS (buffer) = i * PICTURE_TIME;
    GST_BUFFER_PTS (buffer) = (i + late) * PICTURE_TIME;
    GST_BUFFER_DURATION (buffer) = PICTURE_TIME;
    g_assert_cmpint (gst_app_src_push_buffer (GST_APP_SRC (source), buffer), ==, GST_FLOW_OK);
  }
  gst_app_src_end_of_stream (GST_APP_SRC (source));
  wait_for_end (pipeline);
  return path;
}

static GByteArray *
read_file (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  GByteArray *file = g_byte_array_new ();
  return g_byte_array_append (file, (const guint8 *)bytes, (guint)n);
}

static void
write_file (const GByteArray *file, const char *path)
{
  g_assert_true (g_file_set_contents (path, (const char *)file->data, file->len, NULL));
}

/* Where the box of this type begins, the first one from the film's header on. */
static guint
find_box (const GByteArray *file, const char *type)
{
  const guint8 *film = memmem (file->data, file->len, "moov", 4);
  g_assert_nonnull (film);
  const guint8 *found = memmem (film, (gsize)(file->data + file->len - film), type, 4);
  return found ? (guint)(found - file->data) - 4 : 0;
}

static void
put (guint8 *at, guint64 value, int n)
{
  for (int k = 0; k < n; k++)
    at[k] = (guint8)(value >> 8 * (n - 1 - k));
}

static guint32
get (const guint8 *at)
{
  return (guint32)at[0] << 24 | (guint32)at[1] << 16 | (guint32)at[2] << 8 | at[3];
}

typedef struct {
  gint64 film_ticks, track_tick; /* how long, and from where */
} Entry;

/* In place of the list that is there, which the film's header lies before all pictures or behind
 * them; the index, which has places in the file, must lie behind. */
static void
replace_edits (const char *path, const Entry *entries, guint n, gboolean is_long)
{
  g_autoptr (GByteArray) file = read_file (path);
  g_autoptr (GByteArray) box = g_byte_array_new ();
  const guint each = is_long ? 20 : 12;
  g_byte_array_set_size (box, 24 + n * each);
  memset (box->data, 0, box->len);
  put (box->data, box->len, 4);
  memcpy (box->data + 4, "edts", 4);
  put (box->data + 8, box->len - 8, 4);
  memcpy (box->data + 12, "elst", 4);
  box->data[16] = is_long != 0;
  put (box->data + 20, n, 4);
  for (guint i = 0; i < n; i++) {
    guint8 *at = box->data + 24 + i * each;
    int word = is_long ? 8 : 4;
    put (at, (guint64)entries[i].film_ticks, word);
    put (at + word, (guint64)entries[i].track_tick, word);
    put (at + 2 * word, 0x10000, 4);
  }
  guint old = find_box (file, "edts"), n_old = get (file->data + old);
  g_assert_cmpuint (old, >, 0);
  static const char *const parents[] = { "moov", "trak" };
  for (guint i = 0; i < G_N_ELEMENTS (parents); i++) {
    guint8 *size = file->data + find_box (file, parents[i]);
    put (size, get (size) + box->len - n_old, 4);
  }
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  g_byte_array_append (whole, file->data, old);
  g_byte_array_append (whole, box->data, box->len);
  g_byte_array_append (whole, file->data + old + n_old, file->len - old - n_old);
  write_file (whole, path);
}

static void
remove_edits (const char *path)
{
  g_autoptr (GByteArray) file = read_file (path);
  guint at = find_box (file, "edts");
  if (at > 0)
    memcpy (file->data + at + 4, "free", 4);
  write_file (file, path);
}

static void
set_length (const char *path, const char *type, guint32 ticks)
{
  g_autoptr (GByteArray) file = read_file (path);
  guint at = find_box (file, type);
  gboolean is_long = file->data[at + 8] == 1;
  put (file->data + at + (is_long ? 32 : 24), ticks, is_long ? 8 : 4);
  write_file (file, path);
}

/* --- reading them ----------------------------------------------------------------------------- */

/* "1 2 3"; a sentence after what came before it. g_free. */
static char *
list_pictures (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsVideo) video = fs_video_open (path, &error);
  g_autoptr (GString) list = g_string_new (NULL);
  for (;;) {
    g_autoptr (FsImage) image = fs_video_next (video, &error);
    g_autofree char *warning = fs_video_take_warning (video);
    if (warning)
      g_string_append_printf (list, "[%s]", warning + strlen (path));
    if (!image)
      break;
    g_string_append_printf (list, "%s%d", list->len ? " " : "", FS_PIXEL_R (image->pixels[0]) / 10);
  }
  if (error)
    g_string_append_printf (list, "[%s]", error->message + strlen (path));
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static void
check_pictures (const char *path, const char *wanted)
{
  g_autofree char *got = list_pictures (path);
  g_assert_cmpstr (got, ==, wanted);
}

#define ALL "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"

static void
test_without_edits (void)
{
  for (guint late = 0; late < 4; late++) {
    g_autofree char *path = make_video (TRUE, late, "late.mov");
    remove_edits (path);
    check_pictures (path, ALL);
  }
  g_autofree char *path = make_video (FALSE, 0, "raw.mov");
  remove_edits (path);
  check_pictures (path, ALL);
}

/* Headers that say less than there is. */
static void
test_short_headers (void)
{
  g_autofree char *path = make_video (TRUE, 2, "short.mov");
  remove_edits (path);
  set_length (path, "mvhd", 3 * FILM_TICKS / 5);
  check_pictures (path, ALL);
  set_length (path, "mdhd", 3 * PICTURE_TICKS);
  check_pictures (path, ALL);
  set_length (path, "mvhd", 0);
  check_pictures (path, ALL);
}

/* Film's ticks of so many pictures, and the track's tick of a picture that is shown one late. */
#define FOR(n)    ((n)*FILM_TICKS / 5)
#define FROM(n)   ((n)*PICTURE_TICKS)
#define NOTHING   -1
#define MAX_PARTS 4

static const struct {
  Entry entries[MAX_PARTS];
  guint n;
  const char *wanted;
} lists[] = {
  { { { FOR (20), FROM (1) } }, 1, ALL },
  { { { FOR (5), FROM (4) } }, 1, "4 5 6 7 8" },
  { { { FOR (4), FROM (17) } }, 1, "17 18 19 20" },
  { { { FOR (40), FROM (17) } }, 1, "17 18 19 20" },
  /* The list's first and last moments lie within pictures. */
  { { { FOR (2) + 100, FROM (3) + 40 } }, 1, "4 5" },
  { { { FOR (2) + 100, FROM (3) - 40 } }, 1, "3 4 5" },
  { { { FOR (7), NOTHING }, { FOR (3), FROM (1) } }, 2, "1 2 3" },
  { { { FOR (2), FROM (2) }, { FOR (2), FROM (10) } }, 2, "2 3 10 11" },
  { { { FOR (2), FROM (2) }, { FOR (1), NOTHING }, { FOR (2), FROM (4) } }, 3, "2 3 4 5" },
  /* Back, again, and over one another. */
  { { { FOR (2), FROM (10) }, { FOR (2), FROM (2) } }, 2, "10 11 2 3" },
  { { { FOR (2), FROM (19) }, { FOR (2), FROM (19) }, { FOR (1), FROM (1) } }, 3, "19 20 19 20 1" },
  { { { FOR (4), FROM (5) }, { FOR (4), FROM (7) } }, 2, "5 6 7 8 7 8 9 10" },
  { { { FOR (2), FROM (90) }, { FOR (2), FROM (5) } }, 2, "5 6" },
  /* To the end. */
  { { { 0, FROM (18) } }, 1, "18 19 20" },
  /* A list of nothing. */
  { { { FOR (2), NOTHING } }, 1, ALL },
};

static void
test_edits (void)
{
  for (int is_png = 0; is_png < 2; is_png++)
    for (int is_long = 0; is_long < 2; is_long++)
      for (guint i = is_long; i < G_N_ELEMENTS (lists); i += 1 + is_png) {
        g_autofree char *path = make_video (is_png, 1, "edits.mov");
        replace_edits (path, lists[i].entries, lists[i].n, is_long);
        check_pictures (path, lists[i].wanted);
      }
}

/* A film that goes back without end. */
static void
test_too_often (void)
{
  Entry entries[600];
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    entries[i] = (Entry){ FOR (1), FROM (1) };
  g_autofree char *path = make_video (FALSE, 1, "often.mov");
  replace_edits (path, entries, 100, FALSE);
  g_autofree char *hundred = list_pictures (path);
  g_assert_cmpuint (strlen (hundred), ==, 100 * strlen ("1 ") - 1);
  replace_edits (path, entries, G_N_ELEMENTS (entries), FALSE);
  g_autofree char *got = list_pictures (path);
  g_assert_true (
      g_str_has_suffix (got, " 1[: after frame 257: its edit list goes back too often]"));
}

/* --- GIF -------------------------------------------------------------------------------------- */

/* Of 4 × 4 pixels, all of colour 1; codes of three bits, cleared before they would grow. */
static void
append_gif_picture (GByteArray *gif)
{
  static const guint8 head[] = {
    0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2
  };
  GByteArray *bits = g_byte_array_new ();
  guint pending = 0, n_pending = 0;
  guint8 n_bytes;
  g_byte_array_append (gif, head, sizeof head);
  for (int i = 0; i <= 24; i++) {
    pending |= (i == 24 ? 5u : i % 3 == 0 ? 4u : 1u) << n_pending;
    for (n_pending += 3; n_pending >= 8 || (i == 24 && n_pending > 0); pending >>= 8) {
      guint8 byte = (guint8)pending;
      g_byte_array_append (bits, &byte, 1);
      n_pending -= MIN (n_pending, 8);
    }
  }
  n_bytes = (guint8)bits->len;
  g_byte_array_append (gif, &n_bytes, 1);
  g_byte_array_append (gif, bits->data, bits->len);
  g_byte_array_append (gif, (const guint8 *)"", 1);
  g_byte_array_unref (bits);
}

/* Ends at its end, at once, or is refused where GStreamer has nothing for it. */
static void
test_gif (void)
{
  static const guint8 head[] = { 'G',  'I', 'F', '8', '9', 'a', 4,   0, 4, 0,
                                 0x80, 0,   0,   0,   0,   0,   200, 0, 0 };
  for (int n = 1; n <= 3; n += 2) {
    g_autoptr (GByteArray) gif = g_byte_array_new ();
    g_byte_array_append (gif, head, sizeof head);
    for (int i = 0; i < n; i++)
      append_gif_picture (gif);
    g_byte_array_append (gif, (const guint8 *)";", 1);
    g_autofree char *path = made_file (folder, "some.gif", gif->data, gif->len);
    gint64 start = g_get_monotonic_time ();
    g_autofree char *got = list_pictures (path);
    g_assert_cmpint (g_get_monotonic_time () - start, <, FS_VIDEO_PATIENCE_S * G_USEC_PER_SEC / 4);
    if (strstr (got, "no plug-in"))
      g_test_skip ("GStreamer reads no GIF here");
    else
      g_assert_cmpstr (got, ==, n == 1 ? "20" : "20 20 20");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  folder = made_folder ();
  g_test_add_func ("/app/video-shown/without-edits", test_without_edits);
  g_test_add_func ("/app/video-shown/short-headers", test_short_headers);
  g_test_add_func ("/app/video-shown/edits", test_edits);
  g_test_add_func ("/app/video-shown/too-often", test_too_often);
  g_test_add_func ("/app/video-shown/gif", test_gif);
  int status = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return status;
}
