/* SPDX-License-Identifier: MIT */
#include "app/export/layers.h"

#include "app/export/export_rows.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
has_label (const FsExportLayers *self, int label)
{
  return self->what.kind == FS_EXPORT_LABELS
             ? memchr (self->what.mask, label, self->n_pixels) != NULL
             : label == FS_SEED_OBJECT;
}

int
fs_export_layers_next (const FsExportLayers *self, int label)
{
  for (int l = label > 0 ? label - 1 : FS_SEED_MAX; l >= FS_SEED_OBJECT; l--)
    if (has_label (self, l))
      return l;
  return 0;
}

/* FALSE where memory is short. */
static gboolean
prepare_merged (FsExportLayers *self)
{
  const FsImage *image = self->what.image;
  const FsRect area = self->area;
  if (!fs_export_has_edge (&self->what) && !image->has_alpha)
    return TRUE;
  self->merged = fs_image_new (area.x1 - area.x0, area.y1 - area.y0);
  if (!self->merged)
    return FALSE;
  self->merged->has_alpha = image->has_alpha;
  for (int y = area.y0; y < area.y1; y++)
    memcpy (self->merged->pixels + (gsize)(y - area.y0) * (gsize)self->merged->width,
            image->pixels + (gsize)y * (gsize)image->width + (gsize)area.x0,
            (gsize)self->merged->width * sizeof *image->pixels);
  return TRUE;
}

gboolean
fs_export_layers_init (FsExportLayers *self, const FsExport *what)
{
  const FsRect all = { 0, 0, what->image->width, what->image->height };
  const gboolean wants_marks = what->marks && fs_export_has_edge (what);
  *self = (FsExportLayers){ .what = *what, .n_pixels = (gsize)all.x1 * (gsize)all.y1 };
  self->what.background = NULL;
  self->what.refinement = NULL; /* layers have masks of their own */
  self->area = fs_export_find_area (what);
  self->what.takes_edge = FALSE;
  self->mask = g_try_malloc (self->n_pixels);
  self->marks = wants_marks ? g_try_malloc (self->n_pixels) : NULL;
  if (!self->mask || (wants_marks && !self->marks) || !prepare_merged (self))
    return FALSE;
  for (int label = 0; (label = fs_export_layers_next (self, label)) > 0;)
    self->n_objects++;
  return TRUE;
}

void
fs_export_layers_clear (FsExportLayers *self)
{
  g_clear_pointer (&self->refinement, fs_export_refinement_free);
  g_clear_pointer (&self->mask, g_free);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->merged, fs_image_unref);
}

/* The object's pixels in the area; empty where there are none. */
static FsRect
find_extent (const FsExportLayers *self)
{
  const FsRect area = self->area;
  FsRect found = { area.x1, area.y1, area.x0, area.y0 };
  for (int y = area.y0; y < area.y1; y++) {
    const uint8_t *row = self->mask + (gsize)y * (gsize)self->what.image->width;
    const uint8_t *first = memchr (row + area.x0, 1, (gsize)(area.x1 - area.x0));
    if (!first)
      continue;
    int last = area.x1 - 1;
    while (!row[last])
      last--;
    found.x0 = MIN (found.x0, (int)(first - row));
    found.x1 = MAX (found.x1, last + 1);
    found.y0 = MIN (found.y0, y);
    found.y1 = y + 1;
  }
  return found;
}

void
fs_export_layers_pick (FsExportLayers *self, int label, FsExport *layer)
{
  const FsExport *what = &self->what;
  g_clear_pointer (&self->refinement, fs_export_refinement_free);
  if (what->kind == FS_EXPORT_LABELS) {
    fs_export_pick_object (what->mask, self->marks ? what->marks : NULL, self->n_pixels,
                           (uint8_t)label, self->mask, self->marks);
  } else {
    for (gsize p = 0; p < self->n_pixels; p++)
      self->mask[p] = what->mask[p] != 0;
    if (self->marks)
      memcpy (self->marks, what->marks, self->n_pixels);
  }
  *layer = *what;
  layer->mask = self->mask;
  layer->marks = self->marks;
  layer->kind = FS_EXPORT_CUTOUT;
  layer->notes = NULL;
  if (fs_export_has_edge (layer))
    layer->refinement = self->refinement = fs_export_refine (layer);
  layer->area = fs_export_has_edge (layer) ? fs_export_edge_find_extent (layer, self->area)
                                           : find_extent (self);
}

void
fs_export_layers_pick_photo (FsExportLayers *self, FsExport *layer)
{
  memset (self->mask, 1, self->n_pixels);
  *layer = self->what;
  layer->mask = self->mask;
  layer->kind = FS_EXPORT_CUTOUT;
  layer->area = self->area;
  layer->edge = FS_EDGE_SETTINGS_HARD;
  layer->zones = NULL;
  layer->keep_hidden = TRUE;
}

gboolean
fs_export_layers_merge (FsExportLayers *self, const FsExport *layer)
{
  if (!self->merged)
    return TRUE;
  g_autoptr (FsImage) picture = NULL;
  if (fs_export_has_edge (layer) && !(picture = fs_export_edge_render (layer, layer->area)))
    return FALSE;
  const FsRect area = layer->area;
  const FsImage *image = self->what.image;
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++) {
      const gsize from = (gsize)y * (gsize)image->width + (gsize)x;
      const uint32_t top =
          picture
              ? picture->pixels[(gsize)(y - area.y0) * (gsize)picture->width + (gsize)(x - area.x0)]
          : self->mask[from] ? image->pixels[from]
                             : 0;
      uint32_t *to = self->merged->pixels + (gsize)(y - self->area.y0) * (gsize)self->merged->width
                     + (gsize)(x - self->area.x0);
      *to = fs_pixel_over (top, *to);
    }
  return TRUE;
}

char *
fs_export_layers_get_title (const FsExportLayers *self, int label)
{
  const char *title = self->what.object_names ? self->what.object_names[label] : NULL;
  return title && *title ? g_strdup (title)
                         : g_strdup_printf (_ ("Object %d"), label - FS_SEED_BACKGROUND);
}
