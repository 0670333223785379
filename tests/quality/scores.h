/* SPDX-License-Identifier: MIT */
/* How good a mask is, measured against the truth.
 *
 * Truth planes: 0 background, 255 object, 128 ignored (pixels that hold both). Masks: 0 or 1.
 */
#ifndef FS_QUALITY_SCORES_H
#define FS_QUALITY_SCORES_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum { QUALITY_TRUTH_BACKGROUND = 0, QUALITY_TRUTH_IGNORED = 128, QUALITY_TRUTH_OBJECT = 255 };

typedef struct {
  double error;    /* wrong pixels as a share of the unknown ones, ignored pixels apart */
  double iou;      /* intersection over union of all pixels, ignored ones apart         */
  double boundary; /* harmonic mean of precision and recall of the border within 2 px   */
} QualityScores;

/* `unknown` is 1 where the start said nothing; NULL: everywhere. A pixel is on the border when the
 * pixel right of it or below it is on the other side; ignored pixels of the truth count as object
 * there. */
QualityScores quality_scores (const uint8_t *mask, const uint8_t *truth, const uint8_t *unknown,
                              int width, int height);

double quality_iou (const uint8_t *mask, const uint8_t *truth, size_t n);

G_END_DECLS

#endif
