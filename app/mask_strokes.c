/* SPDX-License-Identifier: MIT */
#include "app/mask_strokes.h"

#include "app/display_name.h"
#include "app/mask_parts.h"
#include "app/photo.h"

#include <glib/gi18n.h>
#include <math.h>

/* A brush that covers a cell with its corners. */
#define RADIUS_CELLS 0.75
#define CELL_MIN_PX  2
/* A part of more pixels is not walked over pixel by pixel where a cell lies in it. */
enum { LARGE_PART = 4096 };

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

/* Walks over all pieces of the plane. */
static void
walk_all (Cells *cells, GPtrArray *strokes)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (int));
  for (int cell = 0; cell < cells->columns * cells->rows; cell++)
    if (cells->inside[cell] != FS_SEED_NONE)
      g_ptr_array_add (strokes, walk (cells, cell, way));
}

/* ---- Parts that no cell lies in ---- */

static FsMaskPart *
part_of (const FsMaskParts *parts, const FsStroke *stroke)
{
  const FsSample *sample = &g_array_index (stroke->samples, FsSample, 0);
  int x = MIN ((int)sample->x, parts->width - 1), y = MIN ((int)sample->y, parts->height - 1);
  int32_t part = parts->of[(gsize)y * (gsize)parts->width + (gsize)x];
  return part >= 0 ? fs_mask_parts_get (parts, (guint)part) : NULL;
}

static void
note_met (const FsMaskParts *parts, const GPtrArray *strokes)
{
  for (guint i = 0; i < strokes->len; i++) {
    FsMaskPart *part = part_of (parts, strokes->pdata[i]);
    if (part)
      part->is_met = TRUE;
  }
}

/* The labels of the parts that no stroke has met, and that have so many pixels at least. */
static void
leave_unmet (const FsMaskParts *parts, uint32_t n_least, uint8_t *labels)
{
  gsize n = (gsize)parts->width * (gsize)parts->height;
  for (gsize p = 0; p < n; p++) {
    const FsMaskPart *part =
        parts->of[p] >= 0 ? fs_mask_parts_get (parts, (guint)parts->of[p]) : NULL;
    labels[p] = part && !part->is_met && !part->is_too_small && part->n_pixels >= n_least
                    ? part->label
                    : FS_SEED_NONE;
  }
}

static gboolean
is_beside_others (const FsMaskParts *parts, gsize p)
{
  gsize width = (gsize)parts->width, n = width * (gsize)parts->height, x = p % width;
  int32_t part = parts->of[p];
  return (x > 0 && parts->of[p - 1] != part) || (x + 1 < width && parts->of[p + 1] != part)
         || (p >= width && parts->of[p - width] != part)
         || (p + width < n && parts->of[p + width] != part);
}

/* Takes its outermost pixels off each part where more than half of it is left. */
static void
shave (const FsMaskParts *parts, uint8_t *labels)
{
  gsize n = (gsize)parts->width * (gsize)parts->height;
  g_autofree uint32_t *n_inner = g_new0 (uint32_t, parts->list->len);
  for (gsize p = 0; p < n; p++)
    if (labels[p] != FS_SEED_NONE)
      n_inner[parts->of[p]] += !is_beside_others (parts, p);
  for (gsize p = 0; p < n; p++) {
    const FsMaskPart *part =
        labels[p] != FS_SEED_NONE ? fs_mask_parts_get (parts, (guint)parts->of[p]) : NULL;
    if (part && 2 * n_inner[parts->of[p]] > part->n_pixels && is_beside_others (parts, p))
      labels[p] = FS_SEED_NONE;
  }
}

static int
compare_parts (gconstpointer a, gconstpointer b, gpointer data)
{
  uint32_t n_a = fs_mask_parts_get (data, *(const guint *)a)->n_pixels;
  uint32_t n_b = fs_mask_parts_get (data, *(const guint *)b)->n_pixels;
  return n_a > n_b ? -1 : n_a < n_b;
}

