/* SPDX-License-Identifier: MIT */
/* Cuts a photo by a named method: one of the program's models, or OpenCV's grabCut where this
 * program was built with it.
 *
 *   kmeans …            a model of energy/image/settings.h: what `fretsaw cut` does
 *   opencv              grabCut, unknown pixels start on the side of the nearest seed
 *   opencv-background   grabCut, unknown pixels start as background
 *
 * With a box or a lasso both of OpenCV's start with the unknown pixels as object, on the photo
 * cropped to what the lasso surrounds.
 */
#ifndef FS_QUALITY_CUTTER_H
#define FS_QUALITY_CUTTER_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "tests/quality/start.h"

G_BEGIN_DECLS

typedef struct {
  const char *method;
  FsImage *image;
  const QualityStart *start;
  int n_iterations; /* OpenCV's */
  FsGuess *guess;   /* NULL for none */

  /* Stability: the mask before the stroke (0 or 1) and the pixels of the stroke (1). Both NULL:
   * the cut knows nothing of what was there before. */
  const uint8_t *previous;
  const uint8_t *stroke;
} QualityRequest;

typedef struct {
  double ms; /* processor time, photo decoding apart */
  gboolean exact;
  int64_t n_star_violations; /* of the first cut: object pixels whose parent is background */
} QualityCut;

/* `mask` gets width·height bytes, 0 or 1. Errors: an unknown method, and the solver's. */
gboolean quality_cut (const QualityRequest *request, uint8_t *mask, QualityCut *cut,
                      GError **error);

/* Whether the method is there: FALSE with an error that says what there is. */
gboolean quality_method_check (const char *method, GError **error);

G_END_DECLS

#endif
