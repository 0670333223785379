/* SPDX-License-Identifier: MIT */
/* Decoded pictures of all kinds become RGB: colours against the standards' formulas, fields, pixels
 * that are not square, and all eight orientations. */
#include "app/photo/input/orient.h"
#include "app/video/video.h"
#include "app/video/video_picture.h"

#include <gst/video/video.h>
#include <math.h>
#include <string.h>

enum { TOP_FIRST = GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF };

static const FsVideoLook plain = { .stretch = 1, .orientation = 1 };

/* Of one component at (x, y) of its plane. */
typedef guint (*Content) (int component, int x, int y, const void *data);

static GstSample *
make_sample (const char *description, Content content, const void *data, guint flags)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (description);
  GstVideoInfo info;
  GstVideoFrame frame;
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  GST_BUFFER_FLAG_SET (buffer, flags);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (guint k = 0; k < GST_VIDEO_FRAME_N_COMPONENTS (&frame); k++)
    for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, k); y++)
      for (int x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, k); x++) {
        guint8 *at = (guint8 *)GST_VIDEO_FRAME_COMP_DATA (&frame, k)
                     + (gssize)y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, k)
                     + (gssize)x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, k);
        guint value = content ((int)k, x, y, data);
        if (GST_VIDEO_FRAME_COMP_DEPTH (&frame, k) > 8)
          memcpy (at, &(guint16){ (guint16)value }, 2);
        else
          *at = (guint8)value;
      }
  gst_video_frame_unmap (&frame);
  return gst_sample_new (buffer, caps, NULL, NULL);
}

static FsImage *
paint (const char *description, Content content, const void *data, guint flags,
       const FsVideoLook *look, guint *deeds)
{
  g_autoptr (FsVideoPainter) painter = fs_video_painter_new ();
  g_autoptr (GstSample) sample = make_sample (description, content, data, flags);
  FsImage *image = fs_video_painter_paint (painter, sample, look, deeds);
  g_assert_nonnull (image);
  return image;
}

/* --- colours ---------------------------------------------------------------------------------- */

static guint
flat (int component, int x, int y, const void *data)
{
  return ((const guint *)data)[component];
}

typedef struct {
  const char *caps;
  int depth;
  double kr, kb;
  gboolean is_full;
  FsVideoLook look;
} Colours;

/* Components of the colour, as the standards have them. */
static void
encode (const Colours *c, const int rgb[3], guint yuv[4])
{
  double r = rgb[0] / 255.0, g = rgb[1] / 255.0, b = rgb[2] / 255.0, step = 1 << (c->depth - 8);
  double y = c->kr * r + (1 - c->kr - c->kb) * g + c->kb * b;
  double u = (b - y) / 2 / (1 - c->kb), v = (r - y) / 2 / (1 - c->kr);
  double max = (1 << c->depth) - 1;
  yuv[0] = (guint)lround (c->is_full ? y * max : step * (16 + 219 * y));
  yuv[1] = (guint)lround (128 * step + u * (c->is_full ? max : 224 * step));
  yuv[2] = (guint)lround (128 * step + v * (c->is_full ? max : 224 * step));
  yuv[3] = (guint)max;
}

static void
check_colours (const Colours *c)
{
  static const int rgb[][3] = { { 220, 120, 40 },  { 30, 60, 200 }, { 240, 240, 240 },
                                { 16, 16, 16 },    { 200, 30, 30 }, { 30, 200, 200 },
                                { 255, 255, 255 }, { 0, 0, 0 },     { 128, 128, 128 } };
  for (guint i = 0; i < G_N_ELEMENTS (rgb); i++) {
    guint yuv[4], deeds = 0;
    encode (c, rgb[i], yuv);
    g_autoptr (FsImage) image = paint (c->caps, flat, yuv, 0, &c->look, &deeds);
    g_assert_cmpuint (deeds, ==, 0);
    for (int k = 0; k < image->width * image->height; k++) {
      uint32_t p = image->pixels[k];
      int got[3] = { FS_PIXEL_R (p), FS_PIXEL_G (p), FS_PIXEL_B (p) };
      for (int j = 0; j < 3; j++)
        if (ABS (got[j] - rgb[i][j]) > (c->depth > 8 ? 1 : 2))
          g_error ("%s: colour %u is %d, %d, %d", c->caps, i, got[0], got[1], got[2]);
      g_assert_cmpint (FS_PIXEL_A (p), ==, 255);
    }
  }
}

