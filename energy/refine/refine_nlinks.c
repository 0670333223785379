/* SPDX-License-Identifier: MIT */
#include "energy/image/row_threads.h"
#include "energy/refine/refine_internal.h"
#include "energy/terms/nlinks.h"

#include <math.h>
#include <string.h>

/* The n-links are LINK_FRACTION·λ·e^(−1.5·√(d²/m)) in place of λ·e^(−2·√(d²/m)). */
#define LINK_FRACTION 0.8

/* (w / max)^¾ by square roots, which are rounded alike everywhere.
 *
 * Bound: w ≤ FS_NLINK_MAX, but `max` may lie beyond it, and then the result does too: it is
 * 0.8·max^¼·w^¾, which passes FS_NLINK_MAX for w = FS_NLINK_MAX once `max` is (1 / 0.8)⁴ = 2.44
 * times that. It is cut to FS_NLINK_MAX as the photo's own n-links are (contrast.h). */
FsRefineLinks *
fs_refine_links_new (double max)
{
  FsRefineLinks *links = g_new0 (FsRefineLinks, 1);
  for (int w = 1; w <= MIN (FS_NLINK_MAX, ceil (max)); w++) {
    double root = sqrt (w / max);
    double link = LINK_FRACTION * max * root * sqrt (root);
    links->of[w] = (uint16_t)floor (MIN (link, FS_NLINK_MAX) + 0.5);
  }
  return links;
}

/* A link between two pixels outside the band decides nothing. */
static void
replace_nlink_row (FsRefinement *refinement, const FsRefineLinks *table, int d, int y)
{
  int width = refinement->grid.width, dx = fs_direction_dx (d), dy = fs_direction_dy (d);
  size_t row = (size_t)y * (size_t)width;
  uint16_t *links = refinement->nlink[d] + row;
  const uint8_t *state = refinement->state + row;
  ptrdiff_t step = (ptrdiff_t)dy * width + dx;
  int x0 = MAX (0, -dx), x1 = y + dy < refinement->grid.height ? width - MAX (0, dx) : x0;
  for (int x = x0; x < x1; x++)
    links[x] =
        state[x] == FS_REFINE_FREE || state[x + step] == FS_REFINE_FREE ? table->of[links[x]] : 0;
  memset (links, 0, (size_t)x0 * sizeof *links);
  memset (links + x1, 0, (size_t)(width - x1) * sizeof *links);
}

typedef struct {
  FsRefinement *refinement;
  const FsRefineLinks *straight, *diagonal;
} LinkJob;

static void
fill_nlink_rows (int y0, int y1, gpointer data)
{
  const LinkJob *job = data;
  FsRefinement *refinement = job->refinement;
  for (int y = y0; y < y1; y++) {
    uint16_t *out[FS_N_DIRECTIONS];
    for (int d = 0; d < fs_grid_n_directions (&refinement->grid); d++)
      out[d] = refinement->nlink[d] + (size_t)y * (size_t)refinement->grid.width;
    fs_nlinks_read (refinement->terms, y + refinement->area.y0, refinement->area.x0,
                    refinement->grid.width, out);
    for (int d = 0; d < fs_grid_n_directions (&refinement->grid); d++)
      replace_nlink_row (refinement, d < FS_DIRECTION_SE ? job->straight : job->diagonal, d, y);
  }
}

void
fs_refinement_fill_nlinks (FsRefinement *refinement)
{
  double max = refinement->photo->nlink_max;
  g_autofree FsRefineLinks *straight = fs_refine_links_new (max);
  g_autofree FsRefineLinks *diagonal = fs_refine_links_new (max / sqrt (2));
  LinkJob job = { refinement, straight, diagonal };
  fs_row_threads_run (refinement->grid.height, refinement->grid.width, fill_nlink_rows, &job);
}
