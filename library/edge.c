/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge.h"
#include "library/photo.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* --- Settings --- */

static fretsaw_status
check_range (int32_t value, int32_t min, int32_t max, const char *name, fretsaw_error *error)
{
  return value >= min && value <= max
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID, "%s is %d; it must be %d to %d", name,
                                value, min, max);
}

static fretsaw_status
check_options (const fretsaw_edge_options *own, fretsaw_error *error)
{
  const struct {
    int32_t value, min, max;
    const char *name;
  } ranges[] = {
    { own->width, FRETSAW_EDGE_HARD, FS_EDGE_MAX_WIDTH_PX, "width" },
    { own->shift, -FS_EDGE_MAX_SHIFT_TENTHS, FS_EDGE_MAX_SHIFT_TENTHS, "shift" },
    { own->contrast, 0, 100, "contrast" },
    { own->smooth, 0, FS_EDGE_MAX_SMOOTH_PX, "smooth" },
    { own->background, 0, 100, "background" },
    { own->specks, 0, FS_EDGE_MAX_AREA_PX, "specks" },
    { own->holes, 0, FS_EDGE_MAX_AREA_PX, "holes" },
  };
  fretsaw_status status = FRETSAW_OK;
  for (size_t i = 0; i < G_N_ELEMENTS (ranges) && !status; i++)
    status = check_range (ranges[i].value, ranges[i].min, ranges[i].max, ranges[i].name, error);
  return status;
}

static FsEdgeSettings
make_settings (const fretsaw_edge_options *own)
{
  return (FsEdgeSettings){ .width_px = own->width == 0                   ? FS_EDGE_WIDTH_AUTO
                                       : own->width == FRETSAW_EDGE_HARD ? 0
                                                                         : own->width,
                           .shift_tenths = own->shift,
                           .contrast = own->contrast,
                           .smooth_px = own->smooth,
                           .clean = 100 - own->background,
                           .specks_px = own->specks,
                           .holes_px = own->holes };
}

/* --- The picture --- */

typedef struct {
  FsEdgeInput input;
  uint8_t *mask, *tidy, *zones; /* owned planes, or NULL */
  FsZoneAlpha *alpha;
} Picture;

