/* SPDX-License-Identifier: MIT */
/* Energies of many labels from .mrf files, which are untrusted.   Layer: app.
 *
 * A header in text (mrf_header.h, docs/mrf.md), then planes of numbers, in text or binary, where it
 * says so; images are named relative to the file's folder. Sizes are checked before memory is
 * asked for: planes against the length of the file, costs from images against the images.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_PROBLEMS_MRF_H
#define FS_APP_PROBLEMS_MRF_H

#include "app/problems/mrf_header.h"

G_BEGIN_DECLS

#define FS_MRF_MAX_BYTES  (G_GINT64_CONSTANT (1) << 31)
#define FS_MRF_MAX_PIXELS 100000000
#define FS_MRF_MAX_COSTS  (G_GINT64_CONSTANT (1) << 29) /* pixels · labels */

typedef struct {
  FsLabelProblem problem; /* its planes belong to the rest */
  FsMrfHeader header;
  int32_t *data, *table;
  uint16_t *weight[FS_N_DIRECTIONS];
  uint8_t *present;
  FsMontage *montage;
} FsMrf;

/* Reads a problem that fs_label_problem_validate accepts. Errors: FS_PHOTO_ERROR, FS_SOLVER_ERROR,
 * the message beginning with the file's name. */
FsMrf *fs_mrf_load (const char *path, GError **error);
void fs_mrf_free (FsMrf *mrf);

/* The path of an image that the problem in file `path` names. g_free. */
char *fs_mrf_image_path (const char *path, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMrf, fs_mrf_free)

G_END_DECLS

#endif
