/* SPDX-License-Identifier: MIT */
#include "energy/colour/colour_clusters.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MAX_ITERATIONS = 12 };

/* Farther than any colour is from any other: an empty slot is never the nearest. */
enum { UNUSED_MEAN = 2100 };

/* One occupied bin: a colour with a weight. */
typedef struct {
  int32_t c[3];
  int32_t cluster;
  int64_t weight;
} Colour;

typedef struct {
  int64_t weight;
  int64_t sum[3];
  int64_t sum2[3];
} Moments;

static Colour *
occupied_colours (const FsColourHistogram *histogram, size_t *n)
{
  GArray *colours = g_array_new (FALSE, FALSE, sizeof (Colour));
  for (size_t i = 0; i < histogram->n_bins; i++) {
    uint32_t bin = histogram->bins[i];
    if (histogram->count[bin] == 0)
      continue;
    Colour colour = { .weight = histogram->count[bin] };
    for (int k = 0; k < 3; k++)
      colour.c[k] = fs_colour_bin_centre (bin, k);
    g_array_append_val (colours, colour);
  }
  Colour *stolen = (Colour *)g_array_steal (colours, n);
  g_array_unref (colours);
  return stolen;
}

/* Colours that lie one after the other. */
typedef struct {
  Colour *colours;
  size_t n;
  Moments m;
} Cluster;

static Moments
moments_of (const Colour *colours, size_t n)
{
  Moments m = { 0 };
  for (size_t i = 0; i < n; i++) {
    m.weight += colours[i].weight;
    for (int k = 0; k < 3; k++) {
      m.sum[k] += colours[i].weight * colours[i].c[k];
      m.sum2[k] += colours[i].weight * colours[i].c[k] * colours[i].c[k];
    }
  }
  return m;
}

static Moments
difference (const Moments *a, const Moments *b)
{
  Moments m = { .weight = a->weight - b->weight };
  for (int k = 0; k < 3; k++) {
    m.sum[k] = a->sum[k] - b->sum[k];
    m.sum2[k] = a->sum2[k] - b->sum2[k];
  }
  return m;
}

static double
squared_error (const Moments *m, int k)
{
  if (m->weight == 0)
    return 0;
  return (double)m->sum2[k] - (double)m->sum[k] * (double)m->sum[k] / (double)m->weight;
}

static int
widest_axis (const Moments *m)
{
  int widest = 0;
  for (int k = 1; k < 3; k++)
    if (squared_error (m, k) > squared_error (m, widest))
      widest = k;
  return widest;
}

static int
worst_cluster (const Cluster *clusters, int n_clusters, double *worst_error)
{
  int worst = 0;
  *worst_error = -1;
  for (int j = 0; j < n_clusters; j++) {
    const Moments *m = &clusters[j].m;
    double e = squared_error (m, 0) + squared_error (m, 1) + squared_error (m, 2);
    if (e > *worst_error) {
      *worst_error = e;
      worst = j;
    }
  }
  return worst;
}

/* Returns the part of the cluster that lies above its mean along the axis, which it loses. */
static Cluster
split (Cluster *cluster, int axis)
{
  const Moments m = cluster->m;
  size_t i = 0, end = cluster->n;
  while (i < end) {
    Colour colour = cluster->colours[i];
    if (colour.c[axis] * m.weight <= m.sum[axis]) {
      i++;
      continue;
    }
    end--;
    cluster->colours[i] = cluster->colours[end];
    cluster->colours[end] = colour;
  }
  Cluster above = { .colours = cluster->colours + end, .n = cluster->n - end };
  above.m = moments_of (above.colours, above.n);
  cluster->n = end;
  cluster->m = difference (&m, &above.m);
  return above;
}

/* Splits until there are so many clusters or every cluster is one colour. Returns how many. */
static int
divide (Colour *colours, size_t n, Cluster *clusters, int max)
{
  int n_clusters = 1;
  clusters[0] = (Cluster){ .colours = colours, .n = n, .m = moments_of (colours, n) };
  while (n_clusters < max) {
    double error;
    Cluster *worst = &clusters[worst_cluster (clusters, n_clusters, &error)];
    if (error < 0.5)
      break;
    clusters[n_clusters++] = split (worst, widest_axis (&worst->m));
  }
  return n_clusters;
}

static void
set_mean (FsColourModel *model, int j, const Moments *m)
{
  int16_t mean[3];
  for (int k = 0; k < 3; k++)
    mean[k] = (int16_t)((2 * m->sum[k] + m->weight) / (2 * m->weight));
  model->red_green[j][0] = mean[0];
  model->red_green[j][1] = mean[1];
  model->blue[j][0] = mean[2];
}

/* 64 times the squared distance to the nearest slot, plus that slot's number: one number, so that
 * the search is a minimum and the first of equals wins. */
