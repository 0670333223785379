/* SPDX-License-Identifier: MIT */
#include "app/sequence.h"

#include "app/frames.h"
#include "app/report.h"
#include "energy/frame_energy.h"
#include "solver/checked_memory.h"

#include <string.h>

/* Room round the object's own rectangle, in parts of its sides and in pixels, so that it can grow.
 */
enum { SLACK_PARTS = 8, SLACK_PX = 16 };
/* A window that is so many times as large as it need be is made anew. */
enum { MOST_TIMES = 4 };

struct _FsSequence {
  FsSequenceOptions options;
  FsImage *former; /* the last frame with a mask; NULL before the first */
  uint8_t *mask;
  FsFrameBand band;
  FsFrameColours *colours;
  FsFrameEnergy energy;

  FsRect window; /* in the former frame; empty: none yet */
  FsGrid grid;   /* of the window                        */
  uint16_t *nlink[FS_N_DIRECTIONS], *back[FS_N_DIRECTIONS];
  size_t capacity;
  FsSolver *solver;
  uint8_t *cut;    /* [window] */
  GArray *changes; /* of FsNlinkChange */
};

/* --- life ------------------------------------------------------------------------------------- */

FsSequence *
fs_sequence_new (const FsSequenceOptions *options)
{
  FsSequence *sequence = g_new0 (FsSequence, 1);
  sequence->options = *options;
  if (!sequence->options.backend)
    sequence->options.backend = &fs_backend_cpu;
  sequence->changes = g_array_new (FALSE, FALSE, sizeof (FsNlinkChange));
  sequence->colours = fs_frame_colours_new ();
  if (!sequence->colours)
    g_clear_pointer (&sequence, fs_sequence_free);
  return sequence;
}

static void
free_grid (FsSequence *sequence)
{
  g_clear_pointer (&sequence->solver, fs_solver_free);
  g_clear_pointer (&sequence->grid.tlink, fs_memory_free);
  g_clear_pointer (&sequence->cut, fs_memory_free);
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    g_clear_pointer (&sequence->nlink[d], fs_memory_free);
    g_clear_pointer (&sequence->back[d], fs_memory_free);
  }
  sequence->capacity = 0;
}

void
fs_sequence_free (FsSequence *sequence)
{
  if (!sequence)
    return;
  free_grid (sequence);
  fs_frame_energy_clear (&sequence->energy);
  fs_frame_band_clear (&sequence->band);
  fs_frame_colours_free (sequence->colours);
  g_clear_pointer (&sequence->former, fs_image_unref);
  g_free (sequence->mask);
  g_array_unref (sequence->changes);
  g_free (sequence);
}

static gboolean
refuse_memory (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for a frame of %d × %d pixels", image->width, image->height);
  return FALSE;
}

/* --- the window ------------------------------------------------------------------------------- */

static FsRect
grow (FsRect rect, int px_x, int px_y)
{
  return (FsRect){ rect.x0 - px_x, rect.y0 - px_y, rect.x1 + px_x, rect.y1 + px_y };
}

static FsRect
move (FsRect rect, FsShift by)
{
  return (FsRect){ rect.x0 + by.dx, rect.y0 + by.dy, rect.x1 + by.dx, rect.y1 + by.dy };
}

static gboolean
contains (FsRect outer, FsRect inner)
{
  return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1
         && outer.y1 >= inner.y1;
}

static int64_t
area (FsRect rect)
{
  return (int64_t)(rect.x1 - rect.x0) * (rect.y1 - rect.y0);
}

/* What the band and its colours need of a frame; empty where the object has left it. */
static FsRect
need_of (FsRect object, FsShift shift, const FsImage *image)
{
  FsRect frame = { 0, 0, image->width, image->height };
  int margin = MAX (fs_frame_colours_reach_px (image->width, image->height),
                    fs_frame_band_reach_px (image->width, image->height) + 2);
  if (fs_rect_is_empty (object)
      || fs_rect_is_empty (fs_rect_intersect (move (object, shift), frame)))
    return (FsRect){ 0, 0, 0, 0 };
  return fs_rect_intersect (grow (move (object, shift), margin, margin), frame);
}

/* The former window where that does, else one with room. */
static FsRect
choose_window (const FsSequence *sequence, FsRect need, FsShift shift)
{
  FsRect former = move (sequence->window, shift);
  if (!fs_rect_is_empty (sequence->window) && contains (former, need)
      && area (former) <= MOST_TIMES * area (need))
    return former;
  return grow (need, (need.x1 - need.x0) / SLACK_PARTS + SLACK_PX,
               (need.y1 - need.y0) / SLACK_PARTS + SLACK_PX);
}