/* All but the largest of each label are too small. */
static void
choose_largest (FsMaskParts *parts)
{
  g_autoptr (GArray) unmet = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_of[FS_SEED_OBJECT + 1] = { 0 };
  for (guint i = 0; i < parts->list->len; i++)
    if (!fs_mask_parts_get (parts, i)->is_met)
      g_array_append_val (unmet, i);
  g_array_sort_with_data (unmet, compare_parts, parts);
  for (guint k = 0; k < unmet->len; k++) {
    FsMaskPart *part = fs_mask_parts_get (parts, g_array_index (unmet, guint, k));
    part->is_too_small = n_of[part->label]++ >= FS_MASK_STROKES_MAX;
  }
}

static gboolean
has_unmet (const FsMaskParts *parts)
{
  for (guint i = 0; i < parts->list->len; i++)
    if (!fs_mask_parts_get (parts, i)->is_met)
      return TRUE;
  return FALSE;
}

/* A large part that is narrow is walked over by cells that are smaller and smaller, all others by
 * their pixels. `left` is scratch of width · height. */
static void
walk_unmet (const Cells *first, FsMaskParts *parts, uint8_t *left, GPtrArray *strokes)
{
  Cells cells = *first;
  if (!has_unmet (parts))
    return;
  for (cells.cell_px /= 2; cells.cell_px >= CELL_MIN_PX; cells.cell_px /= 2) {
    g_autofree uint8_t *inside = NULL;
    cells.columns = MAX (1, cells.width / cells.cell_px);
    cells.rows = MAX (1, cells.height / cells.cell_px);
    inside = g_try_malloc_n ((gsize)cells.columns, (gsize)cells.rows);
    if (!inside)
      return;
    leave_unmet (parts, LARGE_PART, left);
    cells.labels = left;
    cells.inside = inside;
    look_at_cells (&cells);
    walk_all (&cells, strokes);
    note_met (parts, strokes);
  }
  choose_largest (parts);
  leave_unmet (parts, 1, left);
  shave (parts, left);
  cells = (Cells){ left, first->width, first->height, 1, first->width, first->height, left };
  walk_all (&cells, strokes);
}

/* ---- All of them ---- */

/* Background first, then the broader brush, then the longer way. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const FsStroke *stroke_a = *(FsStroke *const *)a, *stroke_b = *(FsStroke *const *)b;
  if (stroke_a->label != stroke_b->label)
    return stroke_a->label < stroke_b->label ? -1 : 1;
  if (stroke_a->radius_px != stroke_b->radius_px)
    return stroke_a->radius_px > stroke_b->radius_px ? -1 : 1;
  guint n_a = stroke_a->samples->len, n_b = stroke_b->samples->len;
  return n_a > n_b ? -1 : n_a < n_b ? 1 : 0;
}

static GPtrArray *
keep_largest (const GPtrArray *strokes)
{
  guint n_of[FS_SEED_OBJECT + 1] = { 0 };
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  for (guint i = 0; i < strokes->len; i++) {
    FsStroke *stroke = strokes->pdata[i];
    if (n_of[stroke->label]++ < FS_MASK_STROKES_MAX)
      g_ptr_array_add (kept, fs_stroke_ref (stroke));
  }
  return kept;
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
  g_autofree uint8_t *left = g_try_malloc_n ((gsize)width, (gsize)height);
  g_autoptr (FsMaskParts) parts = fs_mask_parts_new (labels, width, height);
  if (!inside || !left || !parts)
    return NULL;
  g_autoptr (GPtrArray) strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  cells.inside = inside;
  look_at_cells (&cells);
  walk_all (&cells, strokes);
  note_met (parts, strokes);
  walk_unmet (&cells, parts, left, strokes);
  g_ptr_array_sort (strokes, compare);
  return keep_largest (strokes);
}

guint
fs_mask_strokes_count_missing (const GPtrArray *strokes, const uint8_t *labels, int width,
                               int height)
{
  g_return_val_if_fail (strokes && labels && width > 0 && height > 0, 0);

  g_autoptr (FsMaskParts) parts = fs_mask_parts_new (labels, width, height);
  guint n = 0;
  if (!parts)
    return 0;
  note_met (parts, strokes);
  for (guint i = 0; i < parts->list->len; i++)
    n += !fs_mask_parts_get (parts, i)->is_met;
  return n;
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
