/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_tiles.h"

#include "energy/edge/box_sums.h"
#include "energy/edge/edge_alpha.h"
#include "energy/edge/edge_colours.h"
#include "energy/edge/edge_shape.h"

/* The sides of tiles, of a power of two pixels. Wide margins are worth larger tiles. */
enum { SMALL_SIDE = 64, LARGE_SIDE = 128, AUTO_SIDE = 256 };
/* The first width that has large ones. */
#define LARGE_SINCE 12

struct FsEdgeTiles {
  FsEdgeInput input;
  const FsZoneAlpha *zones;
  FsRect photo;
  int side;
  GMutex lock;
  GSList *idle; /* of Worker, behind the lock */
};

/* A thread's memory. */
typedef struct {
  FsEdgeWindow window;
  FsEdgeAlpha alpha;
  int mask_margin; /* around the alpha area */
} Worker;

/* ---- A thread's memory ---- */

static gboolean
worker_init (Worker *worker, const FsEdgeTiles *tiles)
{
  FsEdgeWindow *w = &worker->window;
  const int smooth = tiles->input.settings.smooth_px;
  const int alpha_side = tiles->side + 2 * fs_edge_colours_get_margin (&tiles->input.settings);
  w->input = &tiles->input;
  w->zones = tiles->zones;
  w->photo = tiles->photo;
  if (!fs_edge_alpha_init (&worker->alpha, &tiles->input, alpha_side))
    return FALSE;
  worker->mask_margin = fs_edge_alpha_get_margin (&tiles->input.settings);
  const gsize side = (gsize)(alpha_side + 2 * (worker->mask_margin + smooth));
  w->mask = g_try_malloc (side * side);
  w->alpha = g_try_malloc ((gsize)alpha_side * (gsize)alpha_side);
  w->wanted = g_try_malloc ((gsize)alpha_side * (gsize)alpha_side);
  const gsize n_columns = side + (gsize)(2 * smooth);
  w->columns = g_try_malloc_n (n_columns, sizeof *w->columns);
  w->column_rows = g_try_malloc_n (n_columns, sizeof *w->column_rows);
  w->box_columns = g_try_malloc_n (n_columns, FS_BOX_SUMS_MAX * sizeof *w->box_columns);
  w->means = smooth > 0 ? g_try_malloc_n (n_columns * n_columns, sizeof *w->means) : NULL;
  return w->mask && w->alpha && w->wanted && w->columns && w->column_rows && w->box_columns
         && (w->means || smooth == 0);
}

static void
worker_free (Worker *worker)
{
  if (!worker)
    return;
  fs_edge_alpha_clear (&worker->alpha);
  g_free (worker->window.mask);
  g_free (worker->window.alpha);
  g_free (worker->window.wanted);
  g_free (worker->window.columns);
  g_free (worker->window.column_rows);
  g_free (worker->window.box_columns);
  g_free (worker->window.means);
  g_free (worker);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Worker, worker_free)

/* A thread's that is done with it, or a new one. */
static Worker *
get_worker (FsEdgeTiles *tiles)
{
  g_mutex_lock (&tiles->lock);
  GSList *first = tiles->idle;
  tiles->idle = g_slist_remove_link (tiles->idle, first);
  g_mutex_unlock (&tiles->lock);
  g_autoptr (Worker) worker = first ? first->data : g_new0 (Worker, 1);
  const gboolean is_fit = first || worker_init (worker, tiles);
  g_slist_free (first);
  return is_fit ? g_steal_pointer (&worker) : NULL;
}

static void
put_worker (FsEdgeTiles *tiles, Worker *worker)
{
  g_mutex_lock (&tiles->lock);
  tiles->idle = g_slist_prepend (tiles->idle, worker);
  g_mutex_unlock (&tiles->lock);
}

/* ---- Where there is work ---- */

/* Adds those pixels of the tile whose squares have the neighbours (x, y) and (x + dx, y + dy). */
static void
add_border (FsRect *work, FsRect tile, int x, int y, int dx, int dy, int radius)
{
  const FsRect near = { x + dx - radius, y + dy - radius, x + radius + 1, y + radius + 1 };
  *work = fs_rect_union (*work, fs_rect_intersect (near, tile));
}

static void
add_borders_of_row (const FsEdgeTiles *tiles, FsRect *work, FsRect tile, FsRect halo, int y,
                    int radius)
{
  const uint8_t *row = tiles->input.mask + (gsize)y * (gsize)tiles->photo.x1,
                *below = row + tiles->photo.x1;
  const gboolean has_below = y + 1 < halo.y1;
  const gsize n = (gsize)(halo.x1 - halo.x0);
  if (memcmp (row + halo.x0, row + halo.x0 + 1, n - 1) == 0
      && (!has_below || memcmp (row + halo.x0, below + halo.x0, n) == 0))
    return;
  for (int x = halo.x0; x < halo.x1; x++) {
    if (x + 1 < halo.x1 && !row[x] != !row[x + 1])
      add_border (work, tile, x, y, 1, 0, radius);
    if (has_below && !row[x] != !below[x])
      add_border (work, tile, x, y, 0, 1, radius);
  }
}