/* --- colours ---------------------------------------------------------------------------------- */

/* The band of a mask where it is. */
static gboolean
make_still_band (FsSequence *sequence, const FsImage *image, const uint8_t *mask, FsRect object)
{
  FsMovedMask still = { mask, image->width, image->height, 0, 0 };
  FsShift none = { 0, 0 };
  FsRect need = need_of (object, none, image);
  return fs_frame_band_make (&sequence->band, &still, need,
                             fs_frame_band_reach_px (image->width, image->height));
}

/* --- a frame ---------------------------------------------------------------------------------- */

static void
remember (FsSequence *sequence, FsImage *image, const uint8_t *mask)
{
  gsize n = (gsize)image->width * (gsize)image->height;
  fs_image_ref (image);
  if (sequence->former)
    fs_image_unref (sequence->former);
  sequence->former = image;
  memcpy (sequence->mask, mask, n);
}

gboolean
fs_sequence_begin (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (sequence && image && mask, FALSE);
  FsRect object = fs_frame_band_find_object (mask, image->width, image->height);
  uint8_t *copy = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!copy)
    return refuse_memory (image, error);
  g_free (sequence->mask);
  sequence->mask = copy;
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  remember (sequence, image, mask);
  fs_colour_table_clear (&sequence->colours->first.side[0]);
  fs_colour_table_clear (&sequence->colours->first.side[1]);
  if (fs_rect_is_empty (object))
    return TRUE;
  if (!make_still_band (sequence, image, mask, object))
    return refuse_memory (image, error);
  fs_frame_colours_of_mask (&sequence->colours->first, image, &sequence->band, 0, 0);
  return TRUE;
}

gboolean
fs_sequence_go_on (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (sequence && sequence->former && image && mask, FALSE);
  g_return_val_if_fail (image->width == sequence->former->width
                            && image->height == sequence->former->height,
                        FALSE);
  remember (sequence, image, mask);
  return TRUE;
}

/* --- the cut ---------------------------------------------------------------------------------- */

static gboolean
make_grid (FsSequence *sequence, const FsImage *image, GError **error)
{
  const FsFrameEnergy *energy = &sequence->energy;
  size_t n = (size_t)energy->width * (size_t)energy->height;
  g_clear_pointer (&sequence->solver, fs_solver_free);
  if (n > sequence->capacity) {
    free_grid (sequence);
    sequence->grid.tlink = fs_memory_new (n, sizeof *sequence->grid.tlink);
    sequence->cut = fs_memory_new (n, 1);
    gboolean enough = sequence->grid.tlink && sequence->cut;
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      sequence->nlink[d] = fs_memory_new (n, sizeof (uint16_t));
      sequence->back[d] = fs_memory_new (n, sizeof (uint16_t));
      enough = enough && sequence->nlink[d] && sequence->back[d];
    }
    if (!enough)
      return refuse_memory (image, error);
    sequence->capacity = n;
  }
  sequence->grid.width = energy->width;
  sequence->grid.height = energy->height;
  sequence->grid.neighbours = FS_NEIGHBOURS_8;
  memcpy (sequence->grid.tlink, energy->tlink, n * sizeof *energy->tlink);
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    memcpy (sequence->nlink[d], energy->nlink[d], n * sizeof (uint16_t));
    memcpy (sequence->back[d], energy->nlink[d], n * sizeof (uint16_t));
    sequence->grid.nlink[d] = sequence->nlink[d];
    sequence->grid.nlink_back[d] = sequence->back[d];
  }
  sequence->solver = fs_solver_new (sequence->options.backend, &sequence->grid, error);
  return sequence->solver != NULL;
}