#ifdef __SSE2__
static int32_t
nearest_key (const FsColourModel *model, int r, int g, int b)
{
  const __m128i red_green = _mm_set1_epi32 (g << 16 | r), blue = _mm_set1_epi32 (b);
  /* SSE2 has no minimum of 32-bit integers. As floats, positive ones have the same order; the bias
   * keeps them normal. */
  const int32_t bias = 1 << 23;
  __m128i number = _mm_set_epi32 (bias + 3, bias + 2, bias + 1, bias);
  __m128 best = _mm_castsi128_ps (_mm_set1_epi32 (0x7f7fffff));
  for (int j = 0; j < FS_N_CLUSTERS; j += 4) {
    __m128i rg = _mm_sub_epi16 (_mm_loadu_si128 ((const void *)model->red_green[j]), red_green);
    __m128i b0 = _mm_sub_epi16 (_mm_loadu_si128 ((const void *)model->blue[j]), blue);
    __m128i d2 = _mm_add_epi32 (_mm_madd_epi16 (rg, rg), _mm_madd_epi16 (b0, b0));
    __m128i key = _mm_add_epi32 (_mm_slli_epi32 (d2, 6), number);
    best = _mm_min_ps (best, _mm_castsi128_ps (key));
    number = _mm_add_epi32 (number, _mm_set1_epi32 (4));
  }
  best = _mm_min_ps (best, _mm_shuffle_ps (best, best, _MM_SHUFFLE (1, 0, 3, 2)));
  best = _mm_min_ps (best, _mm_shuffle_ps (best, best, _MM_SHUFFLE (2, 3, 0, 1)));
  return _mm_cvtsi128_si32 (_mm_castps_si128 (best)) - bias;
}
G_STATIC_ASSERT (FS_N_CLUSTERS == 1 << 6);
#else
static int32_t
nearest_key (const FsColourModel *model, int r, int g, int b)
{
  int32_t best = G_MAXINT32;
  for (int j = 0; j < FS_N_CLUSTERS; j++) {
    int dr = model->red_green[j][0] - r, dg = model->red_green[j][1] - g,
        db = model->blue[j][0] - b;
    int32_t key = (dr * dr + dg * dg + db * db) * FS_N_CLUSTERS + j;
    best = MIN (best, key);
  }
  return best;
}
#endif

/* One step of Lloyd's iteration. Returns whether any colour changed its cluster. */
static gboolean
iterate (FsColourModel *model, Colour *colours, size_t n)
{
  Moments m[FS_N_CLUSTERS] = { 0 };
  gboolean moved = FALSE;
  for (size_t i = 0; i < n; i++) {
    Colour *colour = &colours[i];
    int j = nearest_key (model, colour->c[0], colour->c[1], colour->c[2]) % FS_N_CLUSTERS;
    moved |= j != colour->cluster;
    colour->cluster = j;
    m[j].weight += colour->weight;
    for (int k = 0; k < 3; k++)
      m[j].sum[k] += colour->weight * colour->c[k];
  }
  for (int j = 0; j < model->n_clusters; j++)
    if (m[j].weight > 0)
      set_mean (model, j, &m[j]);
  return moved;
}

static void
start_clusters (FsColourModel *model, Colour *colours, size_t n, int max)
{
  Cluster clusters[FS_N_CLUSTERS];
  model->n_clusters = divide (colours, n, clusters, max);
  for (int j = 0; j < model->n_clusters; j++) {
    set_mean (model, j, &clusters[j].m);
    for (size_t i = 0; i < clusters[j].n; i++)
      clusters[j].colours[i].cluster = j;
  }
}

void
fs_colour_model_fit (FsColourModel *model, const FsColourHistogram *histogram, int n_clusters)
{
  g_return_if_fail (n_clusters >= 1 && n_clusters <= FS_N_CLUSTERS);

  *model = (FsColourModel){ 0 };
  for (int j = 0; j < FS_N_CLUSTERS; j++)
    model->red_green[j][0] = model->red_green[j][1] = model->blue[j][0] = UNUSED_MEAN;
  if (histogram->n_pixels == 0)
    return;

  size_t n;
  g_autofree Colour *colours = occupied_colours (histogram, &n);
  start_clusters (model, colours, n, n_clusters);
  for (int i = 0; i < MAX_ITERATIONS; i++)
    if (!iterate (model, colours, n))
      break;
}

static int32_t
key_of_bin (const FsColourModel *model, uint32_t bin)
{
  return nearest_key (model, fs_colour_bin_centre (bin, 0), fs_colour_bin_centre (bin, 1),
                      fs_colour_bin_centre (bin, 2));
}

int32_t
fs_colour_model_distance2 (const FsColourModel *model, uint32_t bin)
{
  return key_of_bin (model, bin) / FS_N_CLUSTERS;
}

int
fs_colour_model_nearest (const FsColourModel *model, uint32_t bin)
{
  return key_of_bin (model, bin) % FS_N_CLUSTERS;
}
