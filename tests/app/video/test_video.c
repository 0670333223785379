/* SPDX-License-Identifier: MIT */
/* Pictures of videos that the tests make themselves, to the bit; and videos that are none, that are
 * damaged, or too large. */
#include "app/frames/list/frames.h"
#include "app/video/video.h"
#include "app/video/video_picture.h"
#include "tests/app/photo/made_files.h"

#include <gst/app/gstappsrc.h>
#include <glib/gstdio.h>
#include <gst/gst.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 33, HEIGHT = 17, MAX_FRAMES = 40 };

/* A picture of the video, losslessly. */
typedef struct {
  int width, height;
  int bits;          /* a channel                                  */
  GstClockTime time; /* when it is shown                           */
  gboolean damaged;  /* of a kind that there is none of            */
} Picture;

typedef struct {
  Picture pictures[MAX_FRAMES];
  int n;
  gboolean is_jpeg; /* and not the colours below */
} Clip;

static char *folder;

/* --- making videos ---------------------------------------------------------------------------- */

/* 0xRRGGBB; no two pictures and no two corners are the same. */
static uint32_t
colour (int number, int x, int y)
{
  return (uint32_t)(40 * number % 256) << 16 | (uint32_t)(7 * x % 256) << 8
         | (uint32_t)((11 * y + number) % 256);
}

static void
append_value (GByteArray *rows, uint8_t value, int bits)
{
  for (int k = 0; k < bits; k += 8)
    g_byte_array_append (rows, &value, 1);
}

