/* SPDX-License-Identifier: MIT */
#include "app/mask_strokes.h"

#include "app/display_name.h"
#include "app/photo.h"

#include <glib/gi18n.h>
#include <math.h>

/* A brush that covers a cell with its corners. */
#define RADIUS_CELLS 0.75
#define CELL_MIN_PX  2

typedef struct {
  const uint8_t *labels;
  int width, height;
  int cell_px, columns, rows;
  uint8_t *inside; /* [rows · columns]: the label that a cell lies wholly in, or none */
} Cells;

static double
radius_px (const Cells *cells)
{
  return RADIUS_CELLS * cells->cell_px;
}

static gboolean
is_all (const Cells *cells, FsRect r, uint8_t label)
{
  for (int y = r.y0; y < r.y1; y++)
    for (int x = r.x0; x < r.x1; x++)
      if (cells->labels[(gsize)y * (gsize)cells->width + (gsize)x] != label)
        return FALSE;
  return TRUE;
}

/* With all that the brush may paint from its centre, and a pixel more. */
static uint8_t
label_of_cell (const Cells *cells, int column, int row)
{
  double x = (column + 0.5) * cells->cell_px, y = (row + 0.5) * cells->cell_px;
  double reach = radius_px (cells) + 1;
  FsRect r = { MAX (0, (int)floor (x - reach)), MAX (0, (int)floor (y - reach)),
               MIN (cells->width, (int)ceil (x + reach)),
               MIN (cells->height, (int)ceil (y + reach)) };
  uint8_t label = cells->labels[(gsize)r.y0 * (gsize)cells->width + (gsize)r.x0];
  if (label != FS_SEED_BACKGROUND && label != FS_SEED_OBJECT)
    return FS_SEED_NONE;
  return is_all (cells, r, label) ? label : FS_SEED_NONE;
}

static void
look_at_cells (Cells *cells)
{
  for (int row = 0; row < cells->rows; row++)
    for (int column = 0; column < cells->columns; column++)
      cells->inside[row * cells->columns + column] = label_of_cell (cells, column, row);
}

/* ---- Walks ---- */

static void
add_sample (const Cells *cells, FsStroke *stroke, int cell)
{
  FsSample sample = { (float)((cell % cells->columns + 0.5) * cells->cell_px),
                      (float)((cell / cells->columns + 0.5) * cells->cell_px), 1, 0 };
  g_array_append_val (stroke->samples, sample);
}

/* A neighbour of the same label that nobody has been to, or −1. */
static int
next_cell (const Cells *cells, int cell, uint8_t label)
{
  int column = cell % cells->columns, row = cell / cells->columns;
  if (column + 1 < cells->columns && cells->inside[cell + 1] == label)
    return cell + 1;
  if (column > 0 && cells->inside[cell - 1] == label)
    return cell - 1;
  if (row + 1 < cells->rows && cells->inside[cell + cells->columns] == label)
    return cell + cells->columns;
  if (row > 0 && cells->inside[cell - cells->columns] == label)
    return cell - cells->columns;
  return -1;
}

/* Walks over the piece that `cell` is in, and takes it out of the plane. */
static FsStroke *
walk (Cells *cells, int cell, GArray *way)
{
  uint8_t label = cells->inside[cell];
  FsStroke *stroke = fs_stroke_new (label, (float)radius_px (cells));
  g_array_set_size (way, 0);
  g_array_append_val (way, cell);
  cells->inside[cell] = FS_SEED_NONE;
  add_sample (cells, stroke, cell);
  while (way->len > 0) {
    cell = g_array_index (way, int, way->len - 1);
    int next = next_cell (cells, cell, label);
    if (next >= 0) {
      cells->inside[next] = FS_SEED_NONE;
      g_array_append_val (way, next);
    } else {
      g_array_set_size (way, way->len - 1);
      next = way->len > 0 ? g_array_index (way, int, way->len - 1) : -1;
    }
    if (next >= 0)
      add_sample (cells, stroke, next);
  }
  return stroke;
}

/* Background first, then the longer way. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const FsStroke *stroke_a = *(FsStroke *const *)a, *stroke_b = *(FsStroke *const *)b;
  if (stroke_a->label != stroke_b->label)
    return stroke_a->label < stroke_b->label ? -1 : 1;
  guint n_a = stroke_a->samples->len, n_b = stroke_b->samples->len;
  return n_a > n_b ? -1 : n_a < n_b ? 1 : 0;
}

static void
keep_largest (GPtrArray *strokes)
{
  guint n_of[FS_SEED_OBJECT + 1] = { 0 };
  g_ptr_array_sort (strokes, compare);
  for (guint i = 0; i < strokes->len;) {
    const FsStroke *stroke = strokes->pdata[i];
    if (n_of[stroke->label]++ < FS_MASK_STROKES_MAX)
      i++;
    else
      g_ptr_array_remove_index (strokes, i);
  }
}

GPtrArray *
fs_mask_strokes_new (const uint8_t *labels, int width, int height)
{
  g_return_val_if_fail (labels && width > 0 && height > 0, NULL);

  Cells cells = { .labels = labels, .width = width, .height = height };
  cells.cell_px = MAX (CELL_MIN_PX, MAX (width, height) / FS_MASK_STROKES_CELLS);
  cells.columns = MAX (1, width / cells.cell_px);
  cells.rows = MAX (1, height / cells.cell_px);
  g_autofree uint8_t *inside = g_try_malloc_n ((gsize)cells.columns, (gsize)cells.rows);
  if (!inside)
    return NULL;
  cells.inside = inside;
  look_at_cells (&cells);
  GPtrArray *strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (int));
  for (int cell = 0; cell < cells.columns * cells.rows; cell++)
    if (inside[cell] != FS_SEED_NONE)
      g_ptr_array_add (strokes, walk (&cells, cell, way));
  keep_largest (strokes);
  return strokes;
}

/* ---- The file ---- */

static gboolean
has_transparent_parts (const FsImage *image, gsize n)
{
  for (gsize i = 0; image->has_alpha && i < n; i++)
    if (FS_PIXEL_A (image->pixels[i]) < 128)
      return TRUE;
  return FALSE;
}

/* Rec. 601's weights, in 256ths. */
static guint
brightness (uint32_t pixel)
{
  return (77u * FS_PIXEL_R (pixel) + 150u * FS_PIXEL_G (pixel) + 29u * FS_PIXEL_B (pixel)) >> 8;
}

uint8_t *
fs_mask_strokes_load (const char *path, int width, int height, GCancellable *cancellable,
                      GError **error)
{
  g_return_val_if_fail (path && width > 0 && height > 0, NULL);

  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, cancellable, error);
  if (!photo)
    return NULL;
  const FsImage *image = photo->image;
  g_autofree char *name = fs_display_name (path);
  if (image->width != width || image->height != height) {
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT,
                 _ ("%s: is %d × %d pixels, but the photo is %d × %d"), name, image->width,
                 image->height, width, height);
    return NULL;
  }
  gsize n = (gsize)width * (gsize)height;
  gboolean by_alpha = has_transparent_parts (image, n);
  uint8_t *labels = g_try_malloc (n);
  if (!labels) {
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT, _ ("%s: there is not enough memory"),
                 name);
    return NULL;
  }
  for (gsize i = 0; i < n; i++) {
    uint32_t pixel = image->pixels[i];
    guint value = by_alpha ? FS_PIXEL_A (pixel) : brightness (pixel);
    labels[i] = value >= 128 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
  }
  return labels;
}