#define RAW "video/x-raw,framerate=25/1,format="
#define SD  ",width=64,height=48"

static void
test_colours (void)
{
  const FsVideoLook full = { .range = FS_VIDEO_RANGE_FULL, .stretch = 1, .orientation = 1 };
  const FsVideoLook reported = { .colours = "1:3:5:1", .stretch = 1, .orientation = 1 };
  const Colours all[] = {
    { RAW "I420" SD, 8, 0.299, 0.114, FALSE, plain },
    { RAW "NV12" SD, 8, 0.299, 0.114, FALSE, plain },
    { RAW "I420,width=63,height=47", 8, 0.299, 0.114, FALSE, plain },
    { RAW "I420,width=1280,height=16", 8, 0.2126, 0.0722, FALSE, plain },
    { RAW "I420,width=64,height=720", 8, 0.2126, 0.0722, FALSE, plain },
    { RAW "I420,width=720,height=576", 8, 0.299, 0.114, FALSE, plain },
    { RAW "I420,width=64,height=2160", 8, 0.2126, 0.0722, FALSE, plain },
    { RAW "I420,colorimetry=bt709" SD, 8, 0.2126, 0.0722, FALSE, plain },
    { RAW "I420,colorimetry=bt709" SD, 8, 0.2126, 0.0722, FALSE, full },
    { RAW "I420,colorimetry=1:3:5:1" SD, 8, 0.2126, 0.0722, TRUE, plain },
    { RAW "Y444,colorimetry=1:4:0:0" SD, 8, 0.299, 0.114, TRUE, plain },
    { RAW "I420" SD, 8, 0.2126, 0.0722, TRUE, reported },
    { RAW "I420" SD, 8, 0.299, 0.114, TRUE, full },
    { RAW "I420,colorimetry=0:3:5:1" SD, 8, 0.2126, 0.0722, TRUE, full },
    { RAW "I420,colorimetry=2:0:0:0,width=1280,height=720", 8, 0.2126, 0.0722, FALSE, full },
    { RAW "I420_10LE" SD, 10, 0.299, 0.114, FALSE, plain },
    { RAW "I420_10LE,colorimetry=bt2020" SD, 10, 0.2627, 0.0593, FALSE, plain },
    { RAW "I422_10LE,colorimetry=1:3:5:1" SD, 10, 0.2126, 0.0722, TRUE, plain },
    { RAW "Y444_12LE" SD, 12, 0.299, 0.114, FALSE, plain },
    { RAW "A420" SD, 8, 0.299, 0.114, FALSE, plain },
  };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    check_colours (&all[i]);
}

/* Every level of grey, to the bit where the range is full, and to the nearest where it is not. */
static void
test_greys (void)
{
  for (guint level = 0; level < 256; level++) {
    guint full[3] = { level, 128, 128 }, deeds = 0;
    g_autoptr (FsImage) grey =
        paint (RAW "I420,colorimetry=1:4:0:0" SD, flat, full, 0, &plain, &deeds);
    g_assert_cmphex (grey->pixels[7], ==, 0xff000000u | level * 0x010101u);
    g_autoptr (FsImage) limited = paint (RAW "I420" SD, flat, full, 0, &plain, &deeds);
    int wanted = CLAMP ((int)floor (255 * ((int)level - 16) / 219.0 + 0.5), 0, 255);
    g_assert_cmpint (FS_PIXEL_R (limited->pixels[7]), ==, wanted);
    g_autoptr (FsImage) single = paint (RAW "GRAY8" SD, flat, full, 0, &plain, &deeds);
    g_assert_cmphex (single->pixels[7], ==, 0xff000000u | level * 0x010101u);
    g_assert_cmpuint (deeds, ==, 0);
  }
}

