/* SPDX-License-Identifier: MIT */
#include "ui/view/edge_levels.h"

#include <string.h>

enum { MAX_LEVELS = 17, TILE = FS_EDGE_LEVEL_TILE };

typedef struct {
  int columns, rows;
  uint32_t **tiles; /* of TILE · TILE words, or NULL */
} EdgeLevel;

struct _FsEdgeLevels {
  FsLiveEdge *edge;
  const FsPyramid *pyramid;
  guint n_levels;
  EdgeLevel level[MAX_LEVELS]; /* [0] is not used: the live edge has it */
};

FsEdgeLevels *
fs_edge_levels_new (FsLiveEdge *edge, const FsPyramid *pyramid)
{
  FsEdgeLevels *levels = g_new0 (FsEdgeLevels, 1);
  levels->edge = g_object_ref (edge);
  levels->pyramid = pyramid;
  levels->n_levels = fs_pyramid_get_n_levels (pyramid);
  for (guint k = 1; k < levels->n_levels; k++) {
    const FsPyramidLevel plane = fs_pyramid_get_level (pyramid, k);
    EdgeLevel *level = &levels->level[k];
    level->columns = (plane.width + TILE - 1) / TILE;
    level->rows = (plane.height + TILE - 1) / TILE;
    level->tiles = g_new0 (uint32_t *, (gsize)level->columns * (gsize)level->rows);
  }
  return levels;
}

void
fs_edge_levels_free (FsEdgeLevels *levels)
{
  if (levels == NULL)
    return;
  for (guint k = 1; k < levels->n_levels; k++) {
    EdgeLevel *level = &levels->level[k];
    for (int i = 0; i < level->columns * level->rows; i++)
      g_free (level->tiles[i]);
    g_free (level->tiles);
  }
  g_object_unref (levels->edge);
  g_free (levels);
}

/* ---- Reading ---- */

gboolean
fs_edge_levels_has_words (const FsEdgeLevels *levels, guint k, const FsRect *window)
{
  if (k == 0)
    return fs_live_edge_has_words (levels->edge, *window);
  const EdgeLevel *level = &levels->level[k];
  for (int ty = window->y0 / TILE; ty * TILE < window->y1; ty++)
    for (int tx = window->x0 / TILE; tx * TILE < window->x1; tx++)
      if (level->tiles[ty * level->columns + tx] != NULL)
        return TRUE;
  return FALSE;
}

/* Pixels of a level that no tile has: without a mask all are background. */
static void
read_plain (const FsPyramidLevel *plane, int y, int x0, int x1, uint32_t *words)
{
  const size_t row = (size_t)y * (size_t)plane->width;
  for (int x = x0; x < x1; x++) {
    const uint32_t alpha = plane->mask != NULL ? plane->mask[row + (size_t)x] : 0;
    *words++ = (plane->photo[row + (size_t)x] & 0xffffffu) | alpha << 24;
  }
}

void
fs_edge_levels_read_row (const FsEdgeLevels *levels, guint k, int y, int x0, int x1,
                         uint32_t *words)
{
  if (k == 0) {
    fs_live_edge_read_row (levels->edge, y, x0, x1, words);
    return;
  }
  const FsPyramidLevel plane = fs_pyramid_get_level (levels->pyramid, k);
  const EdgeLevel *level = &levels->level[k];
  for (int x = x0; x < x1;) {
    const int end = MIN ((x / TILE + 1) * TILE, x1);
    const uint32_t *tile = level->tiles[y / TILE * level->columns + x / TILE];
    if (tile != NULL)
      memcpy (words, tile + y % TILE * TILE + x % TILE, (size_t)(end - x) * sizeof *words);
    else
      read_plain (&plane, y, x, end, words);
    words += end - x;
    x = end;
  }
}

/* ---- Halving ---- */

/* The mean of four words, with colours weighted by alpha; where all are transparent, of the colours
 * alone. */
static uint32_t
average_words (uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
  const uint32_t words[] = { p, q, r, s };
  uint32_t alpha = 0, red = 0, green = 0, blue = 0, weights = 0;
  const gboolean is_clear = ((p | q | r | s) >> 24) == 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t weight = is_clear ? 1 : FS_PIXEL_A (words[i]);
    alpha += FS_PIXEL_A (words[i]);
    weights += weight;
    red += weight * FS_PIXEL_R (words[i]);
    green += weight * FS_PIXEL_G (words[i]);
    blue += weight * FS_PIXEL_B (words[i]);
  }
  return FS_PIXEL ((alpha + 2) / 4, (red + weights / 2) / weights, (green + weights / 2) / weights,
                   (blue + weights / 2) / weights);
}

/* The last column or row of an odd side counts twice, as in the pyramid. */
static void
halve_tile (FsEdgeLevels *levels, guint k, FsRect part, uint32_t *tile)
{
  const FsPyramidLevel fine = fs_pyramid_get_level (levels->pyramid, k - 1);
  uint32_t top[2 * TILE], low[2 * TILE];
  const int x0 = 2 * part.x0, x1 = MIN (2 * part.x1, fine.width);
  for (int y = part.y0; y < part.y1; y++) {
    fs_edge_levels_read_row (levels, k - 1, 2 * y, x0, x1, top);
    fs_edge_levels_read_row (levels, k - 1, MIN (2 * y + 1, fine.height - 1), x0, x1, low);
    for (int x = part.x0; x < part.x1; x++) {
      const int a = 2 * (x - part.x0), b = MIN (a + 1, x1 - x0 - 1);
      tile[y % TILE * TILE + x % TILE] = average_words (top[a], top[b], low[a], low[b]);
    }
  }
}

static void
update_tile (FsEdgeLevels *levels, guint k, int tx, int ty, FsRect rect)
{
  const FsPyramidLevel plane = fs_pyramid_get_level (levels->pyramid, k);
  const FsPyramidLevel fine = fs_pyramid_get_level (levels->pyramid, k - 1);
  EdgeLevel *level = &levels->level[k];
  uint32_t **tile = &level->tiles[ty * level->columns + tx];
  const FsRect whole = { tx * TILE, ty * TILE, MIN ((tx + 1) * TILE, plane.width),
                         MIN ((ty + 1) * TILE, plane.height) };
  const FsRect below = { 2 * whole.x0, 2 * whole.y0, MIN (2 * whole.x1, fine.width),
                         MIN (2 * whole.y1, fine.height) };
  if (!fs_edge_levels_has_words (levels, k - 1, &below)) {
    g_clear_pointer (tile, g_free);
    return;
  }
  const gboolean is_new = *tile == NULL;
  if (is_new)
    *tile = g_new0 (uint32_t, TILE * TILE);
  halve_tile (levels, k, is_new ? whole : fs_rect_intersect (whole, rect), *tile);
}

void
fs_edge_levels_update (FsEdgeLevels *levels, const FsRect *rect)
{
  FsRect damage = *rect;
  for (guint k = 1; k < levels->n_levels && !fs_rect_is_empty (damage); k++) {
    damage = (FsRect){ damage.x0 / 2, damage.y0 / 2, (damage.x1 + 1) / 2, (damage.y1 + 1) / 2 };
    for (int ty = damage.y0 / TILE; ty * TILE < damage.y1; ty++)
      for (int tx = damage.x0 / TILE; tx * TILE < damage.x1; tx++)
        update_tile (levels, k, tx, ty, damage);
  }
}