/* In ascending order of pixels. */
static void
list_changes (FsSequence *sequence)
{
  const FsFrameEnergy *energy = &sequence->energy;
  size_t n = (size_t)energy->width * (size_t)energy->height;
  g_array_set_size (sequence->changes, 0);
  for (size_t p = 0; p < n; p++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      if (energy->nlink[d][p] != sequence->nlink[d][p]) {
        FsNlinkChange change = { .pixel = (uint32_t)p,
                                 .forth = energy->nlink[d][p],
                                 .back = energy->nlink[d][p],
                                 .direction = (uint8_t)d };
        g_array_append_val (sequence->changes, change);
      }
}

static gboolean
change_grid (FsSequence *sequence, GError **error)
{
  list_changes (sequence);
  return fs_solver_change_nlinks (sequence->solver, (const FsNlinkChange *)sequence->changes->data,
                                  sequence->changes->len, error)
         && fs_solver_replace_tlinks (sequence->solver, sequence->energy.tlink, error);
}

static gboolean
solve (FsSequence *sequence, const FsImage *image, gboolean can_reuse, FsSequenceStep *step,
       GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  step->is_reused = can_reuse && sequence->solver && fs_solver_changes_nlinks (sequence->solver);
  sequence->changes->len = 0;
  gboolean done =
      step->is_reused ? change_grid (sequence, error) : make_grid (sequence, image, error);
  step->n_changed = sequence->changes->len;
  step->change_us = fs_report_lap (&mark);
  if (!done || !fs_solver_solve (sequence->solver, NULL, &step->solution, error)) {
    g_clear_pointer (&sequence->solver, fs_solver_free);
    return FALSE;
  }
  fs_solver_read_mask (sequence->solver, 0, 0, sequence->grid.width, sequence->grid.height,
                       sequence->cut, (size_t)sequence->grid.width);
  step->solve_us = fs_report_lap (&mark);
  if (step->solution.exact)
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                       "the cut could not be proven minimal");
  return FALSE;
}

static void
write_mask (const FsSequence *sequence, const FsImage *image, uint8_t *mask)
{
  const FsFrameBand *band = &sequence->band;
  FsRect frame = { 0, 0, image->width, image->height };
  FsRect inside = fs_rect_intersect (band->window, frame);
  memset (mask, 0, (size_t)image->width * (size_t)image->height);
  for (int y = inside.y0; y < inside.y1; y++) {
    size_t row = (size_t)(y - band->window.y0) * (size_t)band->width;
    for (int x = inside.x0; x < inside.x1; x++) {
      size_t p = row + (size_t)(x - band->window.x0);
      mask[(size_t)y * (size_t)image->width + (size_t)x] =
          band->state[p] == FS_FRAME_FREE ? sequence->cut[p] : band->state[p] == FS_FRAME_OBJECT;
    }
  }
}

static gboolean
make_energy (FsSequence *sequence, const FsImage *image, FsRect window, FsSequenceStep *step,
             GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  FsMovedMask moved = { sequence->mask, image->width, image->height, step->shift.dx,
                        step->shift.dy };
  int reach_px = fs_frame_band_reach_px (image->width, image->height);
  if (!fs_frame_band_make (&sequence->band, &moved, window, reach_px))
    return refuse_memory (image, error);
  FsFrameColours *colours = sequence->colours;
  fs_frame_colours_of_mask (&colours->former, sequence->former, &sequence->band, step->shift.dx,
                            step->shift.dy);
  fs_frame_colours_of_band (&colours->present, image, &sequence->band);
  fs_frame_colours_mix (colours, FALSE);
  fs_frame_colours_weigh (colours, image, &sequence->band);
  step->model_us = fs_report_lap (&mark);
  if (!fs_frame_energy_fill (&sequence->energy, image, &sequence->band, colours))
    return refuse_memory (image, error);
  step->energy_us = fs_report_lap (&mark);
  step->n_window = (size_t)sequence->band.width * (size_t)sequence->band.height;
  step->n_free = sequence->band.n_free;
  return TRUE;
}

static gboolean
refuse_lost (GError **error)
{
  g_set_error_literal (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST, "the object is lost");
  return FALSE;
}

gboolean
fs_sequence_next (FsSequence *sequence, FsImage *image, uint8_t *mask, FsSequenceStep *step,
                  GError **error)
{
  g_return_val_if_fail (sequence && sequence->former && image && mask, FALSE);
  g_return_val_if_fail (image->width == sequence->former->width
                            && image->height == sequence->former->height,
                        FALSE);
  FsSequenceStep own;
  step = step ? step : &own;
  *step = (FsSequenceStep){ 0 };
  gint64 start = g_get_monotonic_time (), mark = start;
  step->shift = fs_follow_measure (sequence->former, sequence->mask, image);
  step->motion_us = fs_report_lap (&mark);
  FsRect object = fs_frame_band_find_object (sequence->mask, image->width, image->height);
  FsRect need = need_of (object, step->shift, image);
  if (fs_rect_is_empty (need))
    return refuse_lost (error);
  FsRect window = choose_window (sequence, need, step->shift);
  FsRect former = move (sequence->window, step->shift);
  gboolean can_reuse = !sequence->options.no_reuse && memcmp (&window, &former, sizeof window) == 0;
  if (!make_energy (sequence, image, window, step, error)
      || !solve (sequence, image, can_reuse, step, error))
    return FALSE;
  sequence->window = window;
  write_mask (sequence, image, mask);
  remember (sequence, image, mask);
  step->total_us = g_get_monotonic_time () - start;
  return TRUE;
}
