/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw cut`: reads a photo and its seeds, cuts once, writes the files.   Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_CUT_CUT_JOB_H
#define FS_APP_CUT_CUT_JOB_H

#include "app/photo/input/photo_error.h"
#include "energy/edge/edge_settings.h"
#include "energy/image/settings.h"
#include "solver/certificate.h"
#include "solver/multilevel/preview.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct {
  const char *photo; /* paths, not owned; only photo and seeds, or a guess or skin, are needed */
  const char *seeds;
  const char *guess;        /* as fs_guess_load_mask takes it */
  const char *find_subject; /* a finder makes the guess, as fs_subject_finder_new takes it; "": the
                               one of the user's settings; NULL: none does */
  const char *mask;
  const char *alpha;
  const char *cutout;
  const char *labels;
  const char *outline;         /* SVG, one path an object */
  double outline_tolerance_px; /* as FsExport has it */
  const char *report;
  const char *backend;        /* as fs_backend_choice_want takes it */
  FsEdgeSettings edge;        /* of cut-out and alpha, as FsExport has it */
  const char *edge_zones;     /* a picture of FsEdgeZone; or NULL */
  const FsProgress *refining; /* as FsExport has it */
  gboolean keep_hidden;       /* as FsExport has it */
  gboolean keep_metadata;     /* as FsExport has it */
  gboolean has_mask_page;     /* as FsExport has it */
  const char *background;     /* of the cut-out, as fs_background_new takes it; or NULL */
  int quality;                /* of a cut-out in JPEG, as FsExport has it */
  GString *notes;             /* as FsExport has them; or NULL */
  int n_threads;              /* 0: as many as there are processors */
  FsSettings settings;
  int n_iterations; /* of GrabCut: models fitted to the mask, and cut again; gmm without preview */
  /* T-links from the colours of skin (energy/colour/skin.h), n-links as gmm's. */
  gboolean skin;
  gboolean preview; /* levels and bands in place of the exact cut: only then are the options used */
  FsPreviewOptions preview_options; /* its soft_tlink is the model's, whatever stands here */
  gboolean verify;                  /* check every certificate, and fail where one does not hold */
} FsCutJob;

typedef struct {
  char *warning; /* about the photo, or NULL */
  int width, height;
  const char *backend; /* that really cut, which is not always the wanted one */
  const char *device;
  int guess_width, guess_height; /* 0: there is none */
  char *finder;                  /* that made it, by name; or NULL */
  int n_objects;                 /* that the seeds name                                        */
  int n_cycles;        /* over their labels, with more than one (solver/expansion/expansion.h) */
  FsSolution solution; /* of the cut; with more than one object, of the labelling    */
  int n_iterations;    /* until the mask stood still, at most the job's */
  int n_refinements;   /* cuts of the border after the first, whose energy the last one's is */
  FsCertificate certificate; /* with verify  */
  FsPreviewStats preview;    /* with preview */
  int64_t object_pixels;
  gint64 guess_us, decode_us, model_us, energy_us, cut_us, write_us, total_us;
  gint64 refine_us; /* of cut_us: the border's cuts */
} FsCutResult;

/* Errors: those of FS_PHOTO_ERROR, FS_SOLVER_ERROR, FS_EXPORT_ERROR, the message complete with the
 * file's name. Nothing is written unless the cut is exact or a preview was asked for. */
gboolean fs_cut_job_run (const FsCutJob *job, FsCutResult *result, GError **error);
void fs_cut_result_clear (FsCutResult *result);

/* The report as JSON. g_free. */
char *fs_cut_result_to_json (const FsCutJob *job, const FsCutResult *result);

G_END_DECLS

#endif
