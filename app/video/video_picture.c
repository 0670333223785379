/* SPDX-License-Identifier: MIT */
#include "app/video/video_picture.h"

#include "app/photo/input/orient.h"

#include <gst/video/video.h>
#include <math.h>
#include <stdlib.h>

/* Pixels that are said to be longer than this are a mistake. */
#define MAX_STRETCH 16.0

/* Levels by which a line of the other field leaves both its neighbours to the same side before it
 * is another moment; and pixels to each side that then count as such too. */
enum { COMB_LEVELS = 5, COMB_RADIUS = 4 };

enum { HD_WIDTH = 1280, SD_HEIGHT = 576 };

/* Blue, green, red, and nothing, side by side. */
typedef float Levels __attribute__ ((vector_size (16)));
typedef gint32 Wholes __attribute__ ((vector_size (16)));

/* Levels are the sum of the three components, of 65535 each, times `gain`, and of `level`. */
typedef struct {
  Levels gain[3], level;
} Matrix;

struct _FsVideoPainter {
  GstCaps *caps;              /* that `info` is of */
  GstVideoInfo info;          /* with colours as they are to be taken */
  GstVideoConverter *made[2]; /* for progressive and for interlaced frames */
  GstBuffer *deep;            /* 16 bits a channel, RGB of RGB and YUV of all else */
  GstVideoInfo deep_info;
  Matrix matrix;
};

FsVideoPainter *
fs_video_painter_new (void)
{
  return g_new0 (FsVideoPainter, 1);
}

static void
forget_converters (FsVideoPainter *painter)
{
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&painter->made[i], gst_video_converter_free);
  gst_clear_buffer (&painter->deep);
  gst_clear_caps (&painter->caps);
}

void
fs_video_painter_free (FsVideoPainter *painter)
{
  if (!painter)
    return;
  forget_converters (painter);
  g_free (painter);
}

/* --- colours ---------------------------------------------------------------------------------- */

