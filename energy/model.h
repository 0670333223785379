/* SPDX-License-Identifier: MIT */
/* What the energy asks of a model of the seeds.   Layer: energy.
 *
 * A model turns seeds into the data term of the pixels that carry none: a number for each colour
 * of the photo. The energy looks it up, and knows nothing else of what the model thinks. Each model
 * lies in a file of its own, NAME_model.c, and gives a class:
 *
 *   kmeans   kmeans_model.c, clusters of each side's colours
 *
 * Everything is a function of the photo, the settings and the seeds, the same bits everywhere:
 * floating point only while tables are made, in a fixed order.
 *
 * Threads: one at a time per model; models of one scene may be used by different threads.
 */
#ifndef FS_ENERGY_MODEL_H
#define FS_ENERGY_MODEL_H

#include "energy/colour_histogram.h"
#include "energy/scene.h"
#include "energy/seed_map.h"

G_BEGIN_DECLS

/* The part of every model that the energy reads. */
typedef struct {
  FsScene *scene;     /* borrowed: it outlives the model */
  int16_t *by_colour; /* [FS_COLOUR_BINS]: the t-link of each of the scene's bins */
  gboolean known[2];  /* whether the last fit had seeds of the background, of the object */
} FsModel;

struct _FsModelClass {
  int32_t soft_tlink; /* no pixel without a seed has a |t| above this */

  /* Fills the scene's n-links, which are allocated. Errors: FS_SOLVER_ERROR_CANCELLED. */
  gboolean (*fill_nlinks) (FsScene *scene, const FsProgress *progress, GError **error);

  /* What every model of the scene shares, once it has n-links and bins; both NULL for nothing.
   * Errors: FS_SOLVER_ERROR. */
  gpointer (*keep_photo) (FsScene *scene, const FsProgress *progress, GError **error);
  void (*forget_photo) (gpointer kept);

  /* `by_colour` and `scene` are set by fs_model_new, and its owner frees them. */
  size_t size_bytes; /* of the struct that begins with FsModel */
  gboolean (*init) (FsModel *model, GError **error);
  void (*clear) (FsModel *model);

  /* Sets known and by_colour. There is at least one seed. */
  void (*fit) (FsModel *model, const FsSeedMap *seeds);
};

extern const FsModelClass fs_model_kmeans;

const FsModelClass *fs_model_class (FsModelKind kind);

/* Everything 0 at first. Errors: FS_SOLVER_ERROR_MEMORY. */
FsModel *fs_model_new (FsScene *scene, GError **error);
void fs_model_free (FsModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsModel, fs_model_free)

/* Sets known and by_colour; without any seed all is 0. */
void fs_model_fit (FsModel *model, const FsSeedMap *seeds);

/* Index into known[]: labels above 2 count as object. */
static inline int
fs_model_side (uint8_t label)
{
  return label == FS_SEED_BACKGROUND ? 0 : 1;
}

G_END_DECLS

#endif
