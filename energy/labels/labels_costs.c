/* SPDX-License-Identifier: MIT */
#include "energy/labels/labels_costs.h"

enum { N_CHANNELS = 3 };

static inline int
channel (uint32_t pixel, int c)
{
  return (int)(pixel >> (8 * c) & 255);
}

/* A pixel's value and its range with the half-way neighbours in the row. */
typedef struct {
  int value, low, high;
} Span;

static Span
span_at (const FsImage *image, int x, int y, int c)
{
  const uint32_t *row = image->pixels + (size_t)y * (size_t)image->width;
  int value = channel (row[x], c);
  int left = x > 0 ? (value + channel (row[x - 1], c)) / 2 : value;
  int right = x + 1 < image->width ? (value + channel (row[x + 1], c)) / 2 : value;
  return (Span){ value, MIN (value, MIN (left, right)), MAX (value, MAX (left, right)) };
}

static void
fill_spans (const FsImage *image, int y, Span *spans)
{
  for (int x = 0; x < image->width; x++)
    for (int c = 0; c < N_CHANNELS; c++)
      spans[x * N_CHANNELS + c] = span_at (image, x, y, c);
}

static inline int
distance (int value, const Span *span)
{
  return MAX (0, MAX (value - span->high, span->low - value));
}

static int32_t
match_cost (const Span *left, const Span *right, gboolean squared, int32_t max)
{
  int32_t sum = 0;
  for (int c = 0; c < N_CHANNELS; c++) {
    int d = MIN (distance (left[c].value, &right[c]), distance (right[c].value, &left[c]));
    sum += squared ? d * d : d;
  }
  return MIN (sum, max);
}

void
fs_labels_fill_stereo (const FsImage *left, const FsImage *right, int n_labels, gboolean squared,
                       int32_t max, int32_t *data)
{
  size_t width = (size_t)left->width, n = width * (size_t)left->height;
  int32_t outside = MIN (N_CHANNELS * (squared ? 255 * 255 : 255), max);
  g_autofree Span *spans = g_new (Span, 2 * N_CHANNELS * width);
  Span *others = spans + N_CHANNELS * width;
  for (int y = 0; y < left->height; y++) {
    fill_spans (left, y, spans);
    fill_spans (right, y, others);
    for (int label = 0; label < n_labels; label++) {
      int32_t *row = data + (size_t)label * n + (size_t)y * width;
      for (int x = 0; x < left->width; x++)
        row[x] = x < label ? outside
                           : match_cost (spans + (size_t)x * N_CHANNELS,
                                         others + (size_t)(x - label) * N_CHANNELS, squared, max);
    }
  }
}

void
fs_labels_fill_restoration (const FsImage *image, const FsImage *mask, int n_labels, int32_t *data)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  for (int label = 0; label < n_labels; label++)
    for (size_t p = 0; p < n; p++) {
      int d = FS_PIXEL_B (image->pixels[p]) - label;
      gboolean is_seen = mask == NULL || FS_PIXEL_B (mask->pixels[p]) != 0;
      data[(size_t)label * n + p] = is_seen ? d * d : 0;
    }
}

gboolean
fs_labels_fill_table (int power, int32_t scale, int32_t max, int n_labels, int32_t *table)
{
  for (int a = 0; a < n_labels; a++)
    for (int b = 0; b < n_labels; b++) {
      int64_t d = ABS (a - b);
      int64_t raised = power == 2 ? d * d : power == 1 ? d : d > 0;
      int64_t cost = scale * MIN (raised, max);
      if (cost > FS_PAIR_COST_MAX)
        return FALSE;
      table[a * n_labels + b] = (int32_t)cost;
    }
  return TRUE;
}

static int32_t
colour_difference (uint32_t a, uint32_t b)
{
  int32_t sum = 0;
  for (int c = 0; c < N_CHANNELS; c++) {
    int d = channel (a, c) - channel (b, c);
    sum += d * d;
  }
  return sum;
}

void
fs_labels_fill_cue (const FsImage *image, int32_t below, uint16_t factor,
                    uint16_t *weight[FS_N_DIRECTIONS])
{
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    size_t p = 0;
    for (int y = 0; weight[d] != NULL && y < image->height; y++)
      for (int x = 0; x < image->width; x++, p++) {
        int qx = x + fs_direction_dx ((FsDirection)d), qy = y + fs_direction_dy ((FsDirection)d);
        if (qx < 0 || qx >= image->width || qy >= image->height) {
          weight[d][p] = 0;
          continue;
        }
        uint32_t other = image->pixels[(size_t)qy * (size_t)image->width + (size_t)qx];
        weight[d][p] = colour_difference (image->pixels[p], other) < below ? factor : 1;
      }
  }
}