/* Component by component. */
static guint
ramp (int component, int x, int y, const void *data)
{
  guint value = (guint)(component * 50 + 3 * x + 2 * y) & 0xff;
  return component == 3 ? 255 : *(const int *)data == 16 ? value * 257 : value;
}

static void
test_rgb (void)
{
  static const char *const formats[] = { "RGB", "BGRx", "GBR", "RGBA" };
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree char *caps = g_strconcat (RAW, formats[i], ",width=33,height=17", NULL);
    guint deeds = 0;
    g_autoptr (FsImage) image = paint (caps, ramp, &(int){ 8 }, 0, &plain, &deeds);
    for (int y = 0; y < 17; y++)
      for (int x = 0; x < 33; x++)
        g_assert_cmphex (image->pixels[33 * y + x], ==,
                         FS_PIXEL (255, (3 * x + 2 * y) & 0xff, (50 + 3 * x + 2 * y) & 0xff,
                                   (100 + 3 * x + 2 * y) & 0xff));
    g_assert_cmpuint (deeds, ==, 0);
  }
}

/* What is left aside is reported; the colours are those of the stream. */
static void
test_alpha (void)
{
  static const guint half[4] = { 200, 100, 50, 128 }, opaque[4] = { 200, 100, 50, 255 };
  guint deeds = 0;
  g_autoptr (FsImage) whole = paint (RAW "RGBA" SD, flat, opaque, 0, &plain, &deeds);
  g_assert_cmpuint (deeds, ==, 0);
  g_autoptr (FsImage) image = paint (RAW "RGBA" SD, flat, half, 0, &plain, &deeds);
  g_assert_cmpuint (deeds, ==, FS_VIDEO_TRANSPARENT);
  g_assert_cmphex (image->pixels[0], ==, 0xffc86432);
  g_assert_cmphex (whole->pixels[0], ==, 0xffc86432);
  g_assert_false (image->has_alpha);
}

/* --- fields ----------------------------------------------------------------------------------- */

enum { BOX_PX = 12 };

/* A bright square before a slope; in the field of odd lines, it is where `data` says. */
static guint
woven (int component, int x, int y, const void *data)
{
  int left = y % 2 ? *(const int *)data : 10;
  if (component > 0)
    return 128;
  return x >= left && x < left + BOX_PX && y >= 8 && y < 24 ? 220 : (guint)(40 + y);
}

static void
check_fields (const char *mode, guint flags, int odd_left, int left)
{
  const FsVideoLook look = { .stretch = 1,
                             .orientation = 1,
                             .fields = mode[0] != 'p' ? 0
                                       : left == 10   ? 1
                                                      : 2 };
  guint deeds = 0;
  g_autofree char *caps = g_strconcat (RAW "Y444,width=48,height=32,interlace-mode=", mode, NULL);
  g_autoptr (FsImage) image = paint (caps, woven, &odd_left, flags, &look, &deeds);
  g_autoptr (FsImage) wanted =
      paint (RAW "Y444,width=48,height=32", woven, &left, 0, &plain, &deeds);
  gboolean still = odd_left == 10;
  g_assert_cmpuint (deeds, ==, flags || !strchr (mode, 'x') ? FS_VIDEO_DEINTERLACED : 0);
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 48; x++) {
      /* The square's own first and last lines are those of one field only. */
      if (!still && (y == 7 || y == 8 || y == 23 || y == 24))
        continue;
      int right = left == 10 ? 10 : odd_left;
      gboolean inside = x >= right && x < right + BOX_PX && y >= 8 && y < 24;
      int got = FS_PIXEL_G (image->pixels[48 * y + x]);
      if (inside ? got < 200 : got > 80)
        g_error ("%s, %x: pixel %d, %d is %d", caps, flags, x, y, got);
      if (still)
        g_assert_cmphex (image->pixels[48 * y + x], ==, wanted->pixels[48 * y + x]);
    }
}

