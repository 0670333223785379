/* SPDX-License-Identifier: MIT */
#include "app/edge/edge_job.h"

#include <string.h>

gboolean
fs_edge_planes_init (FsEdgePlanes *planes, FsImage *image)
{
  const gsize n = (gsize)image->width * (gsize)image->height;
  *planes = (FsEdgePlanes){ .image = fs_image_ref (image),
                            .columns = (image->width + FS_EDGE_TILE - 1) / FS_EDGE_TILE,
                            .rows = (image->height + FS_EDGE_TILE - 1) / FS_EDGE_TILE };
  planes->mask = g_try_malloc0 (n);
  planes->marks = g_try_malloc0 (n);
  return planes->mask && planes->marks;
}

void
fs_edge_planes_clear (FsEdgePlanes *planes)
{
  g_clear_pointer (&planes->image, fs_image_unref);
  g_clear_pointer (&planes->mask, g_free);
  g_clear_pointer (&planes->marks, g_free);
  g_clear_pointer (&planes->zones, g_free);
  g_clear_pointer (&planes->tidy, g_free);
  g_clear_pointer (&planes->alpha, fs_zone_alpha_free);
}

FsRect
fs_edge_planes_tile (const FsEdgePlanes *planes, int tile)
{
  const int x = tile % planes->columns * FS_EDGE_TILE, y = tile / planes->columns * FS_EDGE_TILE;
  return (FsRect){ x, y, MIN (x + FS_EDGE_TILE, planes->image->width),
                   MIN (y + FS_EDGE_TILE, planes->image->height) };
}

gsize
fs_edge_planes_count_tiles (const FsEdgePlanes *planes)
{
  return (gsize)planes->columns * (gsize)planes->rows;
}

FsRect
fs_edge_planes_compare (const FsEdgePlanes *planes, int tile, const uint8_t *a, const uint8_t *b)
{
  const FsRect r = fs_edge_planes_tile (planes, tile);
  FsRect bounds = { 0 };
  for (int y = r.y0; y < r.y1; y++) {
    const gsize at = (gsize)y * (gsize)planes->image->width;
    if (memcmp (a + at + r.x0, b + at + r.x0, (gsize)(r.x1 - r.x0)) == 0)
      continue;
    FsRect row = { r.x0, y, r.x1, y + 1 };
    while (a[at + (gsize)row.x0] == b[at + (gsize)row.x0])
      row.x0++;
    while (a[at + (gsize)row.x1 - 1] == b[at + (gsize)row.x1 - 1])
      row.x1--;
    bounds = fs_rect_union (bounds, row);
  }
  return bounds;
}

void
fs_edge_planes_add (const FsEdgePlanes *planes, FsRect *tiles, FsRect rect, int margin_px)
{
  if (fs_rect_is_empty (rect))
    return;
  const FsRect grown = { MAX (rect.x0 - margin_px, 0), MAX (rect.y0 - margin_px, 0),
                         MIN (rect.x1 + margin_px, planes->image->width),
                         MIN (rect.y1 + margin_px, planes->image->height) };
  for (int ty = grown.y0 / FS_EDGE_TILE; ty * FS_EDGE_TILE < grown.y1; ty++)
    for (int tx = grown.x0 / FS_EDGE_TILE; tx * FS_EDGE_TILE < grown.x1; tx++) {
      const int i = ty * planes->columns + tx;
      tiles[i] =
          fs_rect_union (tiles[i], fs_rect_intersect (grown, fs_edge_planes_tile (planes, i)));
    }
}

/* --- the job ---------------------------------------------------------------------------------- */

FsEdgeJob *
fs_edge_job_new (FsEdgePlanes *planes)
{
  const gsize n = fs_edge_planes_count_tiles (planes);
  FsEdgeJob *job = g_new0 (FsEdgeJob, 1);
  job->planes = planes;
  job->dirty = g_new0 (FsRect, n);
  job->changed = g_new0 (FsRect, n);
  job->done = g_malloc0 (n);
  job->words = g_new0 (FsEdgeTile *, n);
  return job;
}

void
fs_edge_job_free (FsEdgeJob *job)
{
  if (!job)
    return;
  for (gsize i = 0; i < fs_edge_planes_count_tiles (job->planes); i++)
    g_free (job->words[i]);
  g_free (job->words);
  g_free (job->dirty);
  g_free (job->changed);
  g_free (job->done);
  g_free (job);
}

/* --- mask and zones --------------------------------------------------------------------------- */

