/* SPDX-License-Identifier: MIT */
#include "app/backend_sequence.h"

#include "app/sequence.h"
#include "solver/cuda.h"

/* Pixels that the disc moves from frame to frame; frames after the first. */
enum { STEP_PX = 3, N_FRAMES = 4 };

static gboolean
is_in_disc (int side, int number, int x, int y)
{
  int dx = x - side / 2 - number * STEP_PX, dy = y - side / 2, radius = side / 4;
  return dx * dx + dy * dy < radius * radius;
}

/* Knuth & Lewis's generator: the same on every machine. */
static FsImage *
new_frame (int side, int number)
{
  FsImage *image = fs_image_new (side, side);
  uint32_t state = 1979u + (uint32_t)number;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      state = state * 1664525u + 1013904223u;
      int v = (is_in_disc (side, number, x, y) ? 120 : 60) + (int)(state >> 26);
      image->pixels[(size_t)y * (size_t)side + (size_t)x] = FS_PIXEL (255, v, v / 2, 255 - v);
    }
  return image;
}

static void
fill_mask (int side, uint8_t *mask)
{
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      *mask++ = is_in_disc (side, 0, x, y);
}

static gboolean
fail (FsSolverError code, const char *why, GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, code, why);
  return FALSE;
}

static gboolean
time_frame (FsSequence *sequence, const FsBackend *backend, int side, int number, uint8_t *mask,
            gint64 *frame_us, GError **error)
{
  FsSequenceStep step;
  g_autoptr (FsImage) image = new_frame (side, number);
  if (!fs_sequence_next (sequence, image, mask, &step, error))
    return FALSE;
  if (step.backend != backend)
    return fail (FS_SOLVER_ERROR_BACKEND, fs_cuda_notice (), error);
  *frame_us = MIN (*frame_us, step.total_us);
  return TRUE;
}

gboolean
fs_backend_sequence_time (const FsBackend *backend, int side, const FsProgress *progress,
                          gint64 *frame_us, GError **error)
{
  g_return_val_if_fail (backend && side >= 64 && frame_us, FALSE);
  FsSequenceOptions options = { .backend = backend };
  g_autoptr (FsSequence) sequence = fs_sequence_new (&options);
  g_autofree uint8_t *mask = g_try_malloc ((gsize)side * (gsize)side);
  g_autoptr (FsImage) first = new_frame (side, 0);
  if (!sequence || !mask)
    return fail (FS_SOLVER_ERROR_MEMORY, "not enough memory to time frames", error);
  fill_mask (side, mask);
  if (!fs_sequence_begin (sequence, first, mask, error))
    return FALSE;
  *frame_us = G_MAXINT64;
  for (int number = 1; number <= N_FRAMES; number++) {
    if (fs_progress_is_cancelled (progress))
      return fail (FS_SOLVER_ERROR_CANCELLED, "the measurement was cancelled", error);
    if (!time_frame (sequence, backend, side, number, mask, frame_us, error))
      return FALSE;
  }
  return TRUE;
}
