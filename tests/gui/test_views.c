/* SPDX-License-Identifier: MIT */
/* What each view makes of a pixel, and photos wider than a Cairo surface may be. */
#include "ui/canvas/tools.h"
#include "ui/canvas/brush_cursor.h"
#include "ui/view/views.h"

#include <math.h>
#include <string.h>

#define W 8

/* Grey pixels; the right half is object; pixel 1 is marked background, pixel 6 object. */
typedef struct {
  uint32_t photo[W];
  uint8_t mask[W];
  uint8_t mark[W];
} Strip;

static FsPyramidLevel
strip_level (Strip *strip)
{
  for (int x = 0; x < W; x++) {
    strip->photo[x] = 0xff808080;
    strip->mask[x] = x >= W / 2;
    strip->mark[x] = x == 1 ? FS_SEED_BACKGROUND : x == 6 ? FS_SEED_OBJECT : 0;
  }
  return (FsPyramidLevel){
    .width = W,
    .height = 1,
    .photo = strip->photo,
    .mask = strip->mask,
    .mark = strip->mark,
    .mask_unit = 1,
  };
}

static FsViewStyle
style_of (FsView view)
{
  g_autoptr (FsTools) tools = fs_tools_new ();
  FsViewStyle style = fs_tools_get_style (tools);
  style.labels = NULL; /* the tools' own */
  style.view = view;
  return style;
}

static void
compose (const FsPyramidLevel *level, FsView view, uint32_t *out)
{
  FsViewStyle style = style_of (view);
  fs_view_compose (level, &style, &(FsRect){ 0, 0, W, 1 }, out, W);
}

static int
distance (uint32_t a, uint32_t b)
{
  return ABS (FS_PIXEL_R (a) - FS_PIXEL_R (b)) + ABS (FS_PIXEL_G (a) - FS_PIXEL_G (b))
         + ABS (FS_PIXEL_B (a) - FS_PIXEL_B (b));
}

static void
test_marks (void)
{
  Strip strip;
  uint32_t out[W];
  FsPyramidLevel level = strip_level (&strip);
  compose (&level, FS_VIEW_MARKS, out);
  g_assert_cmphex (out[0], ==, 0xff808080);
  g_assert_cmphex (out[7], ==, 0xff808080);
  uint32_t background = fs_view_label_colour (FS_SEED_BACKGROUND);
  uint32_t object = fs_view_label_colour (FS_SEED_OBJECT);
  g_assert_cmpint (distance (out[1], background), <, distance (out[1], object));
  g_assert_cmpint (distance (out[6], object), <, distance (out[6], background));
}

static void
test_overlay (void)
{
  Strip strip;
  uint32_t out[W], marks[W];
  FsPyramidLevel level = strip_level (&strip);
  compose (&level, FS_VIEW_MARKS, marks);
  compose (&level, FS_VIEW_OVERLAY, out);
  g_assert_cmphex (out[5], ==, 0xff808080);
  g_assert_cmphex (out[6], ==, marks[6]);
  g_assert_cmpint (FS_PIXEL_G (out[2]), <, 0x60);

  level.mask = NULL;
  compose (&level, FS_VIEW_OVERLAY, out);
  g_assert_cmpmem (out, sizeof out, marks, sizeof marks);
}

static void
test_cutout (void)
{
  Strip strip;
  uint32_t out[W];
  FsPyramidLevel level = strip_level (&strip);
  compose (&level, FS_VIEW_CUTOUT, out);
  for (int x = 0; x < W; x++)
    g_assert_cmphex (out[x], ==, x >= W / 2 ? 0xff808080 : 0);

  uint8_t coverage[W] = { 128, 128, 128, 128, 128, 128, 128, 128 };
  level.mask = coverage;
  level.mask_unit = 255;
  compose (&level, FS_VIEW_CUTOUT, out);
  g_assert_cmphex (out[0], ==, 0x80404040);
}

static void
test_mask (void)
{
  Strip strip;
  uint32_t out[W];
  FsPyramidLevel level = strip_level (&strip);
  compose (&level, FS_VIEW_MASK, out);
  for (int x = 0; x < W; x++)
    g_assert_cmphex (out[x], ==, x >= W / 2 ? 0xffffffff : 0xff000000);
}

static cairo_surface_t *
paint (const FsPyramid *pyramid, FsView view, const FsViewTransform *t)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, t->view_width, t->view_height);
  cairo_t *cr = cairo_create (surface);
  FsViewScratch scratch = { 0 };
  FsViewStyle style = style_of (view);
  fs_view_paint (pyramid, &style, t, &(FsRect){ 0, 0, t->view_width, t->view_height }, &scratch,
                 cr);
  fs_view_scratch_clear (&scratch);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static uint32_t
