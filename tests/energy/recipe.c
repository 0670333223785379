/* SPDX-License-Identifier: MIT */
#include "tests/energy/recipe.h"

#include <math.h>

enum { SIDE = 32, FRAME_PX = 3 };

typedef struct {
  const FsImage *image;
  const FsSeedMap *seeds;
  int n;
  double (*lab)[3];
  double mean;    /* of squared differences                        */
  gboolean *none; /* [n] where strokes of the object refute the frame */
} Recipe;

/* --- colours --- */

static double
linear (double v)
{
  v /= 255;
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
root (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

void
recipe_lab (uint32_t pixel, double lab[3])
{
  double r = linear (FS_PIXEL_R (pixel)), g = linear (FS_PIXEL_G (pixel)),
         b = linear (FS_PIXEL_B (pixel));
  double x = root ((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  double y = root (0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  double z = root ((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

static double
difference2 (const double a[3], const double b[3])
{
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

static gboolean
neighbour (const FsImage *image, int i, int dx, int dy, int *j)
{
  int x = i % image->width + dx, y = i / image->width + dy;
  *j = y * image->width + x;
  return x >= 0 && x < image->width && y >= 0 && y < image->height && (dx != 0 || dy != 0);
}

double
recipe_mean_difference2 (const FsImage *image, int neighbours)
{
  double sum = 0, n = 0;
  for (int i = 0; i < image->width * image->height; i++)
    for (int k = 0; k < 9; k++) {
      int j, dx = k % 3 - 1, dy = k / 3 - 1;
      if (!neighbour (image, i, dx, dy, &j) || (neighbours == 4 && dx != 0 && dy != 0))
        continue;
      double a[3], b[3];
      recipe_lab (image->pixels[i], a);
      recipe_lab (image->pixels[j], b);
      sum += difference2 (a, b);
      n++;
    }
  return n > 0 ? sum / n : 0;
}

double
recipe_nlink (uint32_t p, uint32_t q, double length, double mean)
{
  double a[3], b[3];
  recipe_lab (p, a);
  recipe_lab (q, b);
  return 55 * exp (-2 * sqrt (difference2 (a, b) / mean)) / length;
}

/* --- distances --- */

typedef gboolean (*IsSource) (const Recipe *recipe, int i);

static gboolean
is_object (const Recipe *recipe, int i)
{
  return recipe->seeds->label[i] >= FS_SEED_OBJECT;
}

static gboolean
is_background (const Recipe *recipe, int i)
{
  return recipe->seeds->label[i] == FS_SEED_BACKGROUND;
}

static gboolean
is_within (const Recipe *recipe, int i, int j, int64_t radius)
{
  int w = recipe->image->width, dx = i % w - j % w, dy = i / w - j / w;
  return (int64_t)dx * dx + (int64_t)dy * dy <= radius * radius;
}

static void
refute_frame (Recipe *recipe)
{
  int64_t radius = (int64_t)(hypot (recipe->image->width, recipe->image->height) * 12 / 100) + 1;
  for (int i = 0; i < recipe->n; i++)
    for (int j = 0; j < recipe->n && !recipe->none[i]; j++)
      recipe->none[i] = is_object (recipe, j) && is_within (recipe, i, j, radius);
}

static gboolean
is_frame (const Recipe *recipe, int i)
{
  int x = i % recipe->image->width, y = i / recipe->image->width;
  return !recipe->none[i]
         && (x < FRAME_PX || y < FRAME_PX || x >= recipe->image->width - FRAME_PX
             || y >= recipe->image->height - FRAME_PX);
}

static double
edge (const Recipe *recipe, const double *potential, int i, int j, double len2)
{
  double d2 = difference2 (recipe->lab[i], recipe->lab[j]);
  double c = sqrt (0.5 * len2 + (recipe->mean > 0 ? 0.5 * d2 / recipe->mean : 0));
  return c + (potential ? 10 * fabs (potential[i] - potential[j]) : 0);
}

/* Relaxed until nothing gets nearer. */
static double *
distances (const Recipe *recipe, IsSource is_source, const double *potential)
{
  double *d = g_new (double, recipe->n);
  for (int i = 0; i < recipe->n; i++)
    d[i] = is_source (recipe, i) ? 0 : INFINITY;
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (int i = 0; i < recipe->n; i++)
      for (int k = 0; k < 9; k++) {
        int j, dx = k % 3 - 1, dy = k / 3 - 1;
        if (!neighbour (recipe->image, i, dx, dy, &j))
          continue;
        double there = d[j] + edge (recipe, potential, i, j, dx * dx + dy * dy);
        changed |= there < d[i];
        d[i] = fmin (d[i], there);
      }
  }
  return d;
}

/* Distances to the background, of which the frame is a fading part. */
static double *
background_distances (const Recipe *recipe, const double *potential)
{
  double *d = distances (recipe, is_background, potential);
  g_autofree double *frame = distances (recipe, is_frame, potential);
  double factor = 1.1 * (1 + (double)recipe->seeds->n_seeds[FS_SEED_BACKGROUND] / 1000);
  for (int i = 0; i < recipe->n; i++)
    d[i] = fmin (d[i], factor * frame[i]);
  return d;
}

/* --- tables --- */

typedef struct {
  double v[SIDE][SIDE][SIDE];
} Table;

/* The lower node of each axis, and how far it is to the next. */
static void
place (const double lab[3], int node[3], double fraction[3])
{
  static const double min[3] = { 0, -64, -64 }, max[3] = { 100, 64, 64 };
  for (int k = 0; k < 3; k++) {
    double at = (CLAMP (lab[k], min[k], max[k]) - min[k]) / (max[k] - min[k]) * (SIDE - 1);
    node[k] = MIN ((int)at, SIDE - 2);
    fraction[k] = at - node[k];
  }
}

static double
corner (const double fraction[3], int i)
{
  return (i & 1 ? fraction[0] : 1 - fraction[0]) * (i & 2 ? fraction[1] : 1 - fraction[1])
         * (i & 4 ? fraction[2] : 1 - fraction[2]);
}

static void
splat (Table *table, const double lab[3], double weight)
{
  int node[3];
  double fraction[3];
  place (lab, node, fraction);
  for (int i = 0; i < 8; i++)
    table->v[node[0] + (i & 1)][node[1] + (i >> 1 & 1)][node[2] + (i >> 2)] +=
        weight * corner (fraction, i);
}

static double
look_up (const Table *table, const double lab[3])
{
  int node[3];
  double fraction[3], sum = 0;
  place (lab, node, fraction);
  for (int i = 0; i < 8; i++)
    sum += table->v[node[0] + (i & 1)][node[1] + (i >> 1 & 1)][node[2] + (i >> 2)]
           * corner (fraction, i);
  return sum;
}

static int
mirrored (int i)
{
  return i < 0 ? -1 - i : i >= SIDE ? 2 * SIDE - 1 - i : i;
}

static void
smooth_line (double *first, int stride)
{
  double line[SIDE];
  for (int i = 0; i < SIDE; i++)
    line[i] = first[i * stride];
  for (int i = 0; i < SIDE; i++) {
    double sum = 0, taps = 0;
    for (int k = -4; k <= 4; k++) {
      sum += exp (-k * k / (2 * 0.1225)) * line[mirrored (i + k)];
      taps += exp (-k * k / (2 * 0.1225));
    }
    first[i * stride] = sum / taps;
  }
}

static void
smooth_and_normalise (Table *table, double total)
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      smooth_line (&table->v[0][i][j], SIDE * SIDE);
      smooth_line (&table->v[i][0][j], SIDE);
      smooth_line (&table->v[i][j][0], 1);
    }
  for (int i = 0; i < SIDE * SIDE * SIDE && total > 0; i++)
    (&table->v[0][0][0])[i] /= total;
}

/* Painted pixels of a side, or what stands in for them. */
static gboolean
is_painted (const Recipe *recipe, int side, int i)
{
  if (side == 1)
    return is_object (recipe, i);
  return recipe->seeds->n_seeds[FS_SEED_BACKGROUND] > 0
             ? is_background (recipe, i)
             : is_frame (recipe, i) && !is_object (recipe, i);
}

static void
collect (const Recipe *recipe, const double *to_object, const double *to_background, int side,
         Table *table)
{
  double diagonal = hypot (recipe->image->width, recipe->image->height);
  double near = 0, n_painted = 0, n_frame = 0, total = 0;
  for (int i = 0; i < recipe->n; i++) {
    n_frame += is_frame (recipe, i);
    n_painted += is_painted (recipe, side, i);
    if (is_painted (recipe, 0, i) || is_painted (recipe, 1, i)
        || (to_object[i] < to_background[i]) != side)
      continue;
    double w = exp (-fmin (to_object[i], to_background[i]) / (0.012 * diagonal));
    splat (table, recipe->lab[i], w);
    near += w;
  }
  total = near;
  for (int i = 0; i < recipe->n; i++) {
    double w = is_painted (recipe, side, i) ? fmax (1, near / n_painted) : 0;
    if (side == 0 && recipe->seeds->n_seeds[FS_SEED_BACKGROUND] > 0 && is_frame (recipe, i))
      w += 150 / n_frame;
    splat (table, recipe->lab[i], w);
    total += w;
  }
  smooth_and_normalise (table, total);
}

/* --- the whole --- */

static void
fill_ratios (const Recipe *recipe, RecipeTerm *terms)
{
  g_autofree double *to_object = distances (recipe, is_object, NULL);
  g_autofree double *to_background = background_distances (recipe, NULL);
  g_autofree Table *tables = g_new0 (Table, 2);
  for (int side = 0; side < 2; side++)
    collect (recipe, to_object, to_background, side, &tables[side]);
  for (int i = 0; i < recipe->n; i++) {
    double object = look_up (&tables[1], recipe->lab[i]);
    double background = look_up (&tables[0], recipe->lab[i]);
    terms[i].ratio = 0.7 * CLAMP (log ((object + 1e-6) / (background + 1e-6)), -6, 6);
  }
}

/* How narrow what a lasso leaves open is, from 0 to 1. */
static double
narrowness (const FsSeedMap *seeds, int n, RecipeKind kind)
{
  double n_free = (double)seeds->n_seeds[FS_SEED_NONE];
  double n_background = (double)seeds->n_seeds[FS_SEED_BACKGROUND];
  if (kind != RECIPE_LASSO || n_background == 0)
    return 0;
  double open_percent = 100 * n_free / (n - n_background);
  return open_percent >= 60 ? 0 : open_percent <= 40 ? 1 : (60 - open_percent) / 20;
}

static double
place_weight (const FsSeedMap *seeds, int n, RecipeKind kind)
{
  if (kind == RECIPE_LASSO)
    return 4 * (1 - narrowness (seeds, n, kind));
  if (seeds->n_seeds[FS_SEED_BACKGROUND] == 0)
    return 3;
  double percent = 100 - 100 * (double)seeds->n_seeds[FS_SEED_NONE] / n;
  return percent <= 0.8 ? 3 : percent >= 3 ? 0.75 : 3 - 2.25 * (percent - 0.8) / 2.2;
}

static void
fill_places (const Recipe *recipe, RecipeKind kind, RecipeTerm *terms)
{
  g_autofree double *potential = g_new (double, recipe->n);
  for (int i = 0; i < recipe->n; i++)
    potential[i] = 1 / (1 + exp (-terms[i].ratio));
  g_autofree double *to_object = distances (recipe, is_object, potential);
  g_autofree double *to_background = background_distances (recipe, potential);
  double weight = place_weight (recipe->seeds, recipe->n, kind);
  double bias = narrowness (recipe->seeds, recipe->n, kind);
  for (int i = 0; i < recipe->n; i++) {
    double sum = to_object[i] + to_background[i];
    terms[i].place = bias + (sum > 0 ? weight * (to_background[i] - to_object[i]) / sum : 0);
  }
}

static void
recipe_init (Recipe *recipe, const FsImage *image, const FsSeedMap *seeds)
{
  *recipe = (Recipe){ .image = image, .seeds = seeds, .n = image->width * image->height };
  recipe->mean = recipe_mean_difference2 (image, 8);
  recipe->lab = g_malloc (sizeof *recipe->lab * (gsize)recipe->n);
  recipe->none = g_malloc0 (sizeof *recipe->none * (gsize)recipe->n);
  for (int i = 0; i < recipe->n; i++)
    recipe_lab (image->pixels[i], recipe->lab[i]);
}

static void
recipe_clear (Recipe *recipe)
{
  g_free (recipe->lab);
  g_free (recipe->none);
}

RecipeTerm *
recipe_terms (const FsImage *image, const FsSeedMap *seeds, RecipeKind kind)
{
  Recipe recipe;
  recipe_init (&recipe, image, seeds);
  if (kind == RECIPE_STROKES && seeds->n_seeds[FS_SEED_BACKGROUND] > 0)
    refute_frame (&recipe);
  RecipeTerm *terms = g_new (RecipeTerm, recipe.n);
  fill_ratios (&recipe, terms);
  fill_places (&recipe, kind, terms);
  recipe_clear (&recipe);
  return terms;
}

/* --- border refinement --- */

/* To the nearest pixel of the other side. */
static double
distance_from_border (const FsImage *image, const uint8_t *mask, int i)
{
  double min = INFINITY;
  for (int j = 0; j < image->width * image->height; j++)
    if (mask[j] != mask[i])
      min = fmin (min,
                  hypot (j % image->width - i % image->width, j / image->width - i / image->width));
  return min;
}

/* Adds what the tables say of each pixel's colour. */
static void
add_ratios (const Recipe *recipe, const Table tables[2], double weight, double unseen,
            double *terms)
{
  for (int i = 0; i < recipe->n; i++) {
    double object = look_up (&tables[1], recipe->lab[i]);
    double background = look_up (&tables[0], recipe->lab[i]);
    terms[i] += weight * CLAMP (log ((object + unseen) / (background + unseen)), -6, 6);
  }
}

double *
recipe_border_terms (const FsImage *image, const uint8_t *mask)
{
  Recipe recipe;
  recipe_init (&recipe, image, NULL);
  double diagonal = hypot (image->width, image->height), total[2] = { 0, 0 };
  double *terms = g_new (double, recipe.n);
  g_autofree Table *tables = g_new0 (Table, 2);
  for (int i = 0; i < recipe.n; i++) {
    double d = distance_from_border (image, mask, i), w = exp (-d / (0.08 * diagonal));
    splat (&tables[mask[i]], recipe.lab[i], w);
    total[mask[i]] += w;
    terms[i] = (mask[i] ? 2 : -2) * fmin (d / (0.05 * diagonal), 1);
  }
  for (int side = 0; side < 2; side++)
    smooth_and_normalise (&tables[side], total[side]);
  add_ratios (&recipe, tables, 0.9, 3e-5, terms);
  recipe_clear (&recipe);
  return terms;
}

double *
recipe_whole_terms (const FsImage *image, const uint8_t *mask, double weight, double unseen)
{
  Recipe recipe;
  recipe_init (&recipe, image, NULL);
  double total[2] = { 0, 0 };
  double *terms = g_new0 (double, recipe.n);
  g_autofree Table *tables = g_new0 (Table, 2);
  for (int i = 0; i < recipe.n; i++) {
    splat (&tables[mask[i]], recipe.lab[i], 1);
    total[mask[i]]++;
  }
  for (int side = 0; side < 2; side++)
    smooth_and_normalise (&tables[side], total[side]);
  add_ratios (&recipe, tables, weight, unseen, terms);
  recipe_clear (&recipe);
  return terms;
}
