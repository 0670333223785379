/* SPDX-License-Identifier: MIT */
/* The geodesic model in plain double precision: slow, and as close to its formulas as C allows. */
#ifndef FS_TESTS_ENERGY_RECIPE_H
#define FS_TESTS_ENERGY_RECIPE_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

/* What the model says of one pixel without a seed. */
typedef struct {
  double ratio; /* r, in nats */
  double place; /* G          */
} RecipeTerm;

/* Strokes, or what a lasso leaves open. */
typedef enum { RECIPE_STROKES, RECIPE_LASSO } RecipeKind;

/* For W·H pixels; only for photos that are their own level. g_free. */
RecipeTerm *recipe_terms (const FsImage *image, const FsSeedMap *seeds, RecipeKind kind);

/* What border refinement adds to each pixel besides what the strokes say of its colour, in nats,
 * for a mask of W·H bytes with a border. As above. */
double *recipe_border_terms (const FsImage *image, const uint8_t *mask);

/* The same with strokes of the background alone, which goes by half the ratio and 3·10⁻⁶ for
 * colours that were not seen; and where components are added, by 0.9 of it and 3·10⁻⁵. */
double *recipe_whole_terms (const FsImage *image, const uint8_t *mask, double weight,
                            double unseen);

/* The n-link of two neighbours in nats, `mean` being that of squared differences (below). */
double recipe_nlink (uint32_t p, uint32_t q, double length, double mean);

/* Of all neighbours among 4 or 8. */
double recipe_mean_difference2 (const FsImage *image, int neighbours);

/* L, a, b of a pixel by the textbook. */
void recipe_lab (uint32_t pixel, double lab[3]);

#endif