/* Fills in what is not known yet. */
static void
add_colours (GstVideoColorimetry *to, const char *from)
{
  GstVideoColorimetry more;
  if (!from || !gst_video_colorimetry_from_string (&more, from))
    return;
  if (to->range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    to->range = more.range;
  if (to->matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    to->matrix = more.matrix;
}

static void
choose_colours (GstVideoInfo *info, const GstCaps *caps, const FsVideoLook *look)
{
  GstVideoColorimetry found = { 0 };
  gboolean is_hd = info->width >= HD_WIDTH || info->height > SD_HEIGHT;
  add_colours (&found, gst_structure_get_string (gst_caps_get_structure (caps, 0), "colorimetry"));
  if (found.range == GST_VIDEO_COLOR_RANGE_UNKNOWN && look->range != FS_VIDEO_RANGE_UNKNOWN)
    found.range = look->range == FS_VIDEO_RANGE_FULL ? GST_VIDEO_COLOR_RANGE_0_255
                                                     : GST_VIDEO_COLOR_RANGE_16_235;
  add_colours (&found, look->colours);
  if (found.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN || found.matrix == GST_VIDEO_COLOR_MATRIX_RGB)
    found.matrix = is_hd ? GST_VIDEO_COLOR_MATRIX_BT709 : GST_VIDEO_COLOR_MATRIX_BT601;
  if (found.range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    found.range =
        GST_VIDEO_INFO_IS_GRAY (info) ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235;
  info->colorimetry.range = found.range;
  info->colorimetry.matrix = found.matrix;
}

/* The deep picture's components are the stream's, each widened to 16 bits by repeating its own. */
static void
make_matrix (const GstVideoInfo *info, Matrix *matrix)
{
  double kr = 0.299, kb = 0.114;
  int offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  *matrix = (Matrix){ 0 };
  if (GST_VIDEO_INFO_IS_RGB (info)) {
    for (int k = 0; k < 3; k++)
      matrix->gain[k][2 - k] = 255.0f / 65535;
    return;
  }
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb);
  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset, scale);
  if (GST_VIDEO_INFO_IS_GRAY (info)) {
    offset[1] = offset[2] = 1 << (info->finfo->depth[0] - 1);
    scale[1] = scale[2] = scale[0];
  }
  const double kg = 1 - kr - kb, depth_max = (1 << info->finfo->depth[0]) - 1;
  const double gain[3][3] = { { 1, 2 * (1 - kb), 0 },
                              { 1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg },
                              { 1, 0, 2 * (1 - kr) } };
  for (int i = 0; i < 3; i++) {
    double level = 0;
    for (int k = 0; k < 3; k++) {
      matrix->gain[k][i] = (float)(255 * gain[i][k] / scale[k] * depth_max / 65535);
      level -= 255 * gain[i][k] / scale[k] * offset[k];
    }
    matrix->level[i] = (float)level;
  }
}

static gboolean
use_caps (FsVideoPainter *painter, GstCaps *caps, const FsVideoLook *look)
{
  if (painter->caps && gst_caps_is_equal (painter->caps, caps))
    return TRUE;
  forget_converters (painter);
  if (!gst_video_info_from_caps (&painter->info, caps))
    return FALSE;
  gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (&painter->info);
  if (!is_rgb)
    choose_colours (&painter->info, caps, look);
  make_matrix (&painter->info, &painter->matrix);
  gst_video_info_set_format (&painter->deep_info,
                             is_rgb ? GST_VIDEO_FORMAT_ARGB64 : GST_VIDEO_FORMAT_AYUV64,
                             (guint)painter->info.width, (guint)painter->info.height);
  painter->deep = gst_buffer_new_allocate (NULL, painter->deep_info.size, NULL);
  if (painter->deep)
    painter->caps = gst_caps_ref (caps);
  return painter->deep != NULL;
}

static GstVideoConverter *
get_converter (FsVideoPainter *painter, gboolean is_interlaced)
{
  GstVideoConverter **made = &painter->made[is_interlaced];
  if (*made)
    return *made;
  GstVideoInfo from = painter->info, to = painter->deep_info;
  from.interlace_mode = to.interlace_mode =
      is_interlaced ? GST_VIDEO_INTERLACE_MODE_INTERLEAVED : GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  to.fps_n = from.fps_n;
  to.fps_d = from.fps_d;
  to.colorimetry = from.colorimetry;
  GstStructure *options =
      gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_DITHER_METHOD,
                         GST_TYPE_VIDEO_DITHER_METHOD, GST_VIDEO_DITHER_NONE,
                         GST_VIDEO_CONVERTER_OPT_MATRIX_MODE, GST_TYPE_VIDEO_MATRIX_MODE,
                         GST_VIDEO_MATRIX_MODE_NONE, GST_VIDEO_CONVERTER_OPT_THREADS, G_TYPE_UINT,
                         MIN (g_get_num_processors (), 4), NULL);
  *made = gst_video_converter_new (&from, &to, options);
  return *made;
}

static inline guint32
clamp (gint32 level)
{
  return (guint32)CLAMP (level, 0, 255);
}

/* To the nearest level: they are rounded down, from below 0 up, where they are clamped. TRUE where
 * all are opaque. */
static gboolean
paint_row (const Matrix *m, const guint16 *from, uint32_t *to, int n)
{
  const Levels by_first = m->gain[0], by_second = m->gain[1], by_third = m->gain[2];
  const Levels level = m->level + 0.5f;
  guint16 alpha = G_MAXUINT16;
  for (int x = 0; x < n; x++, from += 4) {
    Levels v = by_first * (float)from[1] + by_second * (float)from[2] + by_third * (float)from[3];
    Wholes whole = __builtin_convertvector(v + level, Wholes);
    alpha &= from[0];
    to[x] = FS_PIXEL (255, clamp (whole[2]), clamp (whole[1]), clamp (whole[0]));
  }
  return alpha == G_MAXUINT16;
}