/* What moves shows the field that comes first, whatever says so; what stands still is as it was. */
static void
test_fields (void)
{
  check_fields ("interleaved,field-order=top-field-first", 0, 30, 10);
  check_fields ("interleaved,field-order=bottom-field-first", 0, 30, 30);
  check_fields ("interleaved,field-order=bottom-field-first", GST_VIDEO_BUFFER_FLAG_TFF, 30, 10);
  check_fields ("interleaved", GST_VIDEO_BUFFER_FLAG_TFF, 30, 10);
  check_fields ("mixed", TOP_FIRST, 30, 10);
  check_fields ("mixed", GST_VIDEO_BUFFER_FLAG_INTERLACED, 30, 30);
  check_fields ("mixed", TOP_FIRST, 10, 10);
  /* The container's word. */
  check_fields ("progressive", 0, 30, 10);
  check_fields ("progressive", 0, 30, 30);
  check_fields ("interleaved,field-order=bottom-field-first", 0, 10, 10);
}

/* Frames of a mixed stream that are whole stay as they are, combs and all. */
static void
test_whole_frames (void)
{
  guint deeds = 0;
  int left = 30;
  g_autoptr (FsImage) mixed =
      paint (RAW "I420,width=48,height=32,interlace-mode=mixed", woven, &left, 0, &plain, &deeds);
  g_autoptr (FsImage) wanted =
      paint (RAW "I420,width=48,height=32", woven, &left, 0, &plain, &deeds);
  g_assert_cmpuint (deeds, ==, 0);
  g_assert_cmpmem (mixed->pixels, 48 * 32 * 4, wanted->pixels, 48 * 32 * 4);
}

/* --- shape ------------------------------------------------------------------------------------ */

/* As wide as high on a screen. */
static guint
disc (int component, int x, int y, const void *data)
{
  const double *shape = data; /* width, height, stretch */
  double dx = (x + 0.5 - shape[0] / 2) * shape[2], dy = y + 0.5 - shape[1] / 2;
  double radius = 0.3 * MIN (shape[0] * shape[2], shape[1]);
  return component > 0 ? 128 : hypot (dx, dy) < radius ? 220 : 40;
}

static void
measure (const FsImage *image, int *width, int *height)
{
  *width = *height = 0;
  for (int x = 0; x < image->width; x++)
    *width += FS_PIXEL_G (image->pixels[image->height / 2 * image->width + x]) > 128;
  for (int y = 0; y < image->height; y++)
    *height += FS_PIXEL_G (image->pixels[y * image->width + image->width / 2]) > 128;
}

static void
test_square_pixels (void)
{
  static const struct {
    int width, height, n, d, square_width, square_height;
  } all[] = { { 96, 48, 1, 2, 96, 96 },   { 48, 48, 2, 1, 96, 48 },   { 72, 48, 8, 9, 72, 54 },
              { 72, 48, 4, 3, 96, 48 },   { 72, 57, 16, 15, 77, 57 }, { 64, 48, 1, 1, 64, 48 },
              { 64, 48, 5000, 1, 64, 48 } };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    double stretch = (double)all[i].n / all[i].d;
    const double shape[3] = { all[i].width, all[i].height, stretch };
    const FsVideoLook look = { .stretch = stretch, .orientation = 1 };
    g_autofree char *size = g_strdup_printf (",width=%d,height=%d", all[i].width, all[i].height);
    g_autofree char *reported =
        g_strdup_printf (RAW "I420%s,pixel-aspect-ratio=%d/%d", size, all[i].n, all[i].d);
    g_autofree char *untold = g_strconcat (RAW "I420", size, NULL);
    for (int k = 0; k < 2; k++) {
      guint deeds = 0;
      int width, height;
      g_autoptr (FsImage) image = k ? paint (untold, disc, shape, 0, &look, &deeds)
                                    : paint (reported, disc, shape, 0, &plain, &deeds);
      g_assert_cmpint (image->width, ==, all[i].square_width);
      g_assert_cmpint (image->height, ==, all[i].square_height);
      measure (image, &width, &height);
      if (stretch < 5000)
        g_assert_cmpint (ABS (width - height), <=, 2);
      g_assert_cmpuint (deeds, ==,
                        image->width != all[i].width || image->height != all[i].height
                            ? FS_VIDEO_STRETCHED
                            : 0);
      g_assert_cmpint (FS_PIXEL_A (image->pixels[0]), ==, 255);
    }
  }
}

