/* SPDX-License-Identifier: MIT */
/* Making links, by the kernels' twin.   Layer: solver/kernels (tests). What build.cuh is to the
 * device. */
#ifndef FS_SOLVER_KERNELS_LINKS_BUILD_HOST_H
#define FS_SOLVER_KERNELS_LINKS_BUILD_HOST_H

#include "solver/kernels/links/build.h"
#include "solver/kernels/solve/solve_host.h"

/* The photo is a copy, as a device's would be; what was copied is freed by unload. */
struct FsEnginePhoto {
  FsPhotoLinks links;
};

FsEnginePhoto *fs_host_load_photo (const FsPhotoLinks *links, int width, int height);
void fs_host_unload_photo (FsEnginePhoto *photo);

/* The terms as phases take them; freed by drop. */
FsSentTerms fs_host_send_terms (const FsTlinkTerms *terms, size_t pixels);
void fs_host_drop_terms (FsSentTerms *terms);

/* Makes everything of a tile but its labels and flags. */
void fs_host_build_tile (FsEngine *engine, const FsSentTerms *terms, int tile);

/* Gives every pixel of a tile the t-link that the terms say. */
void fs_host_remake_tile (FsEngine *engine, const FsSentTerms *terms, int tile);

#endif
