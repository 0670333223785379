/* SPDX-License-Identifier: MIT */
/* Unknown pixels of an area, numbered row by row.   Layer: energy.
 *
 * Planes of the area have a margin of FS_ZONE_MARGIN pixels on each side, so that the neighbours of
 * a pixel are at fixed offsets. Unknown pixels lie in runs of a row. Blocks are groups of runs of
 * about equal numbers of pixels: the items of parallel loops, and of sums, which are added block by
 * block in order and so are the same for every number of threads.
 *
 * Threads: any, once made.
 */
#ifndef FS_ENERGY_MATTING_ZONE_H
#define FS_ENERGY_MATTING_ZONE_H

#include "energy/image/image.h"
#include "energy/image/rect.h"
#include "solver/progress.h"

G_BEGIN_DECLS

enum { FS_ZONE_MARGIN = 2 };

/* The longest run; longer ones are divided. */
enum { FS_ZONE_RUN_MAX = 256 };

typedef struct {
  int x, y;       /* of the area */
  uint32_t first; /* number of its first pixel */
  int n;
} FsZoneRun;

typedef struct {
  const FsImage *image;
  FsRect area;
  int width, height; /* of the area */
  int stride;        /* of planes with a margin */
  uint8_t *label;    /* [height·width] FS_TRIMAP_…, owned */
  uint32_t n_unknown, n_runs, n_blocks;
  FsZoneRun *run;  /* [n_runs], owned */
  uint32_t *block; /* [n_blocks + 1] first run of each, owned */
  const FsProgress *progress;
} FsZone;

/* Copies the area's part of a trimap; all is zeroed else. FALSE where memory is short. */
gboolean fs_zone_init (FsZone *zone, const FsImage *image, const uint8_t *trimap, FsRect area,
                       const FsProgress *progress);
void fs_zone_clear (FsZone *zone);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsZone, fs_zone_clear)

/* Numbers the unknown pixels of `label`, once it is final. FALSE where memory is short. */
gboolean fs_zone_number_pixels (FsZone *zone);

/* Bytes of a plane with margins are this times a pixel's. */
static inline size_t
fs_zone_plane_size (const FsZone *zone)
{
  return (size_t)zone->stride * (size_t)(zone->height + 2 * FS_ZONE_MARGIN);
}

/* Place of a pixel of the area in a plane with margins. */
static inline size_t
fs_zone_place (const FsZone *zone, int x, int y)
{
  return (size_t)(y + FS_ZONE_MARGIN) * (size_t)zone->stride + (size_t)(x + FS_ZONE_MARGIN);
}

/* Place of a pixel of the area in a plane without. */
static inline size_t
fs_zone_pixel (const FsZone *zone, int x, int y)
{
  return (size_t)y * (size_t)zone->width + (size_t)x;
}

/* Colour of a pixel of the area. */
static inline uint32_t
fs_zone_colour (const FsZone *zone, int x, int y)
{
  return zone->image->pixels[(size_t)(zone->area.y0 + y) * (size_t)zone->image->width
                             + (size_t)(zone->area.x0 + x)];
}

/* Does the unknown pixels of a run. */
typedef void (*FsZoneFunc) (const FsZone *zone, const FsZoneRun *run, gpointer data);
/* Does the runs of a block. */
typedef void (*FsZoneBlockFunc) (const FsZone *zone, uint32_t block, gpointer data);

/* Calls `func` for each run, or block, on several threads where a pixel takes some `ns`
 * nanoseconds. Runs are left out once progress says that the call is cancelled; blocks are not. */
void fs_zone_run_each (const FsZone *zone, int ns, FsZoneFunc func, gpointer data);
void fs_zone_run_blocks (const FsZone *zone, int ns, FsZoneBlockFunc func, gpointer data);

/* Reports progress; FALSE when cancelled. */
gboolean fs_zone_report (const FsZone *zone, double fraction);

G_END_DECLS

#endif
