/* SPDX-License-Identifier: MIT */
/* Implicit links in the kernels' twin: what build.cuh is to the device.   Layer: solver/kernels
 * (tests). */
#ifndef FS_SOLVER_KERNELS_LINKS_BUILD_HOST_H
#define FS_SOLVER_KERNELS_LINKS_BUILD_HOST_H

#include "solver/kernels/links/build.h"
#include "solver/kernels/solve/solve_host.h"

/* Copies the photo, as a device would; unload frees the copy. */
struct FsEnginePhoto {
  FsPhotoLinks links;
};

FsEnginePhoto *fs_host_load_photo (const FsPhotoLinks *links, int width, int height);
void fs_host_unload_photo (FsEnginePhoto *photo);

/* Converts the terms for the phases; drop frees the result. */
FsSentTerms fs_host_send_terms (const FsTlinkTerms *terms, size_t pixels);
void fs_host_drop_terms (FsSentTerms *terms);

/* Computes the whole state of a tile except its labels and flags. */
void fs_host_build_tile (FsEngine *engine, const FsSentTerms *terms, int tile);

/* Recomputes the t-links of a tile from the terms. */
void fs_host_remake_tile (FsEngine *engine, const FsSentTerms *terms, int tile);

#endif
