/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence_cut.h"

#include "app/files/report_numbers.h"
#include "app/frames/follow/span_cut.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The runs of the frame's band, as the solver has them. FALSE where memory is short; there are none
 * then. */
static gboolean
copy_band_runs (const FsFrameBand *from, FsBand *band)
{
  size_t n_rows = (size_t)from->height + 1;
  if (from->n_runs > band->runs_capacity || n_rows > band->rows_capacity) {
    fs_band_clear (band);
    band->runs_capacity = from->n_runs + from->n_runs / 4 + 1;
    band->rows_capacity = n_rows;
    band->runs = fs_memory_new (band->runs_capacity, sizeof *band->runs);
    band->row_start = fs_memory_new (n_rows, sizeof *band->row_start);
    if (!band->runs || !band->row_start) {
      fs_band_clear (band);
      return FALSE;
    }
  }
  band->width = from->width;
  band->height = from->height;
  band->n_pixels = from->n_free;
  band->n_runs = from->n_runs;
  if (from->n_runs > 0)
    memcpy (band->runs, from->runs, from->n_runs * sizeof *band->runs);
  for (size_t y = 0; y < n_rows; y++)
    band->row_start[y] = (uint32_t)from->row_start[y];
  return TRUE;
}

static gboolean
solve_band (FsSequence *sequence, const FsImage *image, FsSequenceStep *step, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  const FsFrameEnergy *energy = &sequence->energy;
  FsGrid grid = { .width = energy->width,
                  .height = energy->height,
                  .neighbours = FS_NEIGHBOURS_8,
                  .tlink = energy->tlink };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid.nlink[d] = energy->nlink[d];
  size_t n = fs_grid_n_pixels (&grid);
  step->is_reused = step->is_reused && sequence->flow.n_pixels >= n;
  if (!copy_band_runs (&sequence->band, &sequence->runs)
      || (!step->is_reused && !fs_band_flow_reset (&sequence->flow, n)))
    return fs_sequence_refuse_memory (image, error);
  sequence->band_cut.flow = &sequence->flow;
  step->change_us = fs_report_lap (&mark);
  FsSearchOutcome outcome =
      fs_band_cut_run (&sequence->band_cut, &grid, &sequence->runs, sequence->cut, NULL);
  if (outcome != FS_SEARCH_DONE) {
    fs_band_flow_clear (&sequence->flow);
    return fs_search_outcome_fail (outcome, error);
  }
  step->n_initial = sequence->flow.n_reused;
  step->solution.bound = sequence->band_cut.bound;
  step->solution.energy = fs_frame_energy_sum (energy, sequence->cut);
  step->solution.exact = step->solution.energy == step->solution.bound;
  step->solve_us = fs_report_lap (&mark);
  return TRUE;
}

static gboolean
solve_span (FsSequence *sequence, FsImage *image, FsSequenceStep *step, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  if (!fs_frame_span_add (sequence->span, image, &sequence->band, &sequence->energy))
    return fs_sequence_refuse_memory (image, error);
  step->change_us = fs_report_lap (&mark);
  return fs_span_cut (sequence->span, sequence->cut, step, error);
}

/* FALSE where the device has failed. */
static gboolean
solve_on_device (FsSequence *sequence, const FsImage *image, FsSequenceStep *step)
{
  return fs_device_band_cut (&sequence->device, image, &sequence->band, sequence->colours,
                             sequence->cut, step);
}

/* Switches to the CPU, from this frame on. */
static gboolean
leave_device (FsSequence *sequence, const FsImage *image, FsSequenceStep *step)
{
  fs_device_band_clear (&sequence->device);
  sequence->device_has_failed = TRUE;
  step->is_reused = FALSE;
  return fs_frame_energy_fill (&sequence->energy, image, &sequence->band, sequence->colours);
}

static gboolean
reserve_cut (FsSequence *sequence)
{
  size_t n = (size_t)sequence->band.width * (size_t)sequence->band.height;
  if (n <= sequence->cut_capacity)
    return TRUE;
  g_clear_pointer (&sequence->cut, fs_memory_free);
  sequence->cut = fs_memory_new (n, 1);
  sequence->cut_capacity = sequence->cut ? n : 0;
  if (sequence->cut)
    memset (sequence->cut, 0, n);
  return sequence->cut != NULL;
}

gboolean
fs_sequence_cut_solve (FsSequence *sequence, const FsKnownFrame *from, FsImage *image,
                       FsSequenceStep *step, GError **error)
{
  if (!reserve_cut (sequence))
    return fs_sequence_refuse_memory (image, error);
  gboolean done =
      fs_sequence_is_cut_on_device (sequence, from) && solve_on_device (sequence, image, step);
  if (!done && fs_sequence_is_cut_on_device (sequence, from)
      && !leave_device (sequence, image, step))
    return fs_sequence_refuse_memory (image, error);
  step->backend = done ? sequence->backend : &fs_backend_cpu;
  if (!done)
    done = fs_sequence_is_in_span (sequence, from) ? solve_span (sequence, image, step, error)
                                                   : solve_band (sequence, image, step, error);
  if (!done)
    return FALSE;
  if (step->solution.exact)
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                       "the cut could not be proven minimal");
  return FALSE;
}

/* The labels that were cut, and the fixed ones elsewhere. */
static void
write_row (const uint8_t *restrict state, const uint8_t *restrict cut, int n, uint8_t *restrict row)
{
  for (int x = 0; x < n; x++) /* without a branch: in vectors */
    row[x] = (uint8_t)((cut[x] & -(state[x] == FS_FRAME_FREE)) | (state[x] == FS_FRAME_OBJECT));
}

void
fs_sequence_cut_write_mask (const FsSequence *sequence, const FsImage *image, uint8_t *mask)
{
  const FsFrameBand *band = &sequence->band;
  FsRect frame = { 0, 0, image->width, image->height };
  FsRect inside = fs_rect_intersect (band->window, frame);
  memset (mask, 0, (size_t)image->width * (size_t)image->height);
  for (int y = inside.y0; y < inside.y1; y++) {
    size_t p =
        (size_t)(y - band->window.y0) * (size_t)band->width + (size_t)(inside.x0 - band->window.x0);
    write_row (band->state + p, sequence->cut + p, inside.x1 - inside.x0,
               mask + (size_t)y * (size_t)image->width + (size_t)inside.x0);
  }
}