/* Beyond the bounds the longer side gives way. */
static void
test_square_bounds (void)
{
  int width = 10000, height = 3000;
  fs_video_square_size (&width, &height, 2);
  g_assert_cmpint (width, ==, 10000);
  g_assert_cmpint (height, ==, 1500);
  width = 8, height = FS_VIDEO_MAX_SIDE_PX;
  fs_video_square_size (&width, &height, 0.1);
  g_assert_cmpint (width, ==, 1);
  g_assert_cmpint (height, ==, FS_VIDEO_MAX_SIDE_PX);
}

static guint
corner (int component, int x, int y, const void *data)
{
  return component > 0 ? 128 : x < 8 && y < 8 ? 220 : x < 8 ? 120 : 40;
}

static void
test_orientations (void)
{
  guint deeds = 0;
  g_autoptr (FsImage) stored = paint (RAW "Y444" SD, corner, NULL, 0, &plain, &deeds);
  for (int orientation = 1; orientation <= 8; orientation++) {
    const FsVideoLook look = { .stretch = 1, .orientation = orientation };
    g_autoptr (FsImage) image = paint (RAW "Y444" SD, corner, NULL, 0, &look, &deeds);
    FsImage *copy = fs_image_new (stored->width, stored->height);
    memcpy (copy->pixels, stored->pixels, 64 * 48 * 4);
    g_autoptr (FsImage) upright = fs_image_turn_upright (copy, orientation);
    g_assert_cmpint (image->width, ==, orientation > 4 ? 48 : 64);
    g_assert_cmpint (image->width, ==, upright->width);
    g_assert_cmpmem (image->pixels, 64 * 48 * 4, upright->pixels, 64 * 48 * 4);
  }
}

/* One painter for pictures of changing kinds. */
static void
test_changes (void)
{
  static const guint yuv[3] = { 126, 128, 128 }, rgb[3] = { 1, 2, 3 };
  g_autoptr (FsVideoPainter) painter = fs_video_painter_new ();
  guint deeds = 0;
  for (int i = 0; i < 6; i++) {
    g_autoptr (GstSample) sample = i % 2 ? make_sample (RAW "RGB,width=20,height=10", flat, rgb, 0)
                                         : make_sample (RAW "I420" SD, flat, yuv, 0);
    g_autoptr (FsImage) image = fs_video_painter_paint (painter, sample, &plain, &deeds);
    g_assert_cmpint (image->width, ==, i % 2 ? 20 : 64);
    g_assert_cmphex (image->pixels[0], ==, i % 2 ? 0xff010203 : 0xff808080);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  g_test_add_func ("/app/video-picture/colours", test_colours);
  g_test_add_func ("/app/video-picture/greys", test_greys);
  g_test_add_func ("/app/video-picture/rgb", test_rgb);
  g_test_add_func ("/app/video-picture/alpha", test_alpha);
  g_test_add_func ("/app/video-picture/fields", test_fields);
  g_test_add_func ("/app/video-picture/whole-frames", test_whole_frames);
  g_test_add_func ("/app/video-picture/square-pixels", test_square_pixels);
  g_test_add_func ("/app/video-picture/square-bounds", test_square_bounds);
  g_test_add_func ("/app/video-picture/orientations", test_orientations);
  g_test_add_func ("/app/video-picture/changes", test_changes);
  return g_test_run ();
}
