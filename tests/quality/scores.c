/* SPDX-License-Identifier: MIT */
#include "tests/quality/scores.h"

enum { TOLERANCE_PX = 2 };

double
quality_iou (const uint8_t *mask, const uint8_t *truth, size_t n)
{
  size_t n_common = 0, n_either = 0;
  for (size_t i = 0; i < n; i++) {
    if (truth[i] == QUALITY_TRUTH_IGNORED)
      continue;
    gboolean object = truth[i] == QUALITY_TRUTH_OBJECT;
    n_common += mask[i] && object;
    n_either += mask[i] || object;
  }
  return n_either > 0 ? (double)n_common / (double)n_either : 1;
}

static double
error_rate (const uint8_t *mask, const uint8_t *truth, const uint8_t *unknown, size_t n)
{
  size_t n_wrong = 0, n_evaluated = 0;
  for (size_t i = 0; i < n; i++) {
    if (truth[i] == QUALITY_TRUTH_IGNORED || (unknown && !unknown[i]))
      continue;
    n_evaluated++;
    n_wrong += (mask[i] != 0) != (truth[i] == QUALITY_TRUTH_OBJECT);
  }
  return n_evaluated > 0 ? (double)n_wrong / (double)n_evaluated : 0;
}

/* 1 on the border of the pixels of at least `threshold`. Returns how many. */
static size_t
trace_border (const uint8_t *plane, int threshold, int width, int height, uint8_t *border)
{
  size_t n_border = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t p = (size_t)y * width + x;
      gboolean inside = plane[p] >= threshold;
      border[p] = (x + 1 < width && (plane[p + 1] >= threshold) != inside)
                  || (y + 1 < height && (plane[p + width] >= threshold) != inside);
      n_border += border[p];
    }
  return n_border;
}

static gboolean
is_near (const uint8_t *border, int x, int y, int width, int height)
{
  for (int dy = -TOLERANCE_PX; dy <= TOLERANCE_PX; dy++)
    for (int dx = -TOLERANCE_PX; dx <= TOLERANCE_PX; dx++) {
      int qx = x + dx, qy = y + dy;
      if (dx * dx + dy * dy <= TOLERANCE_PX * TOLERANCE_PX && qx >= 0 && qx < width && qy >= 0
          && qy < height && border[(size_t)qy * width + qx])
        return TRUE;
    }
  return FALSE;
}

/* How many of the pixels of `a` have one of `b` within the tolerance. */
static size_t
count_near (const uint8_t *a, const uint8_t *b, int width, int height)
{
  size_t n_near = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (a[(size_t)y * width + x])
        n_near += is_near (b, x, y, width, height);
  return n_near;
}

static double
boundary_f (const uint8_t *mask, const uint8_t *truth, int width, int height)
{
  size_t n = (size_t)width * (size_t)height;
  g_autofree uint8_t *ours = g_malloc (n), *theirs = g_malloc (n);
  size_t n_ours = trace_border (mask, 1, width, height, ours);
  size_t n_theirs = trace_border (truth, QUALITY_TRUTH_IGNORED, width, height, theirs);
  if (n_ours == 0 || n_theirs == 0)
    return n_ours == n_theirs;
  double precision = (double)count_near (ours, theirs, width, height) / (double)n_ours;
  double recall = (double)count_near (theirs, ours, width, height) / (double)n_theirs;
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

QualityScores
quality_scores (const uint8_t *mask, const uint8_t *truth, const uint8_t *unknown, int width,
                int height)
{
  size_t n = (size_t)width * (size_t)height;
  return (QualityScores){ .error = error_rate (mask, truth, unknown, n),
                          .iou = quality_iou (mask, truth, n),
                          .boundary = boundary_f (mask, truth, width, height) };
}
