/* SPDX-License-Identifier: MIT */
#include "tests/quality/edges/alpha_methods.h"

#include "energy/edge/edge.h"
#include "energy/image/distance.h"
#include "energy/matting/matting.h"
#include "solver/solver.h"
#include "tests/quality/cutter.h"
#include "tests/quality/edges/closed_form.h"
#include "tests/quality/edges/foreground.h"
#ifdef WITH_INFORMATION_FLOW
#include "tests/quality/edges/information_flow.h"
#endif

#include <string.h>

/* Half the width of the band that matting gets where strokes alone are known. */
enum { BAND_PX = 32 };

/* ---- The case ---- */

/* Pixels near the mask's border that no stroke covers are unknown. */
static void
fill_band (AlphaCase *c)
{
  const int w = c->image->width, h = c->image->height;
  g_autofree uint8_t *ground = g_malloc (c->n);
  for (gsize p = 0; p < c->n; p++)
    ground[p] = !c->mask[p];
  g_autofree int64_t *to_object = fs_distance2 (c->mask, w, h);
  g_autofree int64_t *to_ground = fs_distance2 (ground, w, h);
  for (gsize p = 0; p < c->n; p++) {
    const int64_t distance2 = c->mask[p] ? to_ground[p] : to_object[p];
    c->trimap[p] = c->unknown[p] && distance2 <= BAND_PX * BAND_PX ? FS_TRIMAP_UNKNOWN
                   : c->mask[p]                                    ? FS_TRIMAP_OBJECT
                                                                   : FS_TRIMAP_BACKGROUND;
  }
}

static void
fill_trimap (AlphaCase *c)
{
  for (gsize p = 0; p < c->n; p++)
    c->trimap[p] = c->unknown[p]                                 ? FS_TRIMAP_UNKNOWN
                   : c->start->seeds->label[p] == FS_SEED_OBJECT ? FS_TRIMAP_OBJECT
                                                                 : FS_TRIMAP_BACKGROUND;
}

gboolean
alpha_case_init (AlphaCase *c, FsImage *image, const uint8_t *truth, const char *start,
                 GError **error)
{
  const char *path = strchr (start, '=');
  const gboolean is_trimap = g_str_has_prefix (start, "trimap=");
  if (!path || (!is_trimap && !g_str_has_prefix (start, "scribbles="))) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, "no such start: %s", start);
    return FALSE;
  }
  *c = (AlphaCase){ .image = fs_image_ref (image),
                    .truth = truth,
                    .n = (gsize)image->width * (gsize)image->height };
  c->start = quality_start_load (is_trimap ? QUALITY_TRIMAP : QUALITY_SCRIBBLES, path + 1,
                                 image->width, image->height, error);
  if (!c->start)
    return FALSE;
  c->unknown = c->start->unknown;
  c->mask = g_malloc0 (c->n);
  c->trimap = g_malloc0 (c->n);
  const QualityRequest request = { .method = "geodesic", .image = image, .start = c->start };
  QualityCut cut;
  if (!quality_cut (&request, c->mask, &cut, error))
    return FALSE;
  if (is_trimap)
    fill_trimap (c);
  else
    fill_band (c);
  return TRUE;
}

void
alpha_case_clear (AlphaCase *c)
{
  g_clear_pointer (&c->image, fs_image_unref);
  g_clear_pointer (&c->start, quality_start_free);
  g_free (c->mask);
  g_free (c->trimap);
}

/* ---- Methods ---- */

static void
set_colour (float *colours, gsize p, uint32_t pixel)
{
  for (gsize k = 0; k < 3; k++)
    colours[3 * p + k] = (float)(pixel >> (16 - 8 * k) & 0xff) / 255;
}

static gboolean
hard_mask (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  (void)width;
  (void)error;
  for (gsize p = 0; p < c->n; p++) {
    alpha[p] = c->mask[p] ? 255 : 0;
    if (colours)
      set_colour (colours, p, c->image->pixels[p]);
  }
  return TRUE;
}

