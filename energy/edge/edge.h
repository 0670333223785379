/* SPDX-License-Identifier: MIT */
/* Edge: alpha and the object's own colours along the border of a mask.   Layer: energy.
 *
 * The exact mask has one side for each pixel, but hair, fur and blur mix both sides in one.
 * docs/decisions/edges.md says how alpha and colours are found. Away from the border, and at pixels
 * with strokes, mask and photo are unchanged to the bit.
 *
 * The result is a function of the input alone: it does not depend on the area that is asked for, or
 * on the number of threads.
 *
 * Threads: one at a time per edge; it uses as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_EDGE_EDGE_H
#define FS_ENERGY_EDGE_EDGE_H

#include "energy/edge/edge_input.h"
#include "energy/edge/zone_alpha.h"

G_BEGIN_DECLS

typedef struct FsEdge FsEdge;

/* The edge of the rows of `area`, a rectangle of the photo; pixels near it are read, too. `zones`
 * is what fs_zone_alpha_new gives for this input, NULL where nothing is to be refined; borrowed.
 * NULL where memory is short. */
FsEdge *fs_edge_new (const FsEdgeInput *input, const FsZoneAlpha *zones, FsRect area);
void fs_edge_free (FsEdge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEdge, fs_edge_free)

/* The area's pixels of the photo's row y, a word each: 0xAARRGGBB, A the edge's alpha without the
 * photo's own. Valid until the next call. Rows may be asked for in any order; in ascending order
 * each is computed once. NULL where memory is short. */
const uint32_t *fs_edge_get_row (FsEdge *self, int y);

/* Such a word, with the alpha of the photo's pixel too. */
static inline uint32_t
fs_edge_over (uint32_t word, uint32_t pixel)
{
  const uint32_t alpha = ((word >> 24) * (pixel >> 24) + 127) / 255;
  return (word & 0xffffffu) | alpha << 24;
}

/* The whole area as an image, with the product of both alphas. `progress` may be NULL. Errors:
 * FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsImage *fs_edge_render (const FsEdgeInput *input, const FsZoneAlpha *zones, FsRect area,
                         const FsProgress *progress, GError **error);

/* Gets the words of area i, row by row; NULL where all are as mask and photo have them. */
typedef void (*FsEdgeTake) (gpointer data, int i, const uint32_t *words);

/* Computes the words of n areas inside the photo, in any order. `take` is called once for each, on
 * several threads at once. Stops between areas where `progress`, which may be NULL, says so. FALSE
 * then, and where memory is short: the areas that were taken until then are right. */
gboolean fs_edge_find_areas (const FsEdgeInput *input, const FsZoneAlpha *zones,
                             const FsRect *areas, int n, const FsProgress *progress,
                             FsEdgeTake take, gpointer data);

/* A pixel whose mask, mark, zone or zone alpha changes alters the edge at most so far away, in rows
 * and in columns. Pixels. */
int fs_edge_get_radius (const FsEdgeSettings *settings);

/* Writes the mask without specks and holes as the settings say, 0 or 1: what `input->mask` has to
 * be for all functions above where specks_px or holes_px is set. Pieces and holes with a stroke
 * stay. Cost O(pixels). */
void fs_edge_tidy_mask (const FsEdgeInput *input, uint8_t *mask);

G_END_DECLS

#endif