static FsImage *
convert_frame (FsVideoPainter *painter, GstVideoFrame *frame, gboolean is_interlaced, guint *deeds)
{
  GstVideoFrame deep;
  GstVideoConverter *converter = get_converter (painter, is_interlaced);
  if (!converter || !gst_video_frame_map (&deep, &painter->deep_info, painter->deep, GST_MAP_WRITE))
    return NULL;
  if (is_interlaced)
    frame->flags |= GST_VIDEO_FRAME_FLAG_INTERLACED;
  gst_video_converter_frame (converter, frame, &deep);
  FsImage *image = fs_image_new_whole (painter->info.width, painter->info.height);
  gboolean opaque = TRUE;
  for (int y = 0; image && y < image->height; y++) {
    const guint8 *row = (const guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&deep, 0)
                        + (gssize)y * GST_VIDEO_FRAME_PLANE_STRIDE (&deep, 0);
    /* Not of the first row: GStreamer 1.22 gets the first pixel of deep PNGs wrong. */
    opaque &= paint_row (&painter->matrix, (const guint16 *)(const void *)row,
                         image->pixels + (gsize)y * (gsize)image->width, image->width)
              || y == 0;
  }
  gst_video_frame_unmap (&deep);
  if (!opaque && GST_VIDEO_INFO_HAS_ALPHA (&painter->info))
    *deeds |= FS_VIDEO_TRANSPARENT;
  return image;
}

/* --- fields ----------------------------------------------------------------------------------- */

static gboolean
leaves_both (int above, int value, int below)
{
  return (value > above + COMB_LEVELS && value > below + COMB_LEVELS)
         || (value < above - COMB_LEVELS && value < below - COMB_LEVELS);
}

static gboolean
is_combed (uint32_t above, uint32_t pixel, uint32_t below)
{
  return leaves_both (FS_PIXEL_R (above), FS_PIXEL_R (pixel), FS_PIXEL_R (below))
         || leaves_both (FS_PIXEL_G (above), FS_PIXEL_G (pixel), FS_PIXEL_G (below))
         || leaves_both (FS_PIXEL_B (above), FS_PIXEL_B (pixel), FS_PIXEL_B (below));
}

static uint32_t
mean_pixel (uint32_t p, uint32_t q)
{
  return (p & q) + (((p ^ q) & 0xfefefefeu) >> 1);
}

/* The lines above and below are of the field that stays. */
static void
mend_line (const uint32_t *above, uint32_t *line, const uint32_t *below, int n, guint8 *combed)
{
  for (int x = 0; x < n; x++)
    combed[x] = is_combed (above[x], line[x], below[x]);
  for (int x = -COMB_RADIUS, until = 0; x < n; x++) {
    int ahead = x + COMB_RADIUS;
    if (ahead < n && combed[ahead])
      until = ahead + COMB_RADIUS + 1;
    if (x >= 0 && x < until)
      line[x] = mean_pixel (above[x], below[x]);
  }
}

static void
deinterlace (FsImage *image, gboolean top_first)
{
  gsize n = (gsize)image->width;
  if (image->height < 2)
    return;
  g_autofree guint8 *combed = g_malloc (n);
  for (int y = top_first; y < image->height; y += 2) {
    uint32_t *line = image->pixels + (gsize)y * n;
    const uint32_t *above = y > 0 ? line - n : line + n;
    const uint32_t *below = y + 1 < image->height ? line + n : line - n;
    mend_line (above, line, below, image->width, combed);
  }
}