/* RGB; with 16 bits RGBA, as GStreamer 1.22 gets the first pixel of deep RGB wrong. */
static GByteArray *
encode (const Picture *picture, int number)
{
  int n_channels = picture->bits == 16 ? 4 : 3;
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (int y = 0; y < picture->height; y++) {
    append_value (rows, 0, 8);
    for (int x = 0; x < picture->width; x++) {
      uint32_t c = colour (number, x, y) << 8 | 0xff;
      for (int k = 0; k < n_channels; k++)
        append_value (rows, (uint8_t)(c >> (24 - 8 * k)), picture->bits);
    }
  }
  int colour_type = picture->damaged ? 5 : n_channels == 4 ? 6 : 2;
  GByteArray *png = made_png_begin ((guint32)picture->width, (guint32)picture->height,
                                    picture->bits, colour_type, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return png;
}

/* Damaged ones have a frame header that says 77 bits. */
static GByteArray *
encode_jpeg (const Picture *picture)
{
  const MadeJpeg spec = { .width = picture->width,
                          .height = picture->height,
                          .kind = MADE_JPEG_YCC };
  GByteArray *jpeg = made_jpeg (&spec);
  guint8 *header = memmem (jpeg->data, jpeg->len, "\xff\xc0", 2);
  g_assert_nonnull (header);
  if (picture->damaged)
    header[4] = 77;
  return jpeg;
}

static void
push (GstElement *source, const Clip *clip, int i)
{
  const Picture *picture = &clip->pictures[i];
  g_autoptr (GByteArray) bytes = clip->is_jpeg ? encode_jpeg (picture) : encode (picture, i);
  GstBuffer *buffer = gst_buffer_new_memdup (bytes->data, bytes->len);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = picture->time;
  if (i + 1 < clip->n)
    GST_BUFFER_DURATION (buffer) = clip->pictures[i + 1].time - picture->time;
  else
    GST_BUFFER_DURATION (buffer) = GST_SECOND / 5;
  g_assert_cmpint (gst_app_src_push_buffer (GST_APP_SRC (source), buffer), ==, GST_FLOW_OK);
}

static void
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    gst_message_parse_error (message, &error, NULL);
    g_error ("the video cannot be made: %s", error->message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static GstElement *
launch (const char *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

/* A QuickTime file of the pictures; its index lies before or after them. g_free. */
static char *
make_video (const Clip *clip, gboolean index_first, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *description = g_strdup_printf (
      "appsrc name=source format=time caps=image/%s,width=%d,height=%d,framerate=5/1 ! "
      "mux.video_0 qtmux name=mux faststart=%d ! filesink location=%s",
      clip->is_jpeg ? "jpeg" : "png", clip->pictures[0].width, clip->pictures[0].height,
      index_first, path);
  g_autoptr (GstElement) pipeline = launch (description);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  for (int i = 0; i < clip->n; i++)
    push (source, clip, i);
  g_assert_cmpint (gst_app_src_end_of_stream (GST_APP_SRC (source)), ==, GST_FLOW_OK);
  wait_for_end (pipeline);
  return path;
}

/* `n` pictures, five a second. */
static Clip
make_clip (int n)
{
  Clip clip = { .n = n };
  for (int i = 0; i < n; i++)
    clip.pictures[i] = (Picture){
      .width = WIDTH, .height = HEIGHT, .bits = 8, .time = (GstClockTime)i * GST_SECOND / 5
    };
  return clip;
}

/* --- reading them ----------------------------------------------------------------------------- */

static void
check_picture (const FsImage *image, const Picture *picture, int number)
{
  g_assert_cmpint (image->width, ==, picture->width);
  g_assert_cmpint (image->height, ==, picture->height);
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      g_assert_cmphex (image->pixels[y * image->width + x], ==,
                       0xff000000u | colour (number, x, y));
}

static void
check_no_warning (FsVideo *video)
{
  g_autofree char *warning = fs_video_take_warning (video);
  g_assert_cmpstr (warning, ==, NULL);
}

static void
check_warning (FsVideo *video, const char *path, const char *words)
{
  g_autofree char *warning = fs_video_take_warning (video);
  g_assert_nonnull (warning);
  g_assert_true (g_str_has_prefix (warning, path));
  g_assert_nonnull (strstr (warning, words));
  check_no_warning (video);
}

/* Every picture that is not damaged, in order, and then the end; g_free the path. */
static FsVideo *
check_pictures (const Clip *clip, const char *path)
{
  g_autoptr (GError) error = NULL;
  FsVideo *video = fs_video_open (path, &error);
  g_assert_no_error (error);
  for (int i = 0; i < clip->n; i++) {
    if (clip->pictures[i].damaged)
      continue;
    g_autoptr (FsImage) image = fs_video_next (video, &error);
    g_assert_no_error (error);
    g_assert_nonnull (image);
    if (!clip->is_jpeg)
      check_picture (image, &clip->pictures[i], i);
    check_no_warning (video);
  }
  g_assert_null (fs_video_next (video, &error));
  g_assert_no_error (error);
  return video;
}

static void
check_clip (const Clip *clip, const char *name)
{
  g_autofree char *path = make_video (clip, FALSE, name);
  g_autoptr (FsVideo) video = check_pictures (clip, path);
  check_no_warning (video);
}

static void
test_pictures (void)
{
  Clip many = make_clip (MAX_FRAMES), one = make_clip (1);
  check_clip (&many, "many.mov");
  check_clip (&one, "one.mov");
}

static void
test_odd_sizes (void)
{
  static const int sizes[][2] = { { 17, 16 }, { 16, 51 }, { 127, 19 }, { 1001, 17 } };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Clip clip = make_clip (2);
    for (int k = 0; k < 2; k++) {
      clip.pictures[k].width = sizes[i][0];
      clip.pictures[k].height = sizes[i][1];
    }
    check_clip (&clip, "odd.mov");
  }
}

static void
test_sixteen_bits (void)
{
  Clip clip = make_clip (3);
  for (int i = 0; i < clip.n; i++)
    clip.pictures[i].bits = 16;
  check_clip (&clip, "deep.mov");
}

/* Each picture once, whatever its time. */
static void
test_variable_rate (void)
{
  static const int times_ms[] = { 0, 10, 500, 511, 4000, 4040 };
  Clip clip = make_clip (G_N_ELEMENTS (times_ms));
  for (int i = 0; i < clip.n; i++)
    clip.pictures[i].time = (GstClockTime)times_ms[i] * GST_MSECOND;
  check_clip (&clip, "variable.mov");
}

static void
test_size_changes (void)
{
  Clip clip = make_clip (6);
  for (int i = 2; i < 4; i++) {
    clip.pictures[i].width = 50;
    clip.pictures[i].height = 20;
  }
  check_clip (&clip, "changing.mov");
}

/* A quarter turn clockwise, as telephones write it into the track's matrix. */
static void
test_upright (void)
{
  static const guint8 matrix[36] = { 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0 };
  Clip clip = make_clip (2);
  g_autofree char *path = make_video (&clip, FALSE, "turned.mov"), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  char *header = memmem (bytes, n, "tkhd", 4);
  g_assert_nonnull (header);
  memcpy (header + 44, matrix, 32);
  g_assert_true (g_file_set_contents (path, bytes, (gssize)n, NULL));
  g_autoptr (FsVideo) video = fs_video_open (path, NULL);
  for (int i = 0; i < clip.n; i++) {
    g_autoptr (FsImage) image = fs_video_next (video, NULL);
    g_assert_nonnull (image);
    g_assert_cmpint (image->width, ==, HEIGHT);
    g_assert_cmpint (image->height, ==, WIDTH);
    for (int y = 0; y < WIDTH; y++)
      for (int x = 0; x < HEIGHT; x++)
        g_assert_cmphex (image->pixels[y * HEIGHT + x], ==,
                         0xff000000u | colour (i, y, HEIGHT - 1 - x));
  }
}

/* Thirty pictures a second, compressed by prediction, with sound. g_free. */
static char *
make_ogg (const char *name, int seconds)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *description = g_strdup_printf (
      "videotestsrc num-buffers=%d ! video/x-raw,width=%d,height=%d,framerate=30/1 ! theoraenc ! "
      "queue ! m. audiotestsrc num-buffers=%d ! vorbisenc ! queue ! m. oggmux name=m ! "
      "filesink location=%s",
      30 * seconds, WIDTH, HEIGHT, 43 * seconds, path);
  g_autoptr (GstElement) pipeline = launch (description);
  wait_for_end (pipeline);
  return path;
}

/* All pictures come, as large as they are. */
static void
test_with_sound (void)
{
  g_autofree char *path = make_ogg ("sound.ogv", 1);
  g_autoptr (FsVideo) video = fs_video_open (path, NULL);
  for (int i = 0; i < 30; i++) {
    g_autoptr (FsImage) image = fs_video_next (video, NULL);
    g_assert_nonnull (image);
    g_assert_cmpint (image->width, ==, WIDTH);
    g_assert_cmpint (image->height, ==, HEIGHT);
  }
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_video_next (video, &error));
  g_assert_no_error (error);
  check_no_warning (video);
}

