/* SPDX-License-Identifier: MIT */
/* Energy of a photo with seeds of several objects: data costs and pair costs of labels.
 * Layer: energy.
 *
 * Label 0 is background, label i > 0 the i-th object, in the order of the seeds' numbers. Each
 * object has a colour model of its own: the settings' (energy.h), without a star, fitted to its
 * seeds against all others. With t_i the t-links of that model, positive towards the object,
 *
 *   D(0) = 0,  D(i) = −t_i,  shifted so that the least is 0;  V = w_pq where labels differ
 *
 * with the settings' n-links for w. A seed costs nothing with its own label and, with any other,
 * more than all its pairs together. For one object that is the binary energy, and expansions from
 * fs_objects_start end in the binary cut's canonical mask, bit for bit.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_LABELS_LABELS_OBJECTS_H
#define FS_ENERGY_LABELS_LABELS_OBJECTS_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/expansion/move/label_problem.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct _FsObjects FsObjects;

/* Fits all models. Takes a reference to the image. There must be an object's seeds. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
FsObjects *fs_objects_new (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                           GError **error);

/* The same with a first guess (guess.h), which may be NULL. Each object's energy weighs it with
 * that object's seeds and, as background, those of all others. So the guess's object components go
 * to the objects whose seeds touch them; those that no seed touches go to none. `progress` may be
 * NULL. Errors: also FS_SOLVER_ERROR_CANCELLED. */
FsObjects *fs_objects_new_guessed (FsImage *image, const FsSettings *settings,
                                   const FsSeedMap *seeds, FsGuess *guess,
                                   const FsProgress *progress, GError **error);

/* The same within a known mask. `bounds`, W·H bytes, has the number that a pixel is fixed to, one
 * of the seeds' or the background's, or FS_SEED_NONE where it may be any object's. The models are
 * those of the seeds. With two objects expansions from fs_objects_start end in the minimum within
 * these bounds. fs_objects_change ignores them. */
FsObjects *fs_objects_new_within (FsImage *image, const FsSettings *settings,
                                  const FsSeedMap *seeds, const uint8_t *bounds,
                                  const FsProgress *progress, GError **error);
void fs_objects_free (FsObjects *objects);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsObjects, fs_objects_free)

/* The problem to bind an expansion to; owned by the objects. */
const FsLabelProblem *fs_objects_get_problem (const FsObjects *objects);

/* The seeds' number of a label: 1 for background. */
uint8_t fs_objects_get_number (const FsObjects *objects, int label);

/* The start of expansions: background everywhere or, with one object, the object. And the best
 * order of all labels: background, then the objects by the number of pixels for which they are the
 * cheapest one, fewest first. */
void fs_objects_start (const FsObjects *objects, uint8_t *labels, uint8_t *order);

/* Sets the data costs of n pixels whose seeds have changed, while the models stay as they are;
 * there may be no new numbers among the seeds. The change is to be passed to the expansion
 * (fs_expansion_change_data). Cost O(n · labels). */
void fs_objects_change (FsObjects *objects, const FsSeedMap *seeds, const uint32_t *pixels,
                        size_t n);

G_END_DECLS

#endif
