/* SPDX-License-Identifier: MIT */
#include "energy/models/side_colours.h"

#include "energy/colour/far_samples.h"

void
fs_side_colours_init (FsSideColours *colours, const FsPhotoTerms *terms)
{
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_init (&colours->side[side], terms->bins, terms->n_bins);
}

void
fs_side_colours_clear (FsSideColours *colours)
{
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_clear (&colours->side[side]);
}

static void
reset (FsSideColours *colours)
{
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_reset (&colours->side[side]);
}

void
fs_side_colours_collect (FsSideColours *colours, const FsModel *model, const FsSeedMap *seeds)
{
  const FsImage *image = model->terms->image;
  size_t n = fs_photo_terms_n_pixels (model->terms);
  reset (colours);
  for (size_t i = 0; i < n; i++)
    if (seeds->label[i] != FS_SEED_NONE)
      fs_colour_histogram_add (&colours->side[fs_model_side (seeds->label[i])], image->pixels[i]);
  for (int side = 0; side < 2; side++)
    if (!model->known[side])
      fs_far_samples_add (image, seeds, &colours->side[side]);
}

void
fs_side_colours_divide (FsSideColours *colours, const FsPhotoTerms *terms, const uint8_t *mask)
{
  size_t n = fs_photo_terms_n_pixels (terms);
  reset (colours);
  for (size_t i = 0; i < n; i++)
    fs_colour_histogram_add (&colours->side[mask[i] != 0], terms->image->pixels[i]);
}
