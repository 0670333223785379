/* SPDX-License-Identifier: MIT */
#include "energy/implicit_links.h"

#include "energy/energy_internal.h"
#include "energy/geodesic/upsample.h"
#include "energy/image/pixel_run.h"

#include <string.h>

G_STATIC_ASSERT (FS_COLOUR_BINS == FS_WORD_BINS);
G_STATIC_ASSERT (FS_PLACE_UNIT == 16);
G_STATIC_ASSERT (FS_SEED_NONE == 0 && FS_SEED_BACKGROUND == 1);

/* The length of the run of equal labels at the beginning of n, at least one. */
static size_t
count_same (const uint8_t *labels, size_t n)
{
  size_t run = 1;
  if (memcmp (labels, labels + 1, n - 1) == 0)
    return n;
  while (labels[run] == labels[0])
    run++;
  return run;
}

gboolean
fs_energy_list_fixed (const FsSeedMap *seeds, const uint32_t *pixels, size_t n, GArray *spans)
{
  g_array_set_size (spans, 0);
  for (size_t i = 0, run; i < n; i += run) {
    const uint8_t *labels = seeds->label + pixels[i];
    if (labels[0] == FS_SEED_NONE)
      return FALSE;
    run = count_same (labels, fs_pixel_run_count (pixels + i, MIN (n - i, FS_FIXED_SPAN_MAX)));
    FsFixedSpan span = { pixels[i], (uint16_t)run, labels[0] == FS_SEED_BACKGROUND };
    g_array_append_val (spans, span);
  }
  return TRUE;
}

static FsPhotoLinks
photo_links (const FsPhotoTerms *terms)
{
  return (FsPhotoLinks){ .words = terms->image->pixels,
                         .space = terms->tables.space,
                         .scale = terms->tables.scale,
                         .n_entries = terms->tables.n_entries,
                         .straight = terms->tables.straight,
                         .diagonal = terms->tables.diagonal };
}

void
fs_energy_fill_link_source (FsEnergy *energy, const FsSeedMap *seeds, FsLinkSource *source)
{
  const FsModel *model = fs_energy_get_model (energy);
  const FsMaskPrior *prior = fs_energy_get_mask_prior (energy);
  *source = (FsLinkSource){ .photo = model->terms->number, .links = photo_links (model->terms) };
  FsTlinkTerms *terms = &source->terms;
  terms->by_word = model->by_colour;
  terms->fixed = fs_energy_get_all_seeds (energy, seeds)->label;
  terms->strength = fs_energy_get_seed_strength (energy);
  if (model->by_place)
    terms->place = fs_geodesic_coarse_plane (model->level, model->by_place);
  if (fs_energy_get_opinion (energy))
    terms->stretched = fs_opinion_view_plane (fs_energy_get_guess_view (energy));
  if (prior)
    fs_mask_prior_fill_terms (prior, terms);
}
