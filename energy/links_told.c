/* SPDX-License-Identifier: MIT */
#include "energy/links_told.h"

#include "energy/energy_parts.h"
#include "energy/geodesic_upsample.h"

G_STATIC_ASSERT (FS_COLOUR_BINS == FS_WORD_BINS);
G_STATIC_ASSERT (FS_PLACE_UNIT == 16);
G_STATIC_ASSERT (FS_SEED_NONE == 0 && FS_SEED_BACKGROUND == 1);

static FsPhotoLinks
tell_photo (const FsScene *scene)
{
  return (FsPhotoLinks){ .words = scene->image->pixels,
                         .space = scene->tables.space,
                         .scale = scene->tables.scale,
                         .n_entries = scene->tables.n_entries,
                         .straight = scene->tables.straight,
                         .diagonal = scene->tables.diagonal };
}

void
fs_energy_tell_links (FsEnergy *energy, const FsSeedMap *seeds, FsLinkSource *source)
{
  const FsModel *model = fs_energy_get_model (energy);
  const FsStability *stability = fs_energy_get_stability (energy);
  *source = (FsLinkSource){ .photo = model->scene->number, .links = tell_photo (model->scene) };
  FsTlinkTerms *terms = &source->terms;
  terms->by_word = model->by_colour;
  terms->fixed = seeds->label;
  terms->strength = fs_energy_get_seed_strength (energy);
  if (model->by_place)
    terms->place = fs_geodesic_tell (model->level, model->by_place);
  if (stability)
    fs_stability_tell (stability, terms);
}
