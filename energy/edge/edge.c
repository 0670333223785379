/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge.h"

#include "energy/edge/box_sums.h"
#include "energy/edge/edge_alpha.h"
#include "energy/edge/edge_colours.h"
#include "energy/edge/edge_shape.h"
#include "energy/image/row_threads.h"

/* The sides of tiles, of a power of two pixels. Wide margins are worth larger tiles. */
enum { SMALL_SIDE = 64, LARGE_SIDE = 128, AUTO_SIDE = 256 };
/* The first width that has large ones. */
#define LARGE_SINCE 12

struct FsEdge {
  FsEdgeInput input;
  const FsZoneAlpha *zones;
  FsRect photo;
  FsRect area;    /* whose rows are asked for */
  int side;       /* of tiles; a strip of rows is a row of tiles   */
  int strip;      /* whose rows are there; −1: none                */
  uint32_t *rows; /* [side · the area's width]                     */
  int next;       /* atomic; the next tile of the strip            */
  int is_short;   /* atomic; a thread of this strip had no memory  */
};

/* A thread's own. */
typedef struct {
  const FsEdge *edge;
  FsEdgeWindow window;
  FsEdgeAlpha alpha;
  int mask_margin; /* around the alpha area */
} Worker;

/* ---- A thread's memory ---- */