static void
picture_clear (Picture *picture)
{
  fs_zone_alpha_free (picture->alpha);
  fs_memory_free (picture->mask);
  fs_memory_free (picture->tidy);
  fs_memory_free (picture->zones);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static fretsaw_status
refuse_memory (const fretsaw_photo *photo, fretsaw_error *error)
{
  return fs_library_fail (error, FRETSAW_MEMORY,
                          "not enough memory for the edge of a photo of %d × %d",
                          photo->image->width, photo->image->height);
}

static fretsaw_status
take_zones (Picture *picture, const fretsaw_photo *photo, fretsaw_edge_options *own,
            fretsaw_error *error)
{
  if (!own->zones)
    return FRETSAW_OK;
  size_t width = (size_t)photo->image->width;
  fretsaw_status status =
      fs_library_check_plane (own->zones, &own->zones_stride, width, "zones", error);
  if (status)
    return status;
  picture->input.zones = picture->zones = fs_memory_new (fs_library_count_pixels (photo), 1);
  if (!picture->zones)
    return refuse_memory (photo, error);
  for (int y = 0; y < photo->image->height; y++)
    memcpy (picture->zones + (size_t)y * width, own->zones + y * own->zones_stride, width);
  for (size_t p = 0; p < fs_library_count_pixels (photo); p++)
    if (picture->zones[p] >= FS_EDGE_N_ZONES)
      return fs_library_fail (error, FRETSAW_INVALID,
                              "zones has %d at pixel %zu; it must be 0, 1 or 2", picture->zones[p],
                              p);
  return FRETSAW_OK;
}

static gboolean
make_mask (Picture *picture, const fretsaw_photo *photo)
{
  size_t n = fs_library_count_pixels (photo);
  const FsEdgeSettings *settings = &picture->input.settings;
  picture->input.mask = picture->mask = fs_memory_new (n, 1);
  if (!picture->mask)
    return FALSE;
  for (size_t p = 0; p < n; p++)
    picture->mask[p] = photo->numbers[p] != FS_SEED_BACKGROUND;
  if (settings->specks_px == 0 && settings->holes_px == 0)
    return TRUE;
  picture->tidy = fs_memory_new (n, 1);
  if (!picture->tidy)
    return FALSE;
  fs_edge_tidy_mask (&picture->input, picture->tidy);
  picture->input.mask = picture->tidy;
  return TRUE;
}

static fretsaw_status
render (const fretsaw_photo *photo, fretsaw_edge_options *own, const FsProgress *progress,
        FsImage **image, fretsaw_error *error)
{
  g_auto (Picture) picture = { .input = { .image = photo->image,
                                          .marks = photo->seeds->label,
                                          .settings = make_settings (own) } };
  fretsaw_status status = take_zones (&picture, photo, own, error);
  if (status)
    return status;
  GError *failure = NULL;
  if (!make_mask (&picture, photo))
    return refuse_memory (photo, error);
  if (picture.zones
      && !(picture.alpha = fs_zone_alpha_new (&picture.input, NULL, NULL, 0, progress, &failure)))
    return fs_library_take_error (error, failure);
  const FsRect all = { 0, 0, photo->image->width, photo->image->height };
  *image = fs_edge_render (&picture.input, picture.alpha, all, progress, &failure);
  return *image ? FRETSAW_OK : fs_library_take_error (error, failure);
}

static void
write_row (const uint32_t *from, int width, fretsaw_format format, gboolean keep_hidden,
           uint8_t *to)
{
  for (int x = 0; x < width; x++) {
    uint32_t pixel = keep_hidden || FS_PIXEL_A (from[x]) > 0 ? from[x] : 0;
    if (format == FRETSAW_GREY) {
      to[x] = FS_PIXEL_A (pixel);
      continue;
    }
    uint8_t red = FS_PIXEL_R (pixel), blue = FS_PIXEL_B (pixel);
    to[4 * x] = format == FRETSAW_RGBA ? red : blue;
    to[4 * x + 1] = FS_PIXEL_G (pixel);
    to[4 * x + 2] = format == FRETSAW_RGBA ? blue : red;
    to[4 * x + 3] = FS_PIXEL_A (pixel);
  }
}

fretsaw_status
fretsaw_photo_render (fretsaw_photo *photo, const fretsaw_edge_options *options,
                      const fretsaw_progress *progress, fretsaw_format format, uint8_t *pixels,
                      ptrdiff_t stride, fretsaw_error *error)
{
  FsProgress own_progress;
  fretsaw_edge_options own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (!status)
    status = fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_edge_options, keep_hidden),
                                     options, error);
  if (!status)
    status = check_options (&own, error);
  if (!status)
    status = fs_library_take_progress (&own_progress, progress, error);
  if (status)
    return status;
  if (photo->result == FS_RESULT_NONE || photo->are_labels_newer)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "there is no result of the present labels: update or finish first");
  if (format != FRETSAW_RGBA && format != FRETSAW_BGRA && format != FRETSAW_GREY)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "format is %d; a cut-out is FRETSAW_RGBA, FRETSAW_BGRA or, of alpha "
                            "alone, FRETSAW_GREY",
                            (int)format);
  size_t row = (size_t)photo->image->width * (format == FRETSAW_GREY ? 1 : 4);
  status = fs_library_check_plane (pixels, &stride, row, "pixels", error);
  if (status)
    return status;
  g_autoptr (FsImage) image = NULL;
  status = render (photo, &own, &own_progress, &image, error);
  for (int y = 0; !status && y < image->height; y++)
    write_row (image->pixels + (size_t)y * (size_t)image->width, image->width, format,
               own.keep_hidden, pixels + y * stride);
  return status;
}
