/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/lost_signs.h"

#include "app/frames/follow/sequence_window.h"
#include "app/frames/follow/previous_background.h"

/* Limits of the fraction of a mask that shows the first frame's background. */
#define DOUBTFUL_BACKGROUND 0.5
#define LOST_BACKGROUND     0.75
/* Limits of the likeness to the first object's colours, and of the blending with the others. */
#define DOUBTFUL_LIKENESS 0.55
#define LOST_LIKENESS     0.45
#define BLENDING          0.15
/* With this overlap of colours inside the object it is not lost, and the rest is not measured. */
#define SURE_LIKENESS 0.7
/* The limit of a mask's size, as a fraction of the first mask's. */
#define MIN_SIZE 0.05

void
fs_lost_scratch_init (FsLostScratch *scratch)
{
  fs_frame_band_init (&scratch->band);
}

void
fs_lost_scratch_clear (FsLostScratch *scratch)
{
  fs_frame_band_clear (&scratch->band);
}

/* An object too thin for samples of its own colours is not checked. */
static gboolean
compare_colours (FsLostSigns *signs, const FsSideTables *first, const FsMarkedFrame *now,
                 FsLostScratch *scratch)
{
  const FsImage *image = now->image;
  FsMovedMask still = { now->mask, image->width, image->height, 0, 0 };
  FsSideTables *tables = &scratch->tables;
  FsRect object = fs_frame_band_find_object (now->mask, image->width, image->height);
  FsRect need = fs_sequence_window_need (object, (FsShift){ 0, 0 }, image);
  if (!fs_frame_band_make (&scratch->band, &still, fs_rect_grow (need, 1, 1),
                           fs_frame_band_half_width_px (image->width, image->height)))
    return FALSE;
  fs_frame_colours_of_mask (tables, image, &scratch->band);
  if (tables->side[0].total == 0 || tables->side[1].total == 0 || first->side[0].total == 0
      || first->side[1].total == 0)
    return TRUE;
  signs->likeness = fs_frame_colours_overlap (&first->side[1], &tables->side[1]);
  signs->blending = fs_frame_colours_overlap (&tables->side[0], &tables->side[1])
                    - fs_frame_colours_overlap (&first->side[0], &first->side[1]);
  return TRUE;
}

gboolean
fs_lost_signs_measure (FsLostSigns *signs, const FsMarkedFrame *first, const FsSideTables *colours,
                       const FsSideTables *sure, const FsMarkedFrame *now, FsLostScratch *scratch)
{
  g_return_val_if_fail (signs && first && colours && now && scratch, FALSE);
  *signs = (FsLostSigns){ .likeness = 1 };
  if (first->n_object == 0 || now->n_object == 0)
    return TRUE;
  signs->size = (double)now->n_object / (double)first->n_object;
  signs->background =
      fs_previous_background_fraction (first->image, first->mask, now->image, now->mask);
  if (sure->side[1].total > 0
      && fs_frame_colours_overlap (&colours->side[1], &sure->side[1]) >= SURE_LIKENESS)
    return TRUE;
  return compare_colours (signs, colours, now, scratch);
}

FsLostClass
fs_lost_signs_classify (const FsLostSigns *signs)
{
  gboolean blends = signs->blending >= BLENDING;
  if (signs->background >= LOST_BACKGROUND)
    return FS_LOST_BACKGROUND;
  if (blends && signs->likeness <= LOST_LIKENESS)
    return FS_LOST_COLOURS;
  if (signs->background >= DOUBTFUL_BACKGROUND || (blends && signs->likeness <= DOUBTFUL_LIKENESS))
    return FS_LOST_DOUBTFUL;
  return signs->size < MIN_SIZE ? FS_LOST_SMALL : FS_LOST_THERE;
}
