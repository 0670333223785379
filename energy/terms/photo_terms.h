/* SPDX-License-Identifier: MIT */
/* Terms that follow from the photo and the settings alone.   Layer: energy.
 *
 * Made once and shared by every energy of the photo: the n-links, the colours that occur, and
 * whatever else a model wants to keep of the photo. Reference counted; immutable once made, so any
 * thread may read it, but for n-links that wait for somebody who needs them (nlinks.h).
 */
#ifndef FS_ENERGY_TERMS_PHOTO_TERMS_H
#define FS_ENERGY_TERMS_PHOTO_TERMS_H

#include "energy/image/image.h"
#include "energy/image/settings.h"
#include "energy/terms/model_class.h"
#include "solver/grid.h"
#include "solver/link_source.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* What the n-links were made by, for others who make them (solver/link_source.h). */
typedef struct {
  const FsWordSpace *space; /* static, or NULL for RGB */
  FsDistanceScale scale;
  guint n_entries;
  const uint16_t *straight, *diagonal; /* in `tables` */
  gpointer tables;                     /* g_free      */
} FsNlinkTables;

struct _FsScene {
  FsImage *image;
  FsSettings settings;
  uint16_t *nlink[FS_N_DIRECTIONS]; /* [H·W] each; NULL for directions that are not used */
  gint has_nlinks;                  /* atomic: whether they are there */
  GMutex making;                    /* of whoever makes them          */
  FsNlinkTables tables;             /* of them, by the model */
  guint64 number;                   /* no other scene of the process has it */
  const uint32_t *bins; /* [n_bins] the colours that occur (colour_histogram.h), ascending */
  size_t n_bins;
  const FsModelClass *model; /* the class of the settings' model    */
  gpointer kept;             /* what it keeps of the photo, or NULL */
};

/* `model`: the class of the settings' model (models/registry.h). Takes a reference to the image.
 * Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsScene *fs_scene_new (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                       const FsProgress *progress, GError **error);
/* The same without n-links, of which the tables alone are made. */
FsScene *fs_scene_new_told (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                            const FsProgress *progress, GError **error);
FsScene *fs_scene_ref (FsScene *scene);
void fs_scene_unref (FsScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsScene, fs_scene_unref)

static inline int
fs_scene_n_directions (const FsScene *scene)
{
  return scene->settings.neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
}

static inline size_t
fs_scene_n_pixels (const FsScene *scene)
{
  return (size_t)scene->image->width * (size_t)scene->image->height;
}

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_scene_allocate_nlinks (FsScene *scene, GError **error);

/* Sets FS_SOLVER_ERROR_MEMORY, with the photo's size in words. Returns FALSE. */
gboolean fs_scene_refuse_size (const FsImage *image, GError **error);

G_END_DECLS

#endif
