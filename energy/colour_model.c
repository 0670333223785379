/* SPDX-License-Identifier: MIT */
#include "energy/colour_model.h"

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

/* Splits until there are 64 clusters or every cluster is one colour. Returns how many. */
static int
divide (Colour *colours, size_t n, Cluster *clusters)
{
  int n_clusters = 1;
  clusters[0] = (Cluster){ .colours = colours, .n = n, .m = moments_of (colours, n) };
  while (n_clusters < FS_N_CLUSTERS) {
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
  for (int k = 0; k < 3; k++)
    model->mean[k][j] = (int16_t)((2 * m->sum[k] + m->weight) / (2 * m->weight));
}

/* 64 times the squared distance to the nearest slot, plus that slot's number: one number, so that
 * the search is a minimum, which a compiler makes vectors of, and the first of equals wins. */
static int32_t
nearest_key (const FsColourModel *model, int r, int g, int b)
{
  const int16_t c[3] = { (int16_t)r, (int16_t)g, (int16_t)b };
  int32_t best = G_MAXINT32;
  for (int j = 0; j < FS_N_CLUSTERS; j++) {
    int16_t dr = (int16_t)(model->mean[0][j] - c[0]), dg = (int16_t)(model->mean[1][j] - c[1]),
            db = (int16_t)(model->mean[2][j] - c[2]);
    int32_t key = (dr * dr + dg * dg + db * db) * FS_N_CLUSTERS + j;
    best = MIN (best, key);
  }
  return best;
}

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
start (FsColourModel *model, Colour *colours, size_t n)
{
  Cluster clusters[FS_N_CLUSTERS];
  model->n_clusters = divide (colours, n, clusters);
  for (int j = 0; j < model->n_clusters; j++) {
    set_mean (model, j, &clusters[j].m);
    for (size_t i = 0; i < clusters[j].n; i++)
      clusters[j].colours[i].cluster = j;
  }
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
  start (model, colours, n);
  for (int i = 0; i < MAX_ITERATIONS; i++)
    if (!iterate (model, colours, n))
      break;
}

int32_t
fs_colour_model_distance2 (const FsColourModel *model, uint32_t bin)
{
  return nearest_key (model, fs_colour_bin_centre (bin, 0), fs_colour_bin_centre (bin, 1),
                      fs_colour_bin_centre (bin, 2))
         / FS_N_CLUSTERS;
}