static FsEdgeInput
plain_input (const FsEdgeJob *job)
{
  const FsEdgePlanes *planes = job->planes;
  return (FsEdgeInput){ .image = planes->image,
                        .mask = planes->mask,
                        .marks = planes->marks,
                        .zones = job->has_zones ? planes->zones : NULL,
                        .settings = job->settings };
}

/* Where specks and holes came or went, more tiles are dirty than those whose mask changed. */
static gboolean
tidy_mask (FsEdgeJob *job)
{
  FsEdgePlanes *planes = job->planes;
  const gsize n = (gsize)planes->image->width * (gsize)planes->image->height;
  if (job->settings.specks_px == 0 && job->settings.holes_px == 0) {
    g_clear_pointer (&planes->tidy, g_free);
    return TRUE;
  }
  g_autofree uint8_t *tidy = g_try_malloc (n);
  const FsEdgeInput input = plain_input (job);
  if (!tidy)
    return FALSE;
  fs_edge_tidy_mask (&input, tidy);
  const int margin_px = fs_edge_get_radius (&job->settings);
  for (int i = 0; planes->tidy && i < (int)fs_edge_planes_count_tiles (planes); i++) {
    const FsRect rect = fs_edge_planes_compare (planes, i, tidy, planes->tidy);
    fs_edge_planes_add (planes, job->changed, rect, 0);
    fs_edge_planes_add (planes, job->dirty, rect, margin_px);
  }
  g_free (planes->tidy);
  planes->tidy = g_steal_pointer (&tidy);
  return TRUE;
}

static FsEdgeInput
tidy_input (const FsEdgeJob *job)
{
  FsEdgeInput input = plain_input (job);
  if (job->planes->tidy)
    input.mask = job->planes->tidy;
  return input;
}

static GArray *
list_changed (const FsEdgeJob *job)
{
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (FsRect));
  for (gsize i = 0; i < fs_edge_planes_count_tiles (job->planes); i++)
    if (!fs_rect_is_empty (job->changed[i]))
      g_array_append_val (rects, job->changed[i]);
  return rects;
}

/* A zone is solved as a whole, so that its alpha may change far from what changed. */
static gboolean
find_zone_alpha (FsEdgeJob *job)
{
  FsEdgePlanes *planes = job->planes;
  if (!job->has_zones && !planes->alpha) {
    job->has_alpha = TRUE;
    return TRUE;
  }
  const FsEdgeInput input = tidy_input (job);
  const FsProgress progress = { .cancel = &job->cancel };
  g_autoptr (GArray) rects = list_changed (job);
  FsZoneAlpha *alpha =
      fs_zone_alpha_new (&input, planes->alpha, (const FsRect *)(gpointer)rects->data, rects->len,
                         &progress, NULL);
  if (!alpha)
    return FALSE;
  g_autoptr (GArray) others = fs_zone_alpha_list_changed (alpha, planes->alpha);
  for (guint i = 0; i < others->len; i++)
    fs_edge_planes_add (planes, job->dirty, g_array_index (others, FsRect, i),
                        fs_edge_get_radius (&job->settings));
  g_clear_pointer (&planes->alpha, fs_zone_alpha_free);
  planes->alpha = alpha;
  job->has_alpha = TRUE;
  return TRUE;
}

/* --- words ------------------------------------------------------------------------------------ */

/* The word of pixel i of the photo with a hard edge. */
static uint32_t
hard_word (const FsEdgePlanes *planes, const uint8_t *mask, gsize i)
{
  return (planes->image->pixels[i] & 0xffffffu) | (mask[i] ? 0xff000000u : 0);
}

/* A tile as it was before, or with a hard edge. */
static FsEdgeTile *
begin_tile (const FsEdgeJob *job, int i)
{
  const FsEdgePlanes *planes = job->planes;
  const FsRect r = fs_edge_planes_tile (planes, i);
  const FsEdgeTile *previous = job->previous ? job->previous[i] : NULL;
  FsEdgeTile *tile = previous ? g_memdup2 (previous, sizeof *previous) : g_new0 (FsEdgeTile, 1);
  for (int y = r.y0; y < r.y1; y++) {
    const gsize row = (gsize)y * (gsize)planes->image->width;
    uint64_t bits = 0;
    for (int x = r.x0; x < r.x1; x++) {
      bits |= (uint64_t)(planes->mask[row + (gsize)x] != 0) << (x - r.x0);
      if (!previous)
        tile->words[(y - r.y0) * FS_EDGE_TILE + x - r.x0] =
            hard_word (planes, planes->mask, row + (gsize)x);
    }
    tile->mask[y - r.y0] = bits;
  }
  return tile;
}

