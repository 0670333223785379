/* SPDX-License-Identifier: MIT */
/* Terms that follow from the photo and the settings alone.   Layer: energy.
 *
 * Made once and shared by every energy of the photo: the n-links, the colours that occur, and
 * whatever else a model needs of the photo. Reference counted; immutable once made, so any thread
 * may read it, but for n-links that wait for somebody who needs them (nlinks.h). */
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

struct _FsPhotoTerms {
  FsImage *image;
  FsSettings settings;
  uint16_t *nlink[FS_N_DIRECTIONS]; /* [H·W] each; NULL for directions that are not used */
  gint has_nlinks;                  /* atomic: whether they are there */
  GMutex making;                    /* of whoever makes them          */
  FsNlinkTables tables;             /* of them, by the model */
  guint64 number;                   /* no other terms of the process have it */
  const uint32_t *bins; /* [n_bins] the colours that occur (colour_histogram.h), ascending */
  size_t n_bins;
  const FsModelClass *model; /* the class of the settings' model    */
  gpointer model_photo;      /* its data of the photo, or NULL */
};

/* Errors: FS_SOLVER_ERROR_INVALID (a setting that is none, an image without pixels). */
gboolean fs_photo_terms_are_possible (const FsImage *image, const FsSettings *settings,
                                      GError **error);

/* `model`: the class of the settings' model (models/registry.h). Takes a reference to the image.
 * Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsPhotoTerms *fs_photo_terms_new (FsImage *image, const FsSettings *settings,
                                  const FsModelClass *model, const FsProgress *progress,
                                  GError **error);
/* The same without n-links, of which the tables alone are made. */
FsPhotoTerms *fs_photo_terms_new_implicit (FsImage *image, const FsSettings *settings,
                                           const FsModelClass *model, const FsProgress *progress,
                                           GError **error);
FsPhotoTerms *fs_photo_terms_ref (FsPhotoTerms *terms);
void fs_photo_terms_unref (FsPhotoTerms *terms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoTerms, fs_photo_terms_unref)

static inline int
fs_photo_terms_n_directions (const FsPhotoTerms *terms)
{
  return terms->settings.neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
}

static inline size_t
fs_photo_terms_n_pixels (const FsPhotoTerms *terms)
{
  return (size_t)terms->image->width * (size_t)terms->image->height;
}

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_photo_terms_allocate_nlinks (FsPhotoTerms *terms, GError **error);

/* Sets FS_SOLVER_ERROR_MEMORY, with the photo's size in words. Returns FALSE. */
gboolean fs_photo_terms_refuse_size (const FsImage *image, GError **error);

G_END_DECLS

#endif
