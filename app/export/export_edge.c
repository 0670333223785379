/* SPDX-License-Identifier: MIT */
#include "app/export/export_edge.h"

gboolean
fs_export_has_edge (const FsExport *what)
{
  return what->words || what->zones || !fs_edge_settings_are_hard (&what->edge);
}

/* ---- The common part ---- */

struct FsExportRefinement {
  uint8_t *tidy;      /* NULL: the mask is taken as it is */
  FsZoneAlpha *zones; /* NULL: there are no zones */
};

static FsEdgeInput
make_input (const FsExport *what, const FsExportRefinement *refinement)
{
  return (FsEdgeInput){ .image = what->image,
                        .mask = refinement && refinement->tidy ? refinement->tidy : what->mask,
                        .marks = what->marks,
                        .zones = what->zones,
                        .settings = what->edge };
}

FsExportRefinement *
fs_export_refine (const FsExport *what)
{
  g_autoptr (FsExportRefinement) self = g_new0 (FsExportRefinement, 1);
  FsEdgeInput input = make_input (what, NULL);
  if (what->edge.specks_px != 0 || what->edge.holes_px != 0) {
    self->tidy = g_try_malloc ((gsize)what->image->width * (gsize)what->image->height);
    if (!self->tidy)
      return NULL;
    fs_edge_tidy_mask (&input, self->tidy);
    input.mask = self->tidy;
  }
  if (what->zones
      && !(self->zones = fs_zone_alpha_new (&input, NULL, NULL, 0, what->refining, NULL)))
    return NULL;
  return g_steal_pointer (&self);
}

void
fs_export_refinement_free (FsExportRefinement *self)
{
  if (!self)
    return;
  fs_zone_alpha_free (self->zones);
  g_free (self->tidy);
  g_free (self);
}

/* ---- The edge ---- */

FsExportEdge *
fs_export_edge_new (const FsExport *what, FsRect area)
{
  g_autoptr (FsExportEdge) self = g_new0 (FsExportEdge, 1);
  if (what->words) {
    self->input = make_input (what, NULL);
    self->words = what->words + area.x0;
    return g_steal_pointer (&self);
  }
  if (!what->refinement && !(self->own = fs_export_refine (what)))
    return NULL;
  const FsExportRefinement *refinement = self->own ? self->own : what->refinement;
  self->input = make_input (what, refinement);
  self->zones = refinement->zones;
  self->edge = fs_edge_new (&self->input, self->zones, area);
  return self->edge ? g_steal_pointer (&self) : NULL;
}

void
fs_export_edge_free (FsExportEdge *self)
{
  if (!self)
    return;
  fs_edge_free (self->edge);
  fs_export_refinement_free (self->own);
  g_free (self);
}

const uint32_t *
fs_export_edge_get_row (FsExportEdge *self, int y)
{
  return self->words ? self->words + (gsize)y * (gsize)self->input.image->width
                     : fs_edge_get_row (self->edge, y);
}

FsRect
fs_export_edge_find_extent (const FsExport *what, FsRect area)
{
  g_autoptr (FsExportEdge) edge = fs_export_edge_new (what, area);
  FsRect found = { 0 };
  for (int y = area.y0; edge && y < area.y1; y++) {
    const uint32_t *row = fs_export_edge_get_row (edge, y);
    if (!row || fs_progress_is_cancelled (what->refining))
      return (FsRect){ 0 };
    int x0 = 0, x1 = area.x1 - area.x0;
    while (x0 < x1 && FS_PIXEL_A (row[x0]) == 0)
      x0++;
    while (x1 > x0 && FS_PIXEL_A (row[x1 - 1]) == 0)
      x1--;
    found = fs_rect_union (found, (FsRect){ area.x0 + x0, y, area.x0 + x1, y + (x0 < x1) });
  }
  return found;
}

FsRect
fs_export_find_area (const FsExport *what)
{
  const FsRect all = { 0, 0, what->image->width, what->image->height };
  const gboolean has_edge = what->kind == FS_EXPORT_CUTOUT || what->kind == FS_EXPORT_ALPHA
                            || what->kind == FS_EXPORT_MASK;
  if (fs_rect_is_empty (what->area))
    return all;
  const FsRect area = fs_rect_intersect (what->area, all);
  if (!what->takes_edge || !has_edge || !fs_export_has_edge (what))
    return area;
  const int radius = fs_edge_get_radius (&what->edge);
  const FsRect near = { area.x0 - radius, area.y0 - radius, area.x1 + radius, area.y1 + radius };
  return fs_rect_union (area, fs_export_edge_find_extent (what, fs_rect_intersect (near, all)));
}

FsImage *
fs_export_edge_render (const FsExport *what, FsRect area)
{
  g_return_val_if_fail (!what->words, NULL);
  g_autoptr (FsExportEdge) edge = fs_export_edge_new (what, area);
  FsImage *picture = edge ? fs_edge_render (&edge->input, edge->zones, area, NULL, NULL) : NULL;
  const gsize n =
      picture && !what->keep_hidden ? (gsize)picture->width * (gsize)picture->height : 0;
  for (gsize i = 0; i < n; i++)
    if (FS_PIXEL_A (picture->pixels[i]) == 0)
      picture->pixels[i] = 0;
  return picture;
}