static gboolean
worker_init (Worker *worker, const FsEdge *edge)
{
  FsEdgeWindow *w = &worker->window;
  const int smooth = edge->input.settings.smooth_px;
  const int alpha_side = edge->side + 2 * fs_edge_colours_get_margin (&edge->input.settings);
  worker->edge = edge;
  w->input = &edge->input;
  w->zones = edge->zones;
  w->photo = edge->photo;
  if (!fs_edge_alpha_init (&worker->alpha, &edge->input, alpha_side))
    return FALSE;
  worker->mask_margin = fs_edge_alpha_get_margin (&edge->input.settings);
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
worker_clear (Worker *worker)
{
  fs_edge_alpha_clear (&worker->alpha);
  g_free (worker->window.mask);
  g_free (worker->window.alpha);
  g_free (worker->window.wanted);
  g_free (worker->window.columns);
  g_free (worker->window.column_rows);
  g_free (worker->window.box_columns);
  g_free (worker->window.means);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Worker, worker_clear)

/* ---- Where there is work ---- */

/* Adds those pixels of the tile whose squares have the neighbours (x, y) and (x + dx, y + dy). */
static void
add_border (FsRect *work, FsRect tile, int x, int y, int dx, int dy, int radius)
{
  const FsRect near = { x + dx - radius, y + dy - radius, x + radius + 1, y + radius + 1 };
  *work = fs_rect_union (*work, fs_rect_intersect (near, tile));
}

static void
add_borders_of_row (const FsEdge *edge, FsRect *work, FsRect tile, FsRect halo, int y, int radius)
{
  const uint8_t *row = edge->input.mask + (gsize)y * (gsize)edge->photo.x1,
                *below = row + edge->photo.x1;
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
find_work (const FsEdge *edge, FsRect tile)
{
  const int radius = border_radius (&edge->input.settings);
  const FsRect halo = fs_rect_intersect (edge->photo, fs_rect_widen (tile, radius));
  FsRect work = { 0 };
  for (int y = halo.y0; y < halo.y1; y++)
    add_borders_of_row (edge, &work, tile, halo, y, radius);
  if (edge->zones)
    work =
        fs_rect_union (work, fs_zone_alpha_find (edge->zones, tile,
                                                 fs_edge_get_shift_margin (&edge->input.settings)));
  return work;
}

/* ---- Tiles ---- */

static gsize
area_width (const FsEdge *edge)
{
  return (gsize)(edge->area.x1 - edge->area.x0);
}

/* The word of pixel (x, y) of the photo. */
static uint32_t *
word_at (const FsEdge *edge, int x, int y)
{
  return edge->rows + (gsize)(y % edge->side) * area_width (edge) + (gsize)(x - edge->area.x0);
}

static void
find_words (Worker *worker, FsRect work)
{
  const FsEdge *edge = worker->edge;
  FsEdgeWindow *w = &worker->window;
  w->alpha_area =
      fs_rect_intersect (edge->photo,
                         fs_rect_widen (work, fs_edge_colours_get_margin (&edge->input.settings)));
  w->mask_area =
      fs_rect_intersect (edge->photo, fs_rect_widen (w->alpha_area, worker->mask_margin));
  fs_edge_fill_mask (w);
  fs_edge_alpha_find (&worker->alpha, w);
  fs_edge_colours_find (w, work, word_at (edge, work.x0, work.y0), area_width (edge));
}

/* Tiles of those of the strip that the area meets, until there is none left. */
static void
do_tiles (int t0, int t1, gpointer data)
{
  FsEdge *edge = data;
  const int end = (edge->area.x1 - 1) / edge->side + 1, y = edge->strip * edge->side;
  g_auto (Worker) worker = { 0 };
  for (int t; (t = g_atomic_int_add (&edge->next, 1)) < end;) {
    const FsRect tile = { t * edge->side, y, (t + 1) * edge->side, y + edge->side };
    const FsRect work =
        fs_rect_intersect (find_work (edge, fs_rect_intersect (tile, edge->photo)), edge->area);
    if (fs_rect_is_empty (work))
      continue;
    if (!worker.edge && !worker_init (&worker, edge)) {
      g_atomic_int_set (&edge->is_short, TRUE);
      return;
    }
    find_words (&worker, work);
  }
}

static void
put_hard_row (FsEdge *edge, int y)
{
  const gsize from = (gsize)y * (gsize)edge->photo.x1 + (gsize)edge->area.x0;
  const uint32_t *pixels = edge->input.image->pixels + from;
  const uint8_t *mask = edge->input.mask + from;
  uint32_t *row = word_at (edge, edge->area.x0, y);
  for (gsize x = 0; x < area_width (edge); x++)
    row[x] = (pixels[x] & 0xffffffu) | (mask[x] ? 0xff000000u : 0);
}

static void
make_strip (FsEdge *edge, int strip)
{
  const FsRect *area = &edge->area;
  edge->strip = strip;
  edge->next = area->x0 / edge->side;
  edge->is_short = FALSE;
  for (int y = MAX (area->y0, strip * edge->side); y < MIN (area->y1, (strip + 1) * edge->side);
       y++)
    put_hard_row (edge, y);
  fs_row_threads_run_each ((area->x1 - 1) / edge->side - area->x0 / edge->side + 1, do_tiles, edge);
}

const uint32_t *
fs_edge_get_row (FsEdge *self, int y)
{
  g_return_val_if_fail (self && y >= self->area.y0 && y < self->area.y1, NULL);
  if (y / self->side != self->strip)
    make_strip (self, y / self->side);
  if (!self->is_short)
    return word_at (self, self->area.x0, y);
  self->strip = -1;
  return NULL;
}

FsImage *
fs_edge_render (const FsEdgeInput *input, const FsZoneAlpha *zones, FsRect area)
{
  g_autoptr (FsEdge) edge = fs_edge_new (input, zones, area);
  g_autoptr (FsImage) picture = edge ? fs_image_new (area.x1 - area.x0, area.y1 - area.y0) : NULL;
  if (!picture)
    return NULL;
  picture->has_alpha = TRUE;
  for (int y = 0; y < picture->height; y++) {
    const gsize from = (gsize)(area.y0 + y) * (gsize)input->image->width + (gsize)area.x0;
    uint32_t *out = picture->pixels + (gsize)y * (gsize)picture->width;
    const uint32_t *words = fs_edge_get_row (edge, area.y0 + y);
    if (!words)
      return NULL;
    for (int x = 0; x < picture->width; x++)
      out[x] = fs_edge_over (words[x], input->image->pixels[from + (gsize)x]);
  }
  return g_steal_pointer (&picture);
}

int
fs_edge_get_radius (const FsEdgeSettings *settings)
{
  return fs_edge_colours_get_margin (settings) + fs_edge_alpha_get_margin (settings)
         + 2 * settings->smooth_px;
}

static int
tile_side (const FsEdgeSettings *settings)
{
  if (settings->width_px == FS_EDGE_WIDTH_AUTO)
    return AUTO_SIDE;
  return settings->width_px < LARGE_SINCE ? SMALL_SIDE : LARGE_SIDE;
}

FsEdge *
fs_edge_new (const FsEdgeInput *input, const FsZoneAlpha *zones, FsRect area)
{
  g_return_val_if_fail (input && input->image && input->mask, NULL);
  g_return_val_if_fail (fs_edge_settings_are_valid (&input->settings), NULL);
  const FsRect photo = { 0, 0, input->image->width, input->image->height };
  g_return_val_if_fail (!fs_rect_is_empty (area) && area.x0 >= 0 && area.x1 <= photo.x1, NULL);
  g_return_val_if_fail (area.y0 >= 0 && area.y1 <= photo.y1, NULL);
  g_autoptr (FsEdge) self = g_new0 (FsEdge, 1);
  *self = (FsEdge){ .input = *input,
                    .zones = zones,
                    .photo = photo,
                    .area = area,
                    .side = tile_side (&input->settings),
                    .strip = -1 };
  self->rows = g_try_malloc_n (area_width (self) * (gsize)self->side, sizeof *self->rows);
  return self->rows ? g_steal_pointer (&self) : NULL;
}

void
fs_edge_free (FsEdge *self)
{
  if (!self)
    return;
  g_free (self->rows);
  g_free (self);
}
