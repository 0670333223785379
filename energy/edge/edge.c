/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge.h"

#include "energy/edge/edge_alpha.h"
#include "energy/edge/edge_colours.h"
#include "energy/edge/edge_tiles.h"
#include "energy/image/row_threads.h"

struct FsEdge {
  FsEdgeTiles *tiles;
  FsRect area;    /* whose rows are asked for                     */
  int strip;      /* of tiles, whose rows are there; −1: none     */
  uint32_t *rows; /* [a tile's side · the area's width]           */
  int next;       /* atomic; the x of the next tile of the strip  */
  int is_short;   /* atomic; a thread of this strip had no memory */
};

/* ---- Rows ---- */

static gsize
area_width (const FsEdge *edge)
{
  return (gsize)(edge->area.x1 - edge->area.x0);
}

/* The word of pixel (x, y) of the photo. */
static uint32_t *
word_at (const FsEdge *edge, int x, int y)
{
  return edge->rows + (gsize)(y % fs_edge_tiles_get_side (edge->tiles)) * area_width (edge)
         + (gsize)(x - edge->area.x0);
}

/* Tiles of those of the strip that the area meets, until there is none left. */
static void
do_tiles (int t0, int t1, gpointer data)
{
  FsEdge *edge = data;
  const int side = fs_edge_tiles_get_side (edge->tiles), y = edge->strip * side;
  for (int x; (x = g_atomic_int_add (&edge->next, side)) < edge->area.x1;) {
    const FsRect tile = fs_rect_intersect (edge->area, (FsRect){ x, y, x + side, y + side });
    if (!fs_edge_tiles_find (edge->tiles, tile, word_at (edge, tile.x0, tile.y0),
                             area_width (edge)))
      g_atomic_int_set (&edge->is_short, TRUE);
  }
}

static void
make_strip (FsEdge *edge, int strip)
{
  const int side = fs_edge_tiles_get_side (edge->tiles), first = edge->area.x0 / side;
  edge->strip = strip;
  edge->next = first * side;
  edge->is_short = FALSE;
  fs_row_threads_run_each ((edge->area.x1 - 1) / side - first + 1, do_tiles, edge);
}

const uint32_t *
fs_edge_get_row (FsEdge *self, int y)
{
  g_return_val_if_fail (self && y >= self->area.y0 && y < self->area.y1, NULL);
  const int strip = y / fs_edge_tiles_get_side (self->tiles);
  if (strip != self->strip)
    make_strip (self, strip);
  if (!self->is_short)
    return word_at (self, self->area.x0, y);
  self->strip = -1;
  return NULL;
}

static void
copy_row (const uint32_t *words, const uint32_t *pixels, int width, uint32_t *out)
{
  for (int x = 0; x < width; x++)
    out[x] = fs_edge_over (words[x], pixels[x]);
}

static FsImage *
refuse_memory (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory for the edge");
  return NULL;
}

FsImage *
fs_edge_render (const FsEdgeInput *input, const FsZoneAlpha *zones, FsRect area,
                const FsProgress *progress, GError **error)
{
  g_autoptr (FsEdge) edge = fs_edge_new (input, zones, area);
  g_autoptr (FsImage) picture = edge ? fs_image_new (area.x1 - area.x0, area.y1 - area.y0) : NULL;
  if (!picture)
    return refuse_memory (error);
  picture->has_alpha = TRUE;
  for (int y = area.y0; y < area.y1; y++) {
    if (fs_progress_is_cancelled (progress)) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the edge was cancelled");
      return NULL;
    }
    const uint32_t *words = fs_edge_get_row (edge, y);
    if (!words)
      return refuse_memory (error);
    copy_row (words, input->image->pixels + (gsize)y * (gsize)input->image->width + area.x0,
              picture->width, picture->pixels + (gsize)(y - area.y0) * (gsize)picture->width);
  }
  return g_steal_pointer (&picture);
}

/* ---- Areas ---- */

typedef struct {
  FsEdgeTiles *tiles;
  const FsRect *areas;
  int n_areas;
  int next;     /* atomic */
  int is_short; /* atomic */
  const FsProgress *progress;
  FsEdgeTake take;
  gpointer data;
} Areas;

static gboolean
find_area (const Areas *areas, int i)
{
  const FsRect area = areas->areas[i];
  if (fs_edge_tiles_are_hard (areas->tiles, area)) {
    areas->take (areas->data, i, NULL);
    return TRUE;
  }
  const gsize width = (gsize)(area.x1 - area.x0), height = (gsize)(area.y1 - area.y0);
  g_autofree uint32_t *words = g_try_malloc_n (width * height, sizeof *words);
  if (!words || !fs_edge_tiles_find (areas->tiles, area, words, width))
    return FALSE;
  areas->take (areas->data, i, words);
  return TRUE;
}

static void
do_areas (int t0, int t1, gpointer data)
{
  Areas *areas = data;
  for (int i; !fs_progress_is_cancelled (areas->progress) && !g_atomic_int_get (&areas->is_short)
              && (i = g_atomic_int_add (&areas->next, 1)) < areas->n_areas;)
    if (!find_area (areas, i))
      g_atomic_int_set (&areas->is_short, TRUE);
}

gboolean
fs_edge_find_areas (const FsEdgeInput *input, const FsZoneAlpha *zones, const FsRect *rects,
                    int n_rects, const FsProgress *progress, FsEdgeTake take, gpointer data)
{
  g_return_val_if_fail (input && input->image && input->mask, FALSE);
  g_return_val_if_fail (fs_edge_settings_are_valid (&input->settings), FALSE);
  g_autoptr (FsEdgeTiles) tiles = fs_edge_tiles_new (input, zones);
  Areas areas = { .tiles = tiles,
                  .areas = rects,
                  .n_areas = n_rects,
                  .progress = progress,
                  .take = take,
                  .data = data };
  fs_row_threads_run_each (n_rects, do_areas, &areas);
  return !areas.is_short && !fs_progress_is_cancelled (progress);
}

/* ---- All ---- */

int
fs_edge_get_radius (const FsEdgeSettings *settings)
{
  return fs_edge_colours_get_margin (settings) + fs_edge_alpha_get_margin (settings)
         + 2 * settings->smooth_px;
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
  self->tiles = fs_edge_tiles_new (input, zones);
  self->area = area;
  self->strip = -1;
  self->rows = g_try_malloc_n (area_width (self) * (gsize)fs_edge_tiles_get_side (self->tiles),
                               sizeof *self->rows);
  return self->rows ? g_steal_pointer (&self) : NULL;
}

void
fs_edge_free (FsEdge *self)
{
  if (!self)
    return;
  g_free (self->rows);
  fs_edge_tiles_free (self->tiles);
  g_free (self);
}