/* The program's edge, of a fixed or the automatic width, with zones or without. */
static gboolean
render_edge (const AlphaCase *c, int width, const uint8_t *zones, uint8_t *alpha, float *colours,
             GError **error)
{
  const FsRect all = { 0, 0, c->image->width, c->image->height };
  const FsEdgeInput input = { .image = c->image,
                              .mask = c->mask,
                              .marks = c->start->seeds->label,
                              .zones = zones,
                              .settings = { .width_px = width, .clean = 100 } };
  g_autoptr (FsZoneAlpha) refined = NULL;
  if (zones)
    refined = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, error);
  if (zones && !refined)
    return FALSE;
  g_autoptr (FsImage) soft = fs_edge_render (&input, refined, all, NULL, NULL);
  if (!soft) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory");
    return FALSE;
  }
  for (gsize p = 0; p < c->n; p++) {
    alpha[p] = FS_PIXEL_A (soft->pixels[p]);
    if (colours)
      set_colour (colours, p, soft->pixels[p]);
  }
  return TRUE;
}

static gboolean
plain_edge (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  return render_edge (c, width, NULL, alpha, colours, error);
}

/* All that is unknown, or the band, is painted to be refined. */
static gboolean
refined_edge (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  g_autofree uint8_t *zones = g_malloc (c->n);
  for (gsize p = 0; p < c->n; p++)
    zones[p] = c->trimap[p] == FS_TRIMAP_UNKNOWN ? FS_EDGE_ZONE_REFINE : FS_EDGE_ZONE_NONE;
  return render_edge (c, width, zones, alpha, colours, error);
}

static void
find_colours (const AlphaCase *c, const uint8_t *alpha, float *colours)
{
  if (!colours)
    return;
  g_autofree float *found = foreground_estimate (c->image, alpha);
  memcpy (colours, found, 3 * c->n * sizeof *colours);
}

static gboolean
closed_form (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  (void)width;
  (void)error;
  closed_form_alpha (c->image, c->trimap, alpha);
  find_colours (c, alpha, colours);
  return TRUE;
}

static gboolean
matting (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  (void)width;
  const FsRect all = { 0, 0, c->image->width, c->image->height };
  if (!fs_matting_solve (c->image, c->trimap, all, alpha, NULL, error))
    return FALSE;
  find_colours (c, alpha, colours);
  return TRUE;
}

#ifdef WITH_INFORMATION_FLOW
static gboolean
information_flow (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error)
{
  (void)width;
  (void)error;
  information_flow_alpha (c->image->pixels, c->trimap, c->image->width, c->image->height, alpha);
  find_colours (c, alpha, colours);
  return TRUE;
}
#endif

static const struct {
  const char *name;
  gboolean (*run) (const AlphaCase *c, int width, uint8_t *alpha, float *colours, GError **error);
  int width;
  gboolean has_colours;
} methods[] = {
  { "hard mask", hard_mask, 0, TRUE },
  { "edge, 8 px", plain_edge, 8, TRUE },
  { "edge, 16 px", plain_edge, 16, TRUE },
  { "edge, 32 px", plain_edge, 32, TRUE },
  { "edge, automatic", plain_edge, FS_EDGE_WIDTH_AUTO, TRUE },
  { "edge, refined", refined_edge, FS_EDGE_WIDTH_AUTO, TRUE },
  { "closed form", closed_form, 0, TRUE },
  { "matting", matting, 0, TRUE },
#ifdef WITH_INFORMATION_FLOW
  { "information flow", information_flow, 0, FALSE },
#endif
};

int
alpha_method_count (void)
{
  return (int)G_N_ELEMENTS (methods);
}

const char *
alpha_method_name (int method)
{
  return methods[method].name;
}

gboolean
alpha_method_has_colours (int method)
{
  return methods[method].has_colours;
}

gboolean
alpha_method_run (int method, const AlphaCase *c, uint8_t *alpha, float *colours, GError **error)
{
  return methods[method].run (c, methods[method].width, alpha, colours, error);
}