/* Nobody waits for those that are left. */
static void
test_left_early (void)
{
  Clip clip = make_clip (MAX_FRAMES);
  g_autofree char *path = make_video (&clip, FALSE, "early.mov");
  for (int n = 0; n < 4; n++) {
    g_autoptr (FsVideo) video = fs_video_open (path, NULL);
    for (int i = 0; i < n; i++) {
      g_autoptr (FsImage) image = fs_video_next (video, NULL);
      check_picture (image, &clip.pictures[i], i);
    }
  }
}

/* --- damage ----------------------------------------------------------------------------------- */

/* Those that a decoder drops. */
static void
test_lost_pictures (void)
{
  Clip clip = make_clip (8);
  clip.is_jpeg = TRUE;
  clip.pictures[3].damaged = clip.pictures[6].damaged = TRUE;
  g_autofree char *path = make_video (&clip, FALSE, "lost.mov");
  g_autoptr (FsVideo) video = check_pictures (&clip, path);
  check_warning (video, path, ": pictures that cannot be decoded, and are not counted: 2");
}

/* One that the decoder cannot go on after: all before it come, and then the reason. */
static void
test_broken_off (void)
{
  Clip clip = make_clip (8);
  clip.pictures[5].damaged = TRUE;
  g_autofree char *path = make_video (&clip, FALSE, "broken.mov");
  g_autoptr (GError) error = NULL;
  g_autoptr (FsVideo) video = fs_video_open (path, NULL);
  for (int i = 0; i < 5; i++) {
    g_autoptr (FsImage) image = fs_video_next (video, &error);
    g_assert_no_error (error);
    check_picture (image, &clip.pictures[i], i);
  }
  g_assert_null (fs_video_next (video, &error));
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO);
  g_assert_nonnull (strstr (error->message, ": after frame 5: cannot be decoded: "));
}

static void
truncate_file (const char *path, double share)
{
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize)((double)n * share), NULL));
}

static void
test_cut_short (void)
{
  Clip clip = make_clip (MAX_FRAMES);
  g_autofree char *path = make_video (&clip, TRUE, "short.mov");
  truncate_file (path, 0.6);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsVideo) video = fs_video_open (path, NULL);
  int n = 0;
  for (;;) {
    g_autoptr (FsImage) image = fs_video_next (video, &error);
    if (!image)
      break;
    check_picture (image, &clip.pictures[n], n);
    n++;
  }
  g_assert_cmpint (n, >, 4);
  g_assert_cmpint (n, <, MAX_FRAMES);
  if (error)
    g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO);
  else
    check_warning (video, path, "it may be cut short");
}

static void
check_refused (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsVideo) video = fs_video_open (path, &error);
  g_autoptr (FsImage) image = video ? fs_video_next (video, &error) : NULL;
  g_assert_null (image);
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_null (strchr (error->message, '\n'));
  if (!strstr (error->message, words))
    g_error ("%s", error->message);
}

