/* SPDX-License-Identifier: MIT */
/* One pass of the live edge's worker over its dirty tiles.   Layer: app, private to the room.
 *
 * Threads: made and taken by the live edge's thread, run by a worker; nobody else touches it or the
 * planes meanwhile.
 */
#ifndef FS_APP_EDGE_EDGE_JOB_H
#define FS_APP_EDGE_EDGE_JOB_H

#include "energy/edge/edge.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Pixels of a tile's side; the tiles are those of the grid solver's masks (mailbox.h). */
#define FS_EDGE_TILE 64

/* The edge of a tile, row by row in FS_EDGE_TILE columns. */
typedef struct {
  uint64_t mask[FS_EDGE_TILE]; /* that it was computed from: bit x of row y */
  uint32_t words[FS_EDGE_TILE * FS_EDGE_TILE];
} FsEdgeTile;

/* Copies of a document's planes, which live from job to job. */
typedef struct {
  FsImage *image;
  int columns, rows; /* of tiles */
  uint8_t *mask;
  uint8_t *marks;
  uint8_t *zones;     /* NULL before the first zone */
  uint8_t *tidy;      /* the mask without specks and holes; NULL while there are none to remove */
  FsZoneAlpha *alpha; /* of the last job that came so far, or NULL */
} FsEdgePlanes;

/* FALSE where memory is short. */
gboolean fs_edge_planes_init (FsEdgePlanes *planes, FsImage *image);
void fs_edge_planes_clear (FsEdgePlanes *planes);
/* The tile's pixels. */
FsRect fs_edge_planes_tile (const FsEdgePlanes *planes, int tile);
gsize fs_edge_planes_count_tiles (const FsEdgePlanes *planes);
/* The bounds of the pixels of a tile that differ in two planes. */
FsRect fs_edge_planes_compare (const FsEdgePlanes *planes, int tile, const uint8_t *a,
                               const uint8_t *b);
/* Adds a rectangle, grown by `margin_px`, to those of all tiles that it meets: each is cut to
 * its tile. */
void fs_edge_planes_add (const FsEdgePlanes *planes, FsRect *tiles, FsRect rect, int margin_px);

typedef struct {
  FsEdgePlanes *planes;
  FsEdgeSettings settings;
  gboolean has_zones;
  /* For each tile a rectangle in it, mostly empty; the job adds to both. */
  FsRect *dirty;               /* words may be others                                          */
  FsRect *changed;             /* mask, marks or zones are not those of planes->alpha any more */
  FsEdgeTile *const *previous; /* the words so far, or NULL: those outside of `dirty` are kept */
  FsEdgeTile **words;          /* of each tile that was done, or NULL where it needs none      */
  uint8_t *done;
  gboolean has_alpha; /* planes->alpha is that of the planes: `changed` counts no more */
  FsCancelFlag cancel;
} FsEdgeJob;

FsEdgeJob *fs_edge_job_new (FsEdgePlanes *planes);
void fs_edge_job_free (FsEdgeJob *job);

/* Until all dirty tiles are done, or it is cancelled, or memory is short. */
void fs_edge_job_run (FsEdgeJob *job);

G_END_DECLS

#endif
