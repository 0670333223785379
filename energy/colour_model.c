/* SPDX-License-Identifier: MIT */
#include "energy/colour_model.h"

enum { MAX_ITERATIONS = 12 };

/* Farther than any colour is from any other: an empty slot is never the nearest. */
static const float UNUSED_MEAN = 8192;

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

static Moments
moments_of (const Colour *colours, size_t n, int cluster)
{
  Moments m = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (colours[i].cluster != cluster)
      continue;
    m.weight += colours[i].weight;
    for (int k = 0; k < 3; k++) {
      m.sum[k] += colours[i].weight * colours[i].c[k];
      m.sum2[k] += colours[i].weight * colours[i].c[k] * colours[i].c[k];
    }
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
worst_cluster (const Moments *m, int n_clusters, double *worst_error)
{
  int worst = 0;
  *worst_error = -1;
  for (int j = 0; j < n_clusters; j++) {
    double e = squared_error (&m[j], 0) + squared_error (&m[j], 1) + squared_error (&m[j], 2);
    if (e > *worst_error) {
      *worst_error = e;
      worst = j;
    }
  }
  return worst;
}

/* Splits until there are 64 clusters or every cluster is one colour. Returns how many. */
static int
divide (Colour *colours, size_t n, Moments *m)
{
  int n_clusters = 1;
  m[0] = moments_of (colours, n, 0);
  while (n_clusters < FS_N_CLUSTERS) {
    double error;
    int j = worst_cluster (m, n_clusters, &error);
    if (error < 0.5)
      break;
    int axis = widest_axis (&m[j]);
    for (size_t i = 0; i < n; i++)
      if (colours[i].cluster == j && colours[i].c[axis] * m[j].weight > m[j].sum[axis])
        colours[i].cluster = n_clusters;
    m[j] = moments_of (colours, n, j);
    m[n_clusters] = moments_of (colours, n, n_clusters);
    n_clusters++;
  }
  return n_clusters;
}

static void
set_mean (FsColourModel *model, int j, const Moments *m)
{
  for (int k = 0; k < 3; k++)
    model->mean[k][j] = (float)((2 * m->sum[k] + m->weight) / (2 * m->weight));
}

/* Squared distances to all 64 slots. They are whole numbers below 2²⁴, so the conversion is exact;
 * as integers the compiler may reorder the search for the smallest. */
static void
distances2 (const FsColourModel *model, const float c[3], int32_t d2[FS_N_CLUSTERS])
{
  for (int j = 0; j < FS_N_CLUSTERS; j++) {
    float dr = model->mean[0][j] - c[0], dg = model->mean[1][j] - c[1],
          db = model->mean[2][j] - c[2];
    d2[j] = (int32_t)(dr * dr + dg * dg + db * db);
  }
}

static int32_t
smallest (const int32_t d2[FS_N_CLUSTERS])
{
  int32_t best = d2[0];
  for (int j = 1; j < FS_N_CLUSTERS; j++)
    best = d2[j] < best ? d2[j] : best;
  return best;
}

static int
nearest (const FsColourModel *model, const Colour *colour)
{
  const float c[3] = { (float)colour->c[0], (float)colour->c[1], (float)colour->c[2] };
  int32_t d2[FS_N_CLUSTERS];
  distances2 (model, c, d2);
  int32_t best = smallest (d2);
  int j = 0;
  while (d2[j] != best)
    j++;
  return j;
}

/* One step of Lloyd's iteration. Returns whether any colour changed its cluster. */
static gboolean
iterate (FsColourModel *model, Colour *colours, size_t n)
{
  Moments m[FS_N_CLUSTERS] = { 0 };
  gboolean moved = FALSE;
  for (size_t i = 0; i < n; i++) {
    Colour *colour = &colours[i];
    int j = nearest (model, colour);
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

void
fs_colour_model_fit (FsColourModel *model, const FsColourHistogram *histogram)
{
  *model = (FsColourModel){ 0 };
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < FS_N_CLUSTERS; j++)
      model->mean[k][j] = UNUSED_MEAN;
  if (histogram->n_pixels == 0)
    return;

  size_t n;
  g_autofree Colour *colours = occupied_colours (histogram, &n);
  Moments m[FS_N_CLUSTERS];
  model->n_clusters = divide (colours, n, m);
  for (int j = 0; j < model->n_clusters; j++)
    set_mean (model, j, &m[j]);
  for (int i = 0; i < MAX_ITERATIONS; i++)
    if (!iterate (model, colours, n))
      break;
}

int32_t
fs_colour_model_distance2 (const FsColourModel *model, uint32_t bin)
{
  const float c[3] = { (float)fs_colour_bin_centre (bin, 0), (float)fs_colour_bin_centre (bin, 1),
                       (float)fs_colour_bin_centre (bin, 2) };
  int32_t d2[FS_N_CLUSTERS];
  distances2 (model, c, d2);
  return smallest (d2);
}