static gboolean
is_top_first (const GstVideoFrame *frame, const FsVideoLook *look)
{
  if (frame->info.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return look->fields == 1;
  if (frame->info.interlace_mode == GST_VIDEO_INTERLACE_MODE_INTERLEAVED
      && GST_VIDEO_INFO_FIELD_ORDER (&frame->info) != GST_VIDEO_FIELD_ORDER_UNKNOWN
      && !GST_BUFFER_FLAG_IS_SET (frame->buffer, GST_VIDEO_BUFFER_FLAG_TFF))
    return GST_VIDEO_INFO_FIELD_ORDER (&frame->info) == GST_VIDEO_FIELD_ORDER_TOP_FIELD_FIRST;
  return GST_BUFFER_FLAG_IS_SET (frame->buffer, GST_VIDEO_BUFFER_FLAG_TFF);
}

/* --- square pixels ---------------------------------------------------------------------------- */

void
fs_video_square_size (int *width, int *height, double stretch)
{
  double w = *width, h = *height;
  if (!(stretch > 1 / MAX_STRETCH && stretch < MAX_STRETCH))
    return;
  if (stretch > 1)
    w = round (w * stretch);
  else
    h = round (h / stretch);
  if (w > FS_VIDEO_MAX_SIDE_PX || h > FS_VIDEO_MAX_SIDE_PX || w * h > FS_VIDEO_MAX_PIXELS) {
    w = stretch > 1 ? *width : MAX (1, round (*width * stretch));
    h = stretch > 1 ? MAX (1, round (*height / stretch)) : *height;
  }
  *width = (int)w;
  *height = (int)h;
}

static GstBuffer *
wrap (FsImage *image)
{
  gsize n = (gsize)image->width * (gsize)image->height * sizeof *image->pixels;
  return gst_buffer_new_wrapped_full (0, image->pixels, n, 0, n, NULL, NULL);
}

static void
set_info (GstVideoInfo *info, const FsImage *image)
{
  GstVideoFormat format =
      G_BYTE_ORDER == G_LITTLE_ENDIAN ? GST_VIDEO_FORMAT_BGRx : GST_VIDEO_FORMAT_xRGB;
  gst_video_info_set_format (info, format, (guint)image->width, (guint)image->height);
}

static void
resample (FsImage *from, FsImage *to)
{
  GstVideoInfo from_info, to_info;
  GstVideoFrame from_frame, to_frame;
  set_info (&from_info, from);
  set_info (&to_info, to);
  GstStructure *options =
      gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_DITHER_METHOD,
                         GST_TYPE_VIDEO_DITHER_METHOD, GST_VIDEO_DITHER_NONE,
                         GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_VIDEO_RESAMPLER_METHOD,
                         GST_VIDEO_RESAMPLER_METHOD_CUBIC, NULL);
  GstVideoConverter *converter = gst_video_converter_new (&from_info, &to_info, options);
  g_autoptr (GstBuffer) from_buffer = wrap (from);
  g_autoptr (GstBuffer) to_buffer = wrap (to);
  if (gst_video_frame_map (&from_frame, &from_info, from_buffer, GST_MAP_READ)) {
    if (gst_video_frame_map (&to_frame, &to_info, to_buffer, GST_MAP_WRITE)) {
      gst_video_converter_frame (converter, &from_frame, &to_frame);
      gst_video_frame_unmap (&to_frame);
    }
    gst_video_frame_unmap (&from_frame);
  }
  gst_video_converter_free (converter);
}

/* Consumes the reference. */
static FsImage *
make_square (FsImage *image, double stretch, guint *deeds)
{
  int width = image->width, height = image->height;
  fs_video_square_size (&width, &height, stretch);
  if (width == image->width && height == image->height)
    return image;
  FsImage *square = fs_image_new_whole (width, height);
  if (square)
    resample (image, square);
  for (gsize i = 0; square && i < (gsize)width * (gsize)height; i++)
    square->pixels[i] |= 0xff000000u;
  *deeds |= FS_VIDEO_STRETCHED;
  fs_image_unref (image);
  return square;
}

/* --- the whole -------------------------------------------------------------------------------- */

static double
get_stretch (const GstVideoInfo *info, const FsVideoLook *look)
{
  double stretch = info->par_n > 0 && info->par_d > 0 ? (double)info->par_n / info->par_d : 1;
  return stretch == 1 ? look->stretch : stretch;
}

FsImage *
fs_video_painter_paint (FsVideoPainter *painter, GstSample *sample, const FsVideoLook *look,
                        guint *deeds)
{
  g_return_val_if_fail (painter && sample && look && deeds, NULL);
  GstVideoFrame frame;
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  if (!use_caps (painter, gst_sample_get_caps (sample), look)
      || !gst_video_frame_map (&frame, &painter->info, buffer, GST_MAP_READ))
    return NULL;
  gboolean says_nothing = frame.info.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  gboolean is_interlaced =
      GST_VIDEO_FRAME_IS_INTERLACED (&frame) || (says_nothing && look->fields != 0);
  FsImage *image = convert_frame (painter, &frame, is_interlaced, deeds);
  if (image && is_interlaced) {
    deinterlace (image, is_top_first (&frame, look));
    *deeds |= FS_VIDEO_DEINTERLACED;
  }
  gst_video_frame_unmap (&frame);
  if (image)
    image = make_square (image, get_stretch (&painter->info, look), deeds);
  return image ? fs_image_turn_upright (image, look->orientation) : NULL;
}
