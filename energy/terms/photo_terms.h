/* SPDX-License-Identifier: MIT */
/* Terms that follow from the photo and the settings alone.   Layer: energy.
 * Strokes become t-links elsewhere: fs_energy_fill_tlinks and seed_tlink in energy/energy.c.
 *
 * Made once and shared by every energy of the photo: the n-links, the colours that occur, and
 * the data of the settings' model that depend on the photo alone.
 *
 * Threads: reference counted and immutable once made, so any thread may read; only n-links that
 * are filled when first needed change later (nlinks.h). */
#ifndef FS_ENERGY_TERMS_PHOTO_TERMS_H
#define FS_ENERGY_TERMS_PHOTO_TERMS_H

#include "energy/image/image.h"
#include "energy/image/settings.h"
#include "energy/terms/model_class.h"
#include "solver/grid.h"
#include "solver/link_source.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* The tables that the n-links were made from, for devices that make their own (link_source.h). */
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
  gint has_nlinks;                  /* atomic: they are filled            */
  GMutex making;                    /* held while they are filled         */
  FsNlinkTables tables;             /* of the n-links, set by the model   */
  guint64 number;                   /* unique in the process              */
  const uint32_t *bins; /* [n_bins] the colours that occur (colour_histogram.h), ascending */
  size_t n_bins;
  const FsModelClass *model; /* the class of the settings' model    */
  gpointer model_photo;      /* its data of the photo, or NULL */
};

/* Errors: FS_SOLVER_ERROR_INVALID (a setting outside its range, an image without pixels). */
gboolean fs_photo_terms_are_possible (const FsImage *image, const FsSettings *settings,
                                      GError **error);

/* `model`: the class of the settings' model (models/registry.h). Takes a reference to the image.
 * Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsPhotoTerms *fs_photo_terms_new (FsImage *image, const FsSettings *settings,
                                  const FsModelClass *model, const FsProgress *progress,
                                  GError **error);
/* The same with the tables of the n-links, but without the n-links. */
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

/* TRUE for the geodesic model without a star: the settings of an energy whose seeds come from a
 * lasso, box or trimap (settings.h). */
static inline gboolean
fs_photo_terms_is_outlined (const FsPhotoTerms *terms)
{
  return terms->settings.model == FS_MODEL_GEODESIC && !terms->settings.star;
}

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_photo_terms_allocate_nlinks (FsPhotoTerms *terms, GError **error);

/* Sets FS_SOLVER_ERROR_MEMORY, with the photo's size in words. Returns FALSE. */
gboolean fs_photo_terms_refuse_size (const FsImage *image, GError **error);

G_END_DECLS

#endif