static gboolean
is_hard (const FsEdgePlanes *planes, const FsEdgeTile *tile, int i)
{
  const FsRect r = fs_edge_planes_tile (planes, i);
  for (int y = r.y0; y < r.y1; y++) {
    const gsize at = (gsize)y * (gsize)planes->image->width + (gsize)r.x0;
    for (int x = 0; x < r.x1 - r.x0; x++)
      if (tile->words[(y - r.y0) * FS_EDGE_TILE + x]
          != hard_word (planes, planes->mask, at + (gsize)x))
        return FALSE;
  }
  return TRUE;
}

/* Tiles that are computed at once, a side: wide edges read far around, so larger areas are worth
 * it; cancellation is asked for in between. */
enum { BLOCK_TILES = 4 };

typedef struct {
  int tiles[BLOCK_TILES * BLOCK_TILES]; /* those that are dirty */
  int n_tiles;
} Block;

typedef struct {
  FsEdgeJob *job;
  GArray *blocks; /* of Block */
  GArray *areas;  /* of FsRect, for each block */
} Blocks;

/* The dirty tiles of the block that begins with these; FALSE where there is none. */
static gboolean
list_dirty (const FsEdgeJob *job, int tx0, int ty0, Block *block, FsRect *area)
{
  const FsEdgePlanes *planes = job->planes;
  *area = (FsRect){ 0 };
  block->n_tiles = 0;
  for (int ty = ty0; ty < MIN (ty0 + BLOCK_TILES, planes->rows); ty++)
    for (int tx = tx0; tx < MIN (tx0 + BLOCK_TILES, planes->columns); tx++) {
      const int i = ty * planes->columns + tx;
      if (fs_rect_is_empty (job->dirty[i]))
        continue;
      block->tiles[block->n_tiles++] = i;
      *area = fs_rect_union (*area, job->dirty[i]);
    }
  return block->n_tiles > 0;
}

/* Takes the part of a tile's words that is in the area; without words they are hard, of the mask
 * without specks and holes. */
static void
copy_words (const FsEdgePlanes *planes, FsEdgeTile *tile, FsRect bounds, FsRect area,
            const uint32_t *words)
{
  const FsRect part = fs_rect_intersect (bounds, area);
  const gsize width = (gsize)(area.x1 - area.x0);
  const uint8_t *mask = planes->tidy ? planes->tidy : planes->mask;
  for (int y = part.y0; y < part.y1; y++) {
    uint32_t *to = tile->words + (y - bounds.y0) * FS_EDGE_TILE - bounds.x0;
    const gsize row = (gsize)y * (gsize)planes->image->width;
    if (words)
      memcpy (to + part.x0, words + (gsize)(y - area.y0) * width + (part.x0 - area.x0),
              (gsize)(part.x1 - part.x0) * sizeof *words);
    for (int x = part.x0; !words && x < part.x1; x++)
      to[x] = hard_word (planes, mask, row + (gsize)x);
  }
}

/* On any thread. */
static void
take_block (gpointer data, int i, const uint32_t *words)
{
  const Blocks *blocks = data;
  FsEdgeJob *job = blocks->job;
  const FsEdgePlanes *planes = job->planes;
  const Block *block = &g_array_index (blocks->blocks, Block, i);
  for (int k = 0; k < block->n_tiles; k++) {
    const int t = block->tiles[k];
    if (words || planes->tidy || (job->previous && job->previous[t])) {
      FsEdgeTile *tile = begin_tile (job, t);
      copy_words (planes, tile, fs_edge_planes_tile (planes, t),
                  g_array_index (blocks->areas, FsRect, i), words);
      if (is_hard (planes, tile, t))
        g_clear_pointer (&tile, g_free);
      job->words[t] = tile;
    }
    job->done[t] = 1;
  }
}

void
fs_edge_job_run (FsEdgeJob *job)
{
  const FsEdgePlanes *planes = job->planes;
  const FsProgress progress = { .cancel = &job->cancel };
  if (!tidy_mask (job) || !find_zone_alpha (job))
    return;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Block));
  g_autoptr (GArray) areas = g_array_new (FALSE, FALSE, sizeof (FsRect));
  for (int ty = 0; ty < planes->rows; ty += BLOCK_TILES)
    for (int tx = 0; tx < planes->columns; tx += BLOCK_TILES) {
      Block block;
      FsRect area;
      if (!list_dirty (job, tx, ty, &block, &area))
        continue;
      g_array_append_val (list, block);
      g_array_append_val (areas, area);
    }
  Blocks blocks = { job, list, areas };
  const FsEdgeInput input = tidy_input (job);
  fs_edge_find_areas (&input, planes->alpha, (const FsRect *)(gpointer)areas->data, (int)areas->len,
                      &progress, take_block, &blocks);
}
