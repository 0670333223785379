/* SPDX-License-Identifier: MIT */
#include "energy/labels/labels_montage.h"

#include "solver/progress.h"

#include <math.h>

enum { FARTHEST = 884 }; /* ⌊2·√(3·255²)⌋ + 1 */

struct _FsMontage {
  FsImage *sources[FS_MONTAGE_SOURCES_MAX];
  int n;
  int32_t missing_cost;
  uint32_t all;      /* a bit a source                      */
  uint32_t *missing; /* [n_pixels]: sources that are black  */
};

void
fs_montage_free (FsMontage *montage)
{
  if (montage == NULL)
    return;
  for (int i = 0; i < montage->n; i++)
    fs_image_unref (montage->sources[i]);
  g_free (montage->missing);
  g_free (montage);
}

static size_t
count_montage_pixels (const FsMontage *montage)
{
  return (size_t)montage->sources[0]->width * (size_t)montage->sources[0]->height;
}

FsMontage *
fs_montage_new (FsImage *const *sources, int n, int32_t missing_cost, GError **error)
{
  g_return_val_if_fail (n >= 1 && n <= FS_MONTAGE_SOURCES_MAX, NULL);
  FsMontage *montage = g_new0 (FsMontage, 1);
  montage->n = n;
  montage->missing_cost = missing_cost;
  montage->all = n == 32 ? G_MAXUINT32 : (1u << n) - 1;
  for (int i = 0; i < n; i++)
    montage->sources[i] = fs_image_ref (sources[i]);
  montage->missing = g_try_new0 (uint32_t, count_montage_pixels (montage));
  if (montage->missing == NULL) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for a montage of %d × %d pixels", sources[0]->width,
                 sources[0]->height);
    fs_montage_free (montage);
    return NULL;
  }
  for (int i = 0; i < n; i++)
    for (size_t p = 0; p < count_montage_pixels (montage); p++)
      if ((sources[i]->pixels[p] & 0xffffff) == 0)
        montage->missing[p] |= 1u << i;
  return montage;
}

void
fs_montage_fill_data (const FsMontage *montage, int32_t *data)
{
  size_t n = count_montage_pixels (montage);
  for (int label = 0; label < montage->n; label++)
    for (size_t p = 0; p < n; p++) {
      uint32_t missing = montage->missing[p];
      gboolean costs = (missing >> label & 1) && missing != montage->all;
      data[(size_t)label * n + p] = costs ? montage->missing_cost : 0;
    }
}

static inline double
colour_distance (uint32_t a, uint32_t b)
{
  int r = FS_PIXEL_R (a) - FS_PIXEL_R (b);
  int g = FS_PIXEL_G (a) - FS_PIXEL_G (b);
  int bl = FS_PIXEL_B (a) - FS_PIXEL_B (b);
  return sqrt (r * r + g * g + bl * bl);
}

int32_t
fs_montage_pair_cost (const void *data, size_t p, FsDirection d, int a, int b)
{
  const FsMontage *montage = data;
  if (a == b)
    return 0;
  const FsImage *first = montage->sources[a], *second = montage->sources[b];
  size_t q =
      (size_t)((ptrdiff_t)p + fs_direction_dx (d) + (ptrdiff_t)fs_direction_dy (d) * first->width);
  uint32_t at_p = montage->missing[p], at_q = montage->missing[q];
  if (G_UNLIKELY (at_p | at_q)) {
    if (at_p == montage->all || at_q == montage->all || ((at_p >> a & 1) && (at_q >> b & 1)))
      return 0;
    if ((at_p | at_q) & (1u << a | 1u << b))
      return montage->missing_cost;
  }
  return (int32_t)(colour_distance (first->pixels[p], second->pixels[p])
                   + colour_distance (first->pixels[q], second->pixels[q]))
         + 1;
}

int32_t
fs_montage_pair_cost_max (const FsMontage *montage)
{
  return MAX (montage->missing_cost, FARTHEST);
}
