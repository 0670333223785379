/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/skin_frames.h"

#include "app/frames/follow/frame_strokes.h"
#include "app/frames/follow/span_cut.h"
#include "energy/frames/frame_span.h"
#include "solver/system/checked_memory.h"

struct _FsSkinFrames {
  FsFrameSpan *span;
  FsFrameBand band;
  FsFrameEnergy energy;
  int width, height; /* of the last frame */
};

FsSkinFrames *
fs_skin_frames_new (int span)
{
  FsSkinFrames *frames = g_new0 (FsSkinFrames, 1);
  frames->span = fs_frame_span_new (span);
  fs_frame_band_init (&frames->band);
  fs_frame_energy_init (&frames->energy);
  return frames;
}

void
fs_skin_frames_free (FsSkinFrames *frames)
{
  if (!frames)
    return;
  fs_frame_span_free (frames->span);
  fs_frame_band_clear (&frames->band);
  fs_frame_energy_clear (&frames->energy);
  g_free (frames);
}

static gboolean
refuse_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory");
  return FALSE;
}

/* Adds a frame to the span, by a cut of its own, which goes to `mask`. */
static gboolean
add_frame (FsSkinFrames *frames, FsImage *image, uint8_t *mask, GError **error)
{
  g_autoptr (FsEnergy) energy = fs_frame_cut_skin_energy (image, mask, error);
  if (!energy)
    return FALSE;
  if (image->width != frames->width || image->height != frames->height)
    fs_frame_span_clear (frames->span);
  frames->width = image->width;
  frames->height = image->height;
  FsMovedMask still = { mask, image->width, image->height, 0, 0 };
  FsRect window = { -1, -1, image->width + 1, image->height + 1 };
  gboolean done =
      fs_frame_band_make (&frames->band, &still, window,
                          fs_frame_band_half_width_px (image->width, image->height))
      && fs_frame_energy_take (&frames->energy, image, &frames->band, fs_energy_get_grid (energy))
      && fs_frame_span_add (frames->span, image, &frames->band, &frames->energy);
  return done || refuse_memory (error);
}

gboolean
fs_skin_frames_go_on (FsSkinFrames *frames, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (frames && image && mask, FALSE);
  g_autofree uint8_t *own = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!own)
    return refuse_memory (error);
  if (!add_frame (frames, image, own, error))
    return FALSE;
  fs_frame_span_set_mask (frames->span, mask);
  return TRUE;
}

/* The labels of the window's free pixels. */
static void
write_free (const FsFrameBand *band, const uint8_t *cut, uint8_t *mask, int width)
{
  for (int y = 0; y < band->height; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
        mask[(ptrdiff_t)(y + band->window.y0) * width + x + band->window.x0] =
            cut[(ptrdiff_t)y * band->width + x];
}

gboolean
fs_skin_frames_next (FsSkinFrames *frames, FsImage *image, uint8_t *mask, GError **error)
{
  g_return_val_if_fail (frames && image && mask, FALSE);
  if (!add_frame (frames, image, mask, error))
    return FALSE;
  FsSequenceStep step = { 0 };
  uint8_t *cut = fs_memory_new ((size_t)frames->band.width * (size_t)frames->band.height, 1);
  gboolean done = cut ? fs_span_cut (frames->span, cut, &step, error) : refuse_memory (error);
  if (done && !step.solution.exact) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                         "the cut could not be proven minimal");
    done = FALSE;
  }
  if (done) {
    write_free (&frames->band, cut, mask, image->width);
    fs_frame_span_set_mask (frames->span, mask);
  }
  fs_memory_free (cut);
  return done;
}
