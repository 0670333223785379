/* SPDX-License-Identifier: MIT */
/* Nearest neighbours of pixels by colour and place.   Layer: energy.
 *
 * A k-d tree (Friedman, Bentley & Finkel 1977) over points of five dimensions: the three channels,
 * from 0 to 255, and the place in units that the caller selects. A search looks into a limited
 * number of leaves, so its result is approximate, but a function of the points alone.
 *
 * Threads: any may search a tree that is made.
 */
#ifndef FS_ENERGY_MATTING_COLOUR_TREE_H
#define FS_ENERGY_MATTING_COLOUR_TREE_H

#include "energy/matting/zone.h"

G_BEGIN_DECLS

enum { FS_COLOUR_TREE_DIMENSIONS = 5, FS_COLOUR_TREE_K_MAX = 16 };

typedef struct {
  float at[FS_COLOUR_TREE_DIMENSIONS];
  uint32_t pixel; /* of the area, without margins */
} FsColourPoint;

typedef struct {
  FsColourPoint *point; /* [n_points], owned */
  uint32_t n_points;
  int depth;
  uint8_t *dimension; /* [2^depth] the one that divides a node, owned */
  float *value;       /* [2^depth] where, owned */
} FsColourTree;

typedef struct {
  int n;
  uint32_t point[FS_COLOUR_TREE_K_MAX]; /* the nearest first */
  float distance2[FS_COLOUR_TREE_K_MAX];
} FsColourNeighbours;

/* The point of a pixel of the zone's area, `place` being a pixel's width in units of colour. */
FsColourPoint fs_colour_point (const FsZone *zone, int x, int y, float place);

/* Makes the tree of the area's pixels with a label, or of those which `is_in` (a byte each) has;
 * FALSE where memory is short. The search is stopped early when cancelled; the tree is not to be
 * searched then. */
gboolean fs_colour_tree_init (FsColourTree *tree, const FsZone *zone, const uint8_t *is_in,
                              uint8_t value, float place);
void fs_colour_tree_clear (FsColourTree *tree);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsColourTree, fs_colour_tree_clear)

/* Finds the k nearest points but that of the pixel itself, in at most `n_leaves` leaves and among
 * those that `found` has before: the neighbours of a similar query are a good start. */
void fs_colour_tree_search (const FsColourTree *tree, const FsColourPoint *query, int k,
                            int n_leaves, FsColourNeighbours *found);

G_END_DECLS

#endif
