/* SPDX-License-Identifier: MIT */
/* Evidence of a box alone: the object lies in it and fills it, and the background just outside it
 * is more like the background inside than farther away (docs/decisions/outlines.md). */
#include "energy/refine/refine_box.h"

#include "energy/image/distance.h"
#include "energy/refine/refine_internal.h"

#include <math.h>
#include <string.h>

/* A cut whose object is less than 1/FEW_DIVISOR of the box's inside has lost it. */
enum { FEW_DIVISOR = 4 };
/* A mask is too short if it spans less than this much of the box's width or height. */
enum { SPAN_PERCENT = 60 };
/* The object bias that a round after too short a mask adds, in nats. */
#define SHORT_STEP 0.3

static gboolean
has_outline_alone (const FsModel *model)
{
  return fs_photo_terms_is_outlined (model->terms) && fs_model_knows_background_alone (model);
}

/* TRUE if the box is the only evidence: no strokes, and no guess that is trusted. */
static gboolean
is_alone (FsEnergy *energy)
{
  const FsOpinion *opinion = fs_energy_get_opinion (energy);
  return has_outline_alone (fs_energy_get_model (energy))
         && (!opinion || fs_opinion_is_silent (opinion));
}

void
fs_refinement_open_box (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *mask)
{
  if (!is_alone (energy))
    return;
  size_t n = fs_photo_terms_n_pixels (fs_energy_get_model (energy)->terms), n_object = 0;
  for (size_t i = 0; i < n; i++)
    n_object += mask[i];
  if (n_object >= (size_t)seeds->n_seeds[FS_SEED_NONE] / FEW_DIVISOR)
    return;
  for (size_t i = 0; i < n; i++)
    mask[i] = seeds->label[i] == FS_SEED_NONE;
}

/* The bounds of the pixels of a value. */
static FsRect
bounds_of (const uint8_t *plane, uint8_t value, int width, int height)
{
  FsRect bounds = { width, height, 0, 0 };
  for (int y = 0; y < height; y++) {
    const uint8_t *row = plane + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++)
      if (row[x] == value)
        bounds = (FsRect){ MIN (bounds.x0, x), MIN (bounds.y0, y), MAX (bounds.x1, x + 1),
                           MAX (bounds.y1, y + 1) };
  }
  return bounds;
}

void
fs_refinement_find_box (FsRefinement *refinement)
{
  if (!refinement->is_whole || refinement->is_of_cells || !has_outline_alone (refinement->model))
    return;
  const FsImage *image = refinement->terms->image;
  refinement->box = bounds_of (refinement->label, FS_SEED_NONE, image->width, image->height);
  refinement->is_alone = !fs_rect_is_empty (refinement->box) && is_alone (refinement->energy);
}

double
fs_refinement_box_decay_length (const FsRefinement *refinement)
{
  double side =
      MAX (refinement->box.x1 - refinement->box.x0, refinement->box.y1 - refinement->box.y0);
  return MAX (1, side * FS_GEODESIC_UNIT / (FS_BOX_DECAY_DIVISOR << refinement->level->shift));
}

/* Square roots of integers are rounded alike everywhere. */
void
fs_refinement_measure_distance_from_box (FsRefinement *refinement)
{
  const FsGeodesicLevel *level = refinement->level;
  size_t n = (size_t)level->width * (size_t)level->height;
  memset (refinement->is_other, 0, n);
  for (int y = refinement->box.y0; y < refinement->box.y1; y++) {
    const uint8_t *labels = refinement->label + (size_t)y * (size_t)refinement->terms->image->width;
    uint8_t *cells = refinement->is_other + (size_t)(y >> level->shift) * (size_t)level->width;
    for (int x = refinement->box.x0; x < refinement->box.x1; x++)
      cells[x >> level->shift] |= labels[x] == FS_SEED_NONE;
  }
  g_autofree int64_t *distance2 = fs_distance2 (refinement->is_other, level->width, level->height);
  for (size_t i = 0; i < n; i++)
    refinement->distance[i] =
        (int32_t)MIN (FS_GEODESIC_UNIT * sqrt ((double)distance2[i]), G_MAXINT32 / 2);
}

gboolean
fs_refinement_is_short (const FsRefinement *refinement, const uint8_t *mask)
{
  if (!refinement->is_alone)
    return FALSE;
  const FsImage *image = refinement->terms->image;
  FsRect span = bounds_of (mask, 1, image->width, image->height);
  int64_t width = MAX (0, span.x1 - span.x0), height = MAX (0, span.y1 - span.y0);
  return width * 100 < (int64_t)(refinement->box.x1 - refinement->box.x0) * SPAN_PERCENT
         || height * 100 < (int64_t)(refinement->box.y1 - refinement->box.y0) * SPAN_PERCENT;
}

void
fs_refinement_fill_box (FsRefinement *refinement, const uint8_t *mask)
{
  if (!fs_refinement_is_short (refinement, mask))
    return;
  const FsGeodesicLevel *level = refinement->level;
  refinement->object_bias += (int32_t)(SHORT_STEP * FS_NAT_SCALE * FS_PLACE_UNIT);
  for (size_t i = 0; i < level->n_plane; i++)
    refinement->by_distance[i] = refinement->object_bias;
}
