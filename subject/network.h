/* SPDX-License-Identifier: MIT */
/* Inference with an ONNX network, by OpenCV's dnn module.
 *
 * The only part of the tree that knows OpenCV, and only fretsaw-subject is linked with it. Its
 * exceptions become GErrors.
 *
 * Threads: one at a time; OpenCV uses all processors within a call.
 */
#ifndef FS_SUBJECT_NETWORK_H
#define FS_SUBJECT_NETWORK_H

#include "energy/image/image.h"
#include "subject/onnx_signature.h"

G_BEGIN_DECLS

typedef struct FsNetwork FsNetwork;

/* Errors: FS_SUBJECT_ERROR_MODEL, "NAME: reason". */
FsNetwork *fs_network_open (const char *path, GError **error);
void fs_network_free (FsNetwork *network);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsNetwork, fs_network_free)

/* One channel of values, `height` rows of `width`. */
typedef struct {
  int width, height;
  float *values; /* g_free */
} FsNetworkPlane;

/* Runs the network on 3 · width · height samples (one plane per colour) at `input`, up to `output`.
 * Errors: FS_SUBJECT_ERROR_RUN, also where the output is not one plane. */
gboolean fs_network_run (FsNetwork *network, const char *input, const char *output,
                         const float *samples, int width, int height, FsNetworkPlane *plane,
                         GError **error);

/* Resizes the photo to width × height pixels, ignoring alpha; by area averages where it becomes
 * smaller. Errors: FS_SUBJECT_ERROR_RUN. */
gboolean fs_network_scale_photo (const FsImage *photo, int width, int height, guint32 *pixels,
                                 GError **error);

/* "4.6.0" */
const char *fs_network_get_version (void);

G_END_DECLS

#endif
