/* SPDX-License-Identifier: MIT */
/* Cut of several objects from each other and the background.   Layer: cut.
 *
 * Threads: any; blocks.
 */
#ifndef FS_CUT_MULTI_OBJECT_CUT_H
#define FS_CUT_MULTI_OBJECT_CUT_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/expansion/expansion.h"

G_BEGIN_DECLS

typedef struct {
  const FsBackend *backend;
  const FsProgress *progress; /* or NULL */
  gboolean verify;            /* check the certificate of every cut */
  int n_cycles;               /* out: begun                         */
  int64_t energy;             /* out: of the labels                 */
  int64_t bound;              /* out: of every labelling's energy   */
  gint64 model_us, cut_us;
} FsObjectsCut;

/* The number of different objects that the seeds name. */
int fs_cut_count_objects (const FsSeedMap *seeds);

/* Bytes that fs_cut_objects takes at most, about, beside image, seeds and numbers. */
size_t fs_cut_objects_forecast_bytes (size_t n_pixels, int n_objects);

/* Gives each of the W·H pixels the number of an object or of the background. With several objects,
 * specks go to the label around them (label_specks.h); with a finished mask as guess, to another
 * object. `guess` may be NULL. Errors: FS_SOLVER_ERROR. */
gboolean fs_cut_objects (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                         FsGuess *guess, FsObjectsCut *cut, uint8_t *numbers, GError **error);

G_END_DECLS

#endif