pixel_at (cairo_surface_t *surface, int x, int y)
{
  unsigned char *row =
      cairo_image_surface_get_data (surface) + (size_t)y * cairo_image_surface_get_stride (surface);
  uint32_t pixel;
  memcpy (&pixel, row + 4 * x, sizeof pixel);
  return pixel & 0xffffff;
}

/* At 1:1 every pixel comes out as it is, at both ends of a photo wider than 32,767. */
static void
test_wide (void)
{
  int width = 40000;
  g_autoptr (FsImage) image = fs_image_new (width, 3);
  for (int i = 0; i < 3 * width; i++)
    image->pixels[i] = 0xff000000u | (uint32_t)(i % width);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  FsViewTransform t;
  fs_view_transform_init (&t, width, 3, 600, 50, 1);

  cairo_surface_t *all = paint (pyramid, FS_VIEW_MARKS, &t);
  cairo_surface_destroy (all);
  fs_view_transform_zoom_to (&t, 1, 300, 25);
  double ends[] = { 1e9, -1e9 };
  for (int i = 0; i < 2; i++) {
    fs_view_transform_pan (&t, ends[i], 0);
    cairo_surface_t *end = paint (pyramid, FS_VIEW_MARKS, &t);
    int y = (int)t.y + 1;
    for (int x = MAX ((int)t.x, 0); x < MIN ((int)t.x + width, 600); x++)
      g_assert_cmphex (pixel_at (end, x, y), ==, (uint32_t)(x - (int)t.x));
    cairo_surface_destroy (end);
  }
}

/* Blocks and their aprons leave no seam: a smooth photo stays smooth at an odd zoom. */
static void
test_no_seams (void)
{
  int size = 1500;
  g_autoptr (FsImage) image = fs_image_new (size, size);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      image->pixels[y * size + x] = FS_PIXEL (255, x * 255 / size, y * 255 / size, 0);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  FsViewTransform t;
  fs_view_transform_init (&t, size, size, 700, 700, 1);
  double zooms[] = { 0.4667, 0.83, 2.7 };
  for (int i = 0; i < 3; i++) {
    fs_view_transform_zoom_to (&t, zooms[i], 350, 350);
    cairo_surface_t *surface = paint (pyramid, FS_VIEW_MARKS, &t);
    for (int y = 1; y < 700; y++)
      for (int x = 1; x < 700; x++) {
        uint32_t p = pixel_at (surface, x, y);
        g_assert_cmpint (distance (p, pixel_at (surface, x - 1, y)), <=, 3);
        g_assert_cmpint (distance (p, pixel_at (surface, x, y - 1)), <=, 3);
      }
    cairo_surface_destroy (surface);
  }
}

/* Several objects have each a colour: a tint in the overlay, all of it in the mask, taken from the
 * whole photo on every level. What is of none yet looks as one object would. */
static void
test_objects (void)
{
  Strip strip;
  uint32_t plain[W], out[W];
  uint8_t numbers[3 * 2 * W];
  FsPyramidLevel level = strip_level (&strip);
  level.mark = NULL;
  compose (&level, FS_VIEW_OVERLAY, plain);
  memset (numbers, 9, sizeof numbers);
  for (int x = 0; x < W; x++) { /* in the row that the level's shows */
    numbers[2 * x] = x < W / 2 ? FS_SEED_BACKGROUND : x < 6 ? FS_SEED_OBJECT : FS_SEED_OBJECT + 1;
    numbers[2 * x] = x == 7 ? FS_SEED_BACKGROUND : numbers[2 * x];
  }
  level.numbers = numbers;
  level.numbers_width = 2 * W;
  level.numbers_height = 2;
  level.shift = 1;
  compose (&level, FS_VIEW_OVERLAY, out);
  uint32_t first = fs_view_label_colour (FS_SEED_OBJECT);
  uint32_t second = fs_view_label_colour (FS_SEED_OBJECT + 1);
  g_assert_cmpmem (out, W / 2 * sizeof *out, plain, W / 2 * sizeof *out);
  g_assert_cmphex (out[7], ==, plain[7]);
  g_assert_cmpint (distance (out[4], first), <, distance (plain[4], first));
  g_assert_cmpint (distance (out[6], second), <, distance (plain[6], second));
  g_assert_cmpint (distance (out[4], first), <, distance (out[6], first));
  compose (&level, FS_VIEW_MASK, out);
  g_assert_cmphex (out[3], ==, 0xff000000);
  g_assert_cmphex (out[5], ==, 0xff000000 | first);
  g_assert_cmphex (out[6], ==, 0xff000000 | second);
  g_assert_cmphex (out[7], ==, 0xffffffff);
  level.shift = 5; /* beyond the last column */
  compose (&level, FS_VIEW_MASK, out);
  g_assert_cmphex (out[6], ==, 0xff000000 | fs_view_label_colour (9));
}