/* An Ogg file does not say how long it is: its last page is marked, wherever it is cut off. */
static void
check_cut_ogg (double share)
{
  g_autofree char *path = make_ogg ("short.ogv", 6);
  truncate_file (path, share);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsVideo) video = fs_video_open (path, NULL);
  int n = 0;
  for (;; n++) {
    g_autoptr (FsImage) image = fs_video_next (video, &error);
    if (!image)
      break;
  }
  g_assert_no_error (error);
  g_assert_cmpint (n, >, 30);
  g_autofree char *said =
      g_strdup_printf (": ends after frame %d: the file ends before its stream does", n);
  check_warning (video, path, said);
}

static void
test_cut_ogg (void)
{
  check_cut_ogg (0.6);
  check_cut_ogg (0.999);
  g_autofree char *path = make_ogg ("stub.ogv", 1);
  truncate_file (path, 0.4);
  check_refused (path, ": has no pictures: the file ends before its stream does");
}

static void
check_bytes (const char *name, const void *bytes, gsize n_bytes, const char *words)
{
  g_autofree char *path = made_file (folder, name, bytes, n_bytes);
  check_refused (path, words);
}

static void
test_no_videos (void)
{
  static const char list[] = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:9/x\n";
  guint8 noise[5000];
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (guint i = 0; i < sizeof noise; i++)
    noise[i] = (guint8)g_rand_int (rand);
  check_bytes ("empty.avi", "", 0, ": cannot be decoded: ");
  check_bytes ("text.mkv", "no video\n", 9, ": cannot be decoded: ");
  check_bytes ("noise.mp4", noise, sizeof noise, ": ");
  check_bytes ("list.m3u8", list, strlen (list), ": ");
  Clip clip = make_clip (5);
  g_autofree char *path = make_video (&clip, FALSE, "headless.mov");
  truncate_file (path, 0.5);
  check_refused (path, ": cannot be decoded: ");
}

static void
test_no_pictures (void)
{
  g_autofree char *path = g_build_filename (folder, "sound.ogg", NULL);
  g_autofree char *description =
      g_strdup_printf ("audiotestsrc num-buffers=9 ! vorbisenc ! oggmux ! filesink location=%s",
                       path);
  g_autoptr (GstElement) pipeline = launch (description);
  wait_for_end (pipeline);
  check_refused (path, ": there is no video in it");
}

static void
test_no_files (void)
{
  g_autofree char *none = g_build_filename (folder, "none.mov", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe.mov", NULL);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  check_refused (none, ": is neither");
  check_refused (pipe, ": is neither");
  check_refused (folder, ": is neither");
  g_unlink (pipe);
}

/* Whether the container says it or only the picture itself. */
static void
test_too_large (void)
{
  Clip clip = make_clip (1);
  clip.pictures[0].width = FS_VIDEO_MAX_SIDE_PX + 1;
  clip.pictures[0].height = 16;
  g_autofree char *path = make_video (&clip, FALSE, "wide.mov");
  check_refused (path, "are too large");
  Clip changing = make_clip (2);
  changing.pictures[1].width = FS_VIDEO_MAX_SIDE_PX + 1;
  changing.pictures[1].height = 16;
  g_autofree char *second = make_video (&changing, FALSE, "wider.mov");
  g_autoptr (FsVideo) video = fs_video_open (second, NULL);
  g_autoptr (FsImage) first = fs_video_next (video, NULL);
  g_assert_nonnull (first);
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_video_next (video, &error));
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO);
  g_assert_nonnull (strstr (error->message, ": after frame 1: its pictures of 16385"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  folder = made_folder ();
  g_test_add_func ("/app/video/pictures", test_pictures);
  g_test_add_func ("/app/video/odd-sizes", test_odd_sizes);
  g_test_add_func ("/app/video/sixteen-bits", test_sixteen_bits);
  g_test_add_func ("/app/video/variable-rate", test_variable_rate);
  g_test_add_func ("/app/video/size-changes", test_size_changes);
  g_test_add_func ("/app/video/upright", test_upright);
  g_test_add_func ("/app/video/with-sound", test_with_sound);
  g_test_add_func ("/app/video/left-early", test_left_early);
  g_test_add_func ("/app/video/lost-pictures", test_lost_pictures);
  g_test_add_func ("/app/video/broken-off", test_broken_off);
  g_test_add_func ("/app/video/cut-short", test_cut_short);
  g_test_add_func ("/app/video/cut-ogg", test_cut_ogg);
  g_test_add_func ("/app/video/no-videos", test_no_videos);
  g_test_add_func ("/app/video/no-pictures", test_no_pictures);
  g_test_add_func ("/app/video/no-files", test_no_files);
  g_test_add_func ("/app/video/too-large", test_too_large);
  int status = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return status;
}
