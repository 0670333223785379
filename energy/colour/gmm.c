/* SPDX-License-Identifier: MIT */
#include "energy/colour/gmm.h"

#include "energy/colour/colour_clusters.h"
#include "energy/image/exact_math.h"

#include <math.h>

/* The variance of a uniform distribution over a bin. */
static const double BIN_VARIANCE = 4.0 * 4.0 / 12;
/* Below this exponent e^x is 0 compared with 1. */
static const double NOTHING = -700;

/* Moments of the colours of one component; the sums are integers. */
typedef struct {
  double weight;
  double sum[3];
  double product[3][3];
} Moments;

static void
bin_colour (uint32_t bin, double colour[3])
{
  for (int k = 0; k < 3; k++)
    colour[k] = (double)fs_colour_bin_centre (bin, k) / FS_COLOUR_SCALE;
}

static void
add_bin (Moments *m, uint32_t bin, double weight)
{
  double c[3];
  bin_colour (bin, c);
  m->weight += weight;
  for (int i = 0; i < 3; i++) {
    m->sum[i] += weight * c[i];
    for (int j = 0; j < 3; j++)
      m->product[i][j] += weight * c[i] * c[j];
  }
}

/* The inverse by cofactors. Returns the determinant. */
static double
invert (double a[3][3], double inverse[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int r = (j + 1) % 3, s = (j + 2) % 3, t = (i + 1) % 3, u = (i + 2) % 3;
      inverse[i][j] = a[r][t] * a[s][u] - a[r][u] * a[s][t];
    }
  double determinant = a[0][0] * inverse[0][0] + a[0][1] * inverse[1][0] + a[0][2] * inverse[2][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse[i][j] /= determinant;
  return determinant;
}

static FsGaussian
gaussian_of (const Moments *m, double total)
{
  FsGaussian gaussian;
  double covariance[3][3];
  for (int i = 0; i < 3; i++)
    gaussian.mean[i] = m->sum[i] / m->weight;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      covariance[i][j] = m->product[i][j] / m->weight - gaussian.mean[i] * gaussian.mean[j]
                         + (i == j ? BIN_VARIANCE : 0);
  double determinant = invert (covariance, gaussian.inverse);
  gaussian.log_scale =
      fs_exact_log (m->weight / total) - 0.5 * fs_exact_log (8 * G_PI * G_PI * G_PI * determinant);
  return gaussian;
}

static double
log_density (const FsGaussian *gaussian, const double c[3])
{
  double d[3], sum = 0;
  for (int i = 0; i < 3; i++)
    d[i] = c[i] - gaussian->mean[i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += d[i] * gaussian->inverse[i][j] * d[j];
  return gaussian->log_scale - 0.5 * sum;
}

static int
likeliest (const FsGmm *gmm, uint32_t bin)
{
  double c[3], max = -INFINITY;
  int best = 0;
  bin_colour (bin, c);
  for (int k = 0; k < gmm->n_components; k++) {
    double here = log_density (&gmm->component[k], c);
    if (here > max) {
      max = here;
      best = k;
    }
  }
  return best;
}

/* Components without colours fall away. */
static void
set_components (FsGmm *gmm, const Moments moments[FS_GMM_COMPONENTS], double total)
{
  gmm->n_components = 0;
  for (int k = 0; k < FS_GMM_COMPONENTS; k++)
    if (moments[k].weight > 0)
      gmm->component[gmm->n_components++] = gaussian_of (&moments[k], total);
}

static void
start_mixture (FsGmm *gmm, const FsColourHistogram *histogram)
{
  FsColourModel clusters;
  Moments moments[FS_GMM_COMPONENTS] = { 0 };
  fs_colour_model_fit (&clusters, histogram, FS_GMM_COMPONENTS);
  for (size_t i = 0; i < histogram->n_bins; i++) {
    uint32_t bin = histogram->bins[i], count = histogram->count[bin];
    if (count > 0)
      add_bin (&moments[fs_colour_model_nearest (&clusters, bin)], bin, count);
  }
  set_components (gmm, moments, (double)histogram->n_pixels);
}

static void
refine (FsGmm *gmm, const FsColourHistogram *histogram)
{
  Moments moments[FS_GMM_COMPONENTS] = { 0 };
  for (size_t i = 0; i < histogram->n_bins; i++) {
    uint32_t bin = histogram->bins[i], count = histogram->count[bin];
    if (count > 0)
      add_bin (&moments[likeliest (gmm, bin)], bin, count);
  }
  set_components (gmm, moments, (double)histogram->n_pixels);
}

void
fs_gmm_fit (FsGmm *gmm, const FsColourHistogram *histogram, int n_rounds)
{
  *gmm = (FsGmm){ 0 };
  if (histogram->n_pixels == 0)
    return;
  start_mixture (gmm, histogram);
  for (int i = 0; i < n_rounds; i++)
    refine (gmm, histogram);
}

double
fs_gmm_log_density (const FsGmm *gmm, uint32_t bin)
{
  double c[3], log_of[FS_GMM_COMPONENTS], max = -INFINITY, sum = 0;
  bin_colour (bin, c);
  for (int k = 0; k < gmm->n_components; k++) {
    log_of[k] = log_density (&gmm->component[k], c);
    max = fmax (max, log_of[k]);
  }
  for (int k = 0; k < gmm->n_components; k++)
    sum += fs_exact_exp (fmax (log_of[k] - max, NOTHING));
  return max + fs_exact_log (sum);
}
