/* SPDX-License-Identifier: MIT */
/* Seed map: the pixels that strokes fix, and their labels.   Layer: energy (value header).
 *
 * One byte a pixel: 0 none, 1 background, 2 object, 3, 4, … further objects. A stroke is a chain of
 * capsules (a disc swept along a segment); pixel (x, y) is painted when its centre (x + ½, y + ½)
 * lies within the radius of the segment. A capsule whose radius is smaller than half a pixel still
 * paints the pixel under each of its ends, so that no click is without effect, and a line of pixels
 * from one to the other, so that no stroke has holes.
 *
 * Threads: plain data, one thread at a time.
 */
#ifndef FS_ENERGY_IMAGE_SEED_MAP_H
#define FS_ENERGY_IMAGE_SEED_MAP_H

#include "energy/image/rect.h"
#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum { FS_SEED_NONE = 0, FS_SEED_BACKGROUND = 1, FS_SEED_OBJECT = 2, FS_SEED_MAX = 255 };

typedef struct {
  int width;
  int height;
  uint8_t *label;                   /* [height · width] */
  int64_t n_seeds[FS_SEED_MAX + 1]; /* pixels of each label, [0] the free ones */
} FsSeedMap;

/* A pixel whose label changed, as y·width + x. Appended by the painting functions. */
typedef GArray FsPixelList; /* of uint32_t */

/* NULL where memory is short, and of 2³² pixels or more. */
FsSeedMap *fs_seed_map_new (int width, int height);
void fs_seed_map_free (FsSeedMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSeedMap, fs_seed_map_free)

/* Paints `label` (0 erases) over the capsule, whose numbers are finite, inside `clip` only (NULL:
 * the whole map). Appends the pixels whose label changed to `changed` (may be NULL). Returns a
 * rectangle that contains all of them. */
FsRect fs_seed_map_paint (FsSeedMap *map, const FsCapsule *capsule, uint8_t label,
                          const FsRect *clip, FsPixelList *changed);

/* Gives `label` to the pixels x0 ≤ x < x1 of row y, which lie in the map. Fast for long runs. */
void fs_seed_map_set_run (FsSeedMap *map, int y, int x0, int x1, uint8_t label);

/* Sets every label from a plane of width·height bytes. */
void fs_seed_map_set (FsSeedMap *map, const uint8_t *labels);
/* The same from a map of the same size. */
void fs_seed_map_copy (FsSeedMap *map, const FsSeedMap *from);

/* The pixels that a capsule may paint, cut to width × height. */
FsRect fs_capsule_bounds (const FsCapsule *capsule, int width, int height);

/* The bounding rectangle of both, and their intersection; empty rectangles are ignored. */
FsRect fs_rect_union (FsRect a, FsRect b);
FsRect fs_rect_intersect (FsRect a, FsRect b);
gboolean fs_rect_is_empty (FsRect r);

G_END_DECLS

#endif
