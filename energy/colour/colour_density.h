/* SPDX-License-Identifier: MIT */
/* Colour densities in Lab: smoothed histograms of samples.   Layer: energy.
 *
 * A table has 32³ nodes over L ∈ [0, 100] and a, b ∈ [−64, 64]; colours outside are clipped. A
 * sample is distributed trilinearly over the 8 nodes around it. The sums are smoothed by a Gaussian
 * with a σ of 0.35 node distances and two taps each way. Densities between nodes are trilinear,
 * too. Sums are integers, so samples may come in any order.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_COLOUR_COLOUR_DENSITY_H
#define FS_ENERGY_COLOUR_COLOUR_DENSITY_H

#include "energy/colour/lab.h"

G_BEGIN_DECLS

#define FS_COLOUR_TABLE_SIDE  32
#define FS_COLOUR_TABLE_NODES (FS_COLOUR_TABLE_SIDE * FS_COLOUR_TABLE_SIDE * FS_COLOUR_TABLE_SIDE)
/* The weight of one sample; at most 2^24 of them fit into a table. */
#define FS_COLOUR_WEIGHT 65536

/* A colour between its nodes. */
typedef struct {
  uint16_t node;        /* the lowest of the 8, (L·32 + a)·32 + b */
  uint16_t fraction[3]; /* of the way to the next one, in [0, 256] */
} FsColourPlace;

FsColourPlace fs_colour_place (FsLab lab);

typedef struct {
  uint64_t sum[FS_COLOUR_TABLE_NODES]; /* weight · 2^24 */
  uint64_t total;
  float density[FS_COLOUR_TABLE_NODES]; /* after smoothing */
} FsColourTable;

/* Removes all samples. Densities are undefined until the table is smoothed. */
void fs_colour_table_clear (FsColourTable *table);
/* Adds a sample; 0 − weight removes it again. */
void fs_colour_table_add (FsColourTable *table, FsColourPlace place, uint64_t weight);
/* Computes the densities, which sum to 1, or are all 0 without samples. Cost: the bounding box of
 * the samples' nodes, up to 2 ms. */
void fs_colour_table_smooth (FsColourTable *table);
double fs_colour_table_look_up (const FsColourTable *table, FsColourPlace place);
/* The same, to the bit, of two tables at once. */
void fs_colour_tables_look_up (FsColourTable *const table[2], FsColourPlace place,
                               double density[2]);

/* Log ratios ln ((p₁ + unseen) / (p₀ + unseen)) of the two tables' densities at n places; best
 * called with FS_COLOURS_AT_ONCE places. */
enum { FS_COLOURS_AT_ONCE = 64 };
void fs_colour_tables_log_ratios (FsColourTable *const table[2], const FsColourPlace *places, int n,
                                  double unseen, double *out);

G_END_DECLS

#endif