/* Rounded corners lie off the mask's border. */
static int
border_radius (const FsEdgeSettings *settings)
{
  return fs_edge_alpha_get_radius (settings) + 2 * settings->smooth_px;
}

/* Where all pixels lie that may have another word than mask and photo give. */
static FsRect
find_work (const FsEdgeTiles *tiles, FsRect tile)
{
  const int radius = border_radius (&tiles->input.settings);
  const FsRect halo = fs_rect_intersect (tiles->photo, fs_rect_widen (tile, radius));
  FsRect work = { 0 };
  for (int y = halo.y0; y < halo.y1; y++)
    add_borders_of_row (tiles, &work, tile, halo, y, radius);
  if (tiles->zones)
    work = fs_rect_union (work,
                          fs_zone_alpha_find (tiles->zones, tile,
                                              fs_edge_get_shift_margin (&tiles->input.settings)));
  return work;
}

/* ---- Words ---- */

static void
fill_hard (const FsEdgeTiles *tiles, FsRect area, uint32_t *words, gsize stride)
{
  for (int y = area.y0; y < area.y1; y++, words += stride) {
    const gsize from = (gsize)y * (gsize)tiles->photo.x1 + (gsize)area.x0;
    const uint32_t *pixels = tiles->input.image->pixels + from;
    const uint8_t *mask = tiles->input.mask + from;
    for (int x = 0; x < area.x1 - area.x0; x++)
      words[x] = (pixels[x] & 0xffffffu) | (mask[x] ? 0xff000000u : 0);
  }
}

static void
find_words (const FsEdgeTiles *tiles, Worker *worker, FsRect work, uint32_t *words, gsize stride)
{
  const FsRect photo = tiles->photo;
  FsEdgeWindow *w = &worker->window;
  w->alpha_area =
      fs_rect_intersect (photo,
                         fs_rect_widen (work, fs_edge_colours_get_margin (&tiles->input.settings)));
  w->mask_area = fs_rect_intersect (photo, fs_rect_widen (w->alpha_area, worker->mask_margin));
  fs_edge_fill_mask (w);
  fs_edge_alpha_find (&worker->alpha, w);
  fs_edge_colours_find (w, work, words, stride);
}

gboolean
fs_edge_tiles_are_hard (const FsEdgeTiles *self, FsRect area)
{
  return fs_rect_is_empty (find_work (self, area));
}

static gboolean
find_tile (FsEdgeTiles *tiles, FsRect tile, uint32_t *words, gsize stride)
{
  const FsRect work = find_work (tiles, tile);
  fill_hard (tiles, tile, words, stride);
  if (fs_rect_is_empty (work))
    return TRUE;
  Worker *worker = get_worker (tiles);
  if (!worker)
    return FALSE;
  find_words (tiles, worker, work,
              words + (gsize)(work.y0 - tile.y0) * stride + (gsize)(work.x0 - tile.x0), stride);
  put_worker (tiles, worker);
  return TRUE;
}

gboolean
fs_edge_tiles_find (FsEdgeTiles *self, FsRect area, uint32_t *words, gsize stride)
{
  const int side = self->side;
  for (int y = area.y0 / side * side; y < area.y1; y += side)
    for (int x = area.x0 / side * side; x < area.x1; x += side) {
      const FsRect tile = fs_rect_intersect (area, (FsRect){ x, y, x + side, y + side });
      if (!find_tile (self, tile,
                      words + (gsize)(tile.y0 - area.y0) * stride + (gsize)(tile.x0 - area.x0),
                      stride))
        return FALSE;
    }
  return TRUE;
}

/* ---- All ---- */

static int
tile_side (const FsEdgeSettings *settings)
{
  if (settings->width_px == FS_EDGE_WIDTH_AUTO)
    return AUTO_SIDE;
  return settings->width_px < LARGE_SINCE ? SMALL_SIDE : LARGE_SIDE;
}

FsEdgeTiles *
fs_edge_tiles_new (const FsEdgeInput *input, const FsZoneAlpha *zones)
{
  FsEdgeTiles *self = g_new0 (FsEdgeTiles, 1);
  self->input = *input;
  self->zones = zones;
  self->photo = (FsRect){ 0, 0, input->image->width, input->image->height };
  self->side = tile_side (&input->settings);
  g_mutex_init (&self->lock);
  return self;
}

void
fs_edge_tiles_free (FsEdgeTiles *self)
{
  if (!self)
    return;
  for (GSList *l = self->idle; l; l = l->next)
    worker_free (l->data);
  g_slist_free (self->idle);
  g_mutex_clear (&self->lock);
  g_free (self);
}

int
fs_edge_tiles_get_side (const FsEdgeTiles *self)
{
  return self->side;
}
