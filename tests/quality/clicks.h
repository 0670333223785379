/* SPDX-License-Identifier: MIT */
/* A simulated person who clicks on what is wrong.
 *
 * Source: the protocol of Xu et al. 2016 (Deep interactive object selection) and Sofiiuk et al.
 * 2021: each click lands in the middle of the largest error. Ours takes the largest component (8
 * neighbours) of wrongly cut pixels of either kind, and in it the pixel farthest from everything
 * that is not of the component; what lies beyond the photo is outside. Ties go to the object,
 * then to the first pixel row by row, so that the same masks give the same clicks.
 *
 * A click is a disc; where the truth is thin, a disc that does not leave it, as a person would take
 * a smaller brush.
 */
#ifndef FS_QUALITY_CLICKS_H
#define FS_QUALITY_CLICKS_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

#define QUALITY_CLICK_RADIUS_PX 5.0

typedef struct {
  int x, y;
  double radius_px;
  uint8_t label; /* FS_SEED_OBJECT or FS_SEED_BACKGROUND */
} QualityClick;

/* FALSE where nothing is wrong. */
gboolean quality_click_next (const uint8_t *mask, const uint8_t *truth, int width, int height,
                             QualityClick *click);

/* Paints the disc and sets stroke, width·height bytes, to 1 inside it and 0 elsewhere. */
void quality_click_paint (const QualityClick *click, FsSeedMap *seeds, uint8_t *stroke);

G_END_DECLS

#endif