/* Labels have the colours that the style gives them; a hidden object looks like background. */
static void
test_labels (void)
{
  Strip strip;
  uint32_t plain[W], out[W];
  uint8_t numbers[W];
  FsViewLabels labels;
  FsPyramidLevel level = strip_level (&strip);
  FsViewStyle style = style_of (FS_VIEW_MASK);
  const FsRect window = { 0, 0, W, 1 };
  level.mark = NULL;
  level.numbers_width = W;
  level.numbers_height = 1;
  memset (numbers, FS_SEED_OBJECT, sizeof numbers);
  numbers[6] = FS_SEED_OBJECT + 1;
  fs_view_labels_reset (&labels);
  labels.rgb[FS_SEED_OBJECT] = 0x123456;
  style.labels = &labels;
  level.numbers = numbers;
  fs_view_compose (&level, &style, &window, out, W);
  g_assert_cmphex (out[5], ==, 0xff123456);
  style.view = FS_VIEW_OVERLAY;
  fs_view_compose (&level, &style, &window, plain, W);
  labels.is_hidden[FS_SEED_OBJECT + 1] = 1;
  fs_view_compose (&level, &style, &window, out, W);
  g_assert_cmphex (out[5], ==, plain[5]);
  g_assert_cmphex (out[6], !=, plain[6]);
  style.view = FS_VIEW_CUTOUT;
  fs_view_compose (&level, &style, &window, out, W);
  g_assert_cmpuint (out[6] >> 24, ==, 0);
  g_assert_cmpuint (out[5] >> 24, ==, 255);
}

/* Nine objects have distinct colours. */
static void
test_colours (void)
{
  for (int a = 1; a <= FS_TOOLS_MAX_OBJECTS; a++)
    for (int b = 0; b < a; b++) {
      uint8_t other = b == 0 ? FS_SEED_BACKGROUND : fs_tools_object_label (b);
      uint32_t colour = fs_view_label_colour (fs_tools_object_label (a));
      g_assert_cmpint (distance (colour, fs_view_label_colour (other)), >, 100);
    }
}

/* A circle of the brush on one colour: how far its most different pixel is from that, all around.
 */
static int
least_contrast (uint32_t ground, double radius)
{
  enum { SIDE = 64 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, FS_PIXEL_R (ground) / 255.0, FS_PIXEL_G (ground) / 255.0,
                        FS_PIXEL_B (ground) / 255.0);
  cairo_paint (cr);
  fs_brush_cursor_draw (cr, SIDE / 2, SIDE / 2, radius, FS_SEED_OBJECT);
  cairo_surface_flush (surface);
  int min = 255;
  for (int angle = 0; angle < 360; angle += 5) {
    int max = 0;
    for (double r = radius - 3; r <= radius + 3; r += 0.5) {
      int x = (int)(SIDE / 2 + r * cos (angle * G_PI / 180));
      int y = (int)(SIDE / 2 + r * sin (angle * G_PI / 180));
      uint32_t p =
          ((const uint32_t *)(const void *)(cairo_image_surface_get_data (surface)
                                            + y * cairo_image_surface_get_stride (surface)))[x];
      max = MAX (max, ABS (FS_PIXEL_G (p) - FS_PIXEL_G (ground)));
    }
    min = MIN (min, max);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return min;
}

static void
test_brush_cursor (void)
{
  for (int grey = 0; grey <= 255; grey += 15)
    for (double radius = 4; radius < 30; radius += 6.5)
      g_assert_cmpint (least_contrast (FS_PIXEL (0, grey, grey, grey), radius), >=, 90);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/views/marks", test_marks);
  g_test_add_func ("/views/overlay", test_overlay);
  g_test_add_func ("/views/cutout", test_cutout);
  g_test_add_func ("/views/mask", test_mask);
  g_test_add_func ("/views/wide", test_wide);
  g_test_add_func ("/views/no-seams", test_no_seams);
  g_test_add_func ("/views/objects", test_objects);
  g_test_add_func ("/views/labels", test_labels);
  g_test_add_func ("/views/colours", test_colours);
  g_test_add_func ("/views/brush-cursor", test_brush_cursor);
  return g_test_run ();
}
