/* SPDX-License-Identifier: MIT */
#include "energy/image/row_threads.h"
#include "energy/refine/refine_internal.h"
#include "energy/terms/nlinks.h"

#include <math.h>
#include <string.h>

/* The n-links: LINK_SHARE·λ·e^(−1.5·√(d²/m)) for λ·e^(−2·√(d²/m)). */
#define LINK_SHARE 0.8

/* (w / most)^¾ by square roots, which are rounded alike everywhere.
 *
 * Bound: w ≤ FS_NLINK_MAX, but `most` may lie beyond it, and then the result does too: it is
 * 0.8·most^¼·w^¾, which passes FS_NLINK_MAX for w = FS_NLINK_MAX once `most` is (1 / 0.8)⁴ = 2.44
 * times that. It is cut to FS_NLINK_MAX as the photo's own n-links are (contrast.h). */
FsLookLinks *
fs_look_links_new (double most)
{
  FsLookLinks *links = g_new0 (FsLookLinks, 1);
  for (int w = 1; w <= MIN (FS_NLINK_MAX, ceil (most)); w++) {
    double root = sqrt (w / most);
    double link = LINK_SHARE * most * root * sqrt (root);
    links->of[w] = (uint16_t)floor (MIN (link, FS_NLINK_MAX) + 0.5);
  }
  return links;
}

/* A link between two pixels outside the band decides nothing. */
static void
turn_nlink_row (FsSecondLook *look, const FsLookLinks *table, int d, int y)
{
  int width = look->grid.width, dx = fs_direction_dx (d), dy = fs_direction_dy (d);
  size_t row = (size_t)y * (size_t)width;
  uint16_t *links = look->nlink[d] + row;
  const uint8_t *state = look->state + row;
  ptrdiff_t step = (ptrdiff_t)dy * width + dx;
  int x0 = MAX (0, -dx), x1 = y + dy < look->grid.height ? width - MAX (0, dx) : x0;
  for (int x = x0; x < x1; x++)
    links[x] =
        state[x] == FS_LOOK_FREE || state[x + step] == FS_LOOK_FREE ? table->of[links[x]] : 0;
  memset (links, 0, (size_t)x0 * sizeof *links);
  memset (links + x1, 0, (size_t)(width - x1) * sizeof *links);
}

typedef struct {
  FsSecondLook *look;
  const FsLookLinks *straight, *diagonal;
} LinkJob;

static void
fill_nlink_rows (int y0, int y1, gpointer data)
{
  const LinkJob *job = data;
  FsSecondLook *look = job->look;
  for (int y = y0; y < y1; y++) {
    uint16_t *out[FS_N_DIRECTIONS];
    for (int d = 0; d < fs_grid_n_directions (&look->grid); d++)
      out[d] = look->nlink[d] + (size_t)y * (size_t)look->grid.width;
    fs_nlinks_read (look->scene, y + look->area.y0, look->area.x0, look->grid.width, out);
    for (int d = 0; d < fs_grid_n_directions (&look->grid); d++)
      turn_nlink_row (look, d < FS_DIRECTION_SE ? job->straight : job->diagonal, d, y);
  }
}

void
fs_second_look_fill_nlinks (FsSecondLook *look)
{
  double most = look->photo->nlink_most;
  g_autofree FsLookLinks *straight = fs_look_links_new (most);
  g_autofree FsLookLinks *diagonal = fs_look_links_new (most / sqrt (2));
  LinkJob job = { look, straight, diagonal };
  fs_row_threads_run (look->grid.height, look->grid.width, fill_nlink_rows, &job);
}
