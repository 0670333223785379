/* SPDX-License-Identifier: MIT */
/* Sources of geodesic distances: the cells of a level that they start from.   Layer: energy.
 *
 * One byte a cell, with a bit for each kind of source: the cell contains a background seed, an
 * object seed (labels above 2 count as object), a pixel of the frame (the outermost
 * FS_GEODESIC_FRAME_PX of the photo), a pixel of the present stroke. A cell may have several. The
 * seeds' bits are a function of the seed map alone.
 *
 * Threads: plain data, one thread at a time.
 */
#ifndef FS_ENERGY_GEODESIC_SOURCES_H
#define FS_ENERGY_GEODESIC_SOURCES_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

#define FS_GEODESIC_FRAME_PX 3

enum {
  FS_CELL_BACKGROUND = 1,
  FS_CELL_OBJECT = 2,
  FS_CELL_FRAME = 4,
  FS_CELL_STROKE = 8 /* set and cleared by the caller */
};

typedef struct {
  FsGeodesicLevel *level;
  uint8_t *bits; /* cell plane */
} FsGeodesicSources;

/* Sources without seeds; the frame's bits are set. Takes a reference to the level. NULL where
 * memory is short. */
FsGeodesicSources *fs_geodesic_sources_new (FsGeodesicLevel *level);
void fs_geodesic_sources_free (FsGeodesicSources *sources);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGeodesicSources, fs_geodesic_sources_free)

/* Sets the bits of all seeds of a map of the photo's size. Cost O(N), 4 ms at 12 megapixels. */
void fs_geodesic_sources_set (FsGeodesicSources *sources, const FsSeedMap *seeds);

/* Updates the cells of n pixels (y·W + x, repetitions allowed) whose labels may have changed: the
 * same as fs_geodesic_sources_set if no others have. Appends each cell whose bits changed to
 * `changed` once (may be NULL). Cost: the pixels, and their blocks. */
void fs_geodesic_sources_update (FsGeodesicSources *sources, const FsSeedMap *seeds,
                                 const uint32_t *pixels, size_t n, FsCellList *changed);

/* Sets FS_CELL_STROKE in the cells of n pixels, and appends those that did not have it. */
void fs_geodesic_sources_mark_stroke (FsGeodesicSources *sources, const uint32_t *pixels, size_t n,
                                      FsCellList *changed);
/* Clears FS_CELL_STROKE everywhere. Cost: the level. */
void fs_geodesic_sources_clear_stroke (FsGeodesicSources *sources);

/* Clears the frame's bit in cells within 12 % of the photo's diagonal of an object stroke, and in
 * all cells if object strokes come within 1/40 of it of all four sides: the frame is not background
 * there (docs/decisions/geodesic-model.md). Sets it in all other cells of the frame, and without
 * `by_object` in all of them. Returns whether any bit changed. A function of the seeds alone. Cost:
 * the level. */
gboolean fs_geodesic_sources_refute_frame (FsGeodesicSources *sources, gboolean by_object);

G_END_DECLS

#endif
