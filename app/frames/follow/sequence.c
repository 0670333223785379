/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence.h"

#include "app/files/report_numbers.h"
#include "app/frames/follow/device_cut.h"
#include "app/frames/follow/sequence_window.h"
#include "app/frames/follow/span_cut.h"
#include "app/frames/list/frames.h"
#include "energy/frames/frame_guess.h"
#include "solver/multilevel/band_cut.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* Room round the object's own rectangle, in parts of its sides and in pixels, so that it can grow.
 */
enum { SLACK_DIVISOR = 8, SLACK_PX = 16 };
/* A window that is so many times as large as it need be is made anew. */
enum { MAX_RATIO = 4 };

/* Colours of which less than these shares are there again are others: of the object, of the
 * background, and of an object that was sought. */
#define MIN_OBJECT     0.4
#define MIN_BACKGROUND 0.4
#define MIN_FOUND      0.5
/* Of the object's pixels from one frame to the next, more or less, is no longer the same object. */
enum { MAX_CHANGE = 4 };

/* Of the frame's shorter side: how far from strokes the previous silhouette counts no more, and the
 * least. */
enum { MENDING_DIVISOR = 16, MIN_MENDING_PX = 5 };

/* A frame with a mask. */
typedef struct {
  FsImage *image; /* NULL: none */
  uint8_t *mask;
  FsRect object;
  int64_t n_object;
} Known;

struct _FsSequence {
  FsSequenceOptions options;
  Known first, previous; /* the last one that has a mask */
  FsFrameBand band;
  FsFrameColours *colours;
  FsLostScratch *scratch;
  FsFrameEnergy energy;

  FsRect window;      /* in the previous frame; empty: none yet */
  FsRect next_window; /* in the frame that is cut             */

  FsDeviceBand there; /* on a device */
  gboolean is_lost;   /* … which has failed */

  /* On the processor: */
  FsBand runs;
  FsBandCut band_cut;
  FsBandFlow flow;

  FsFrameSpan *span; /* NULL: each frame by itself */
  FsGuess *guess;    /* of the frame that is cut, or NULL */

  uint8_t *cut; /* [window] */
  size_t cut_capacity;
};

static void
known_clear (Known *known)
{
  g_clear_pointer (&known->image, fs_image_unref);
  g_clear_pointer (&known->mask, g_free);
}

/* FALSE where memory is short; `known` is then as it was. */
static gboolean
known_set (Known *known, FsImage *image, const uint8_t *mask)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  gboolean fits =
      known->image && known->image->width == image->width && known->image->height == image->height;
  uint8_t *copy = fits ? known->mask : g_try_malloc (n);
  if (!copy)
    return FALSE;
  if (!fits)
    g_free (known->mask);
  memcpy (copy, mask, n);
  known->mask = copy;
  fs_image_ref (image);
  g_clear_pointer (&known->image, fs_image_unref);
  known->image = image;
  known->object = fs_frame_band_find_object (mask, image->width, image->height);
  known->n_object = fs_report_count_object (mask, image->width, image->height);
  return TRUE;
}

/* --- life ------------------------------------------------------------------------------------- */

FsSequence *
fs_sequence_new (const FsSequenceOptions *options)
{
  FsSequence *sequence = g_new0 (FsSequence, 1);
  sequence->options = *options;
  if (!sequence->options.backend)
    sequence->options.backend = &fs_backend_cpu;
  if (options->span > 1)
    sequence->span = fs_frame_span_new (options->span);
  fs_device_band_init (&sequence->there);
  fs_band_init (&sequence->runs);
  fs_band_cut_init (&sequence->band_cut);
  fs_band_flow_init (&sequence->flow);
  sequence->colours = fs_frame_colours_new ();
  sequence->scratch = fs_memory_new (1, sizeof *sequence->scratch);
  if (sequence->scratch)
    fs_lost_scratch_init (sequence->scratch);
  if (!sequence->colours || !sequence->scratch)
    g_clear_pointer (&sequence, fs_sequence_free);
  return sequence;
}

void
fs_sequence_free (FsSequence *sequence)
{
  if (!sequence)
    return;
  fs_device_band_clear (&sequence->there);
  fs_frame_span_free (sequence->span);
  fs_memory_free (sequence->cut);
  fs_guess_unref (sequence->guess);
  fs_band_clear (&sequence->runs);
  fs_band_cut_clear (&sequence->band_cut);
  fs_band_flow_clear (&sequence->flow);
  fs_frame_energy_clear (&sequence->energy);
  fs_frame_band_clear (&sequence->band);
  fs_frame_colours_free (sequence->colours);
  if (sequence->scratch)
    fs_lost_scratch_clear (sequence->scratch);
  fs_memory_free (sequence->scratch);
  known_clear (&sequence->first);
  known_clear (&sequence->previous);
  g_free (sequence);
}

static gboolean
refuse_frame_memory (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for a frame of %d × %d pixels", image->width, image->height);
  return FALSE;
}

/* --- the window ------------------------------------------------------------------------------- */

/* The previous window where that does, else one with room. */
static FsRect
choose_window (const FsSequence *sequence, FsRect need, FsShift shift)
{
  FsRect previous = fs_rect_move (sequence->window, shift);
  if (!fs_rect_is_empty (sequence->window) && fs_rect_contains (previous, fs_rect_grow (need, 1, 1))
      && fs_rect_area (previous) <= MAX_RATIO * fs_rect_area (need))
    return previous;
  return fs_rect_grow (need, (need.x1 - need.x0) / SLACK_DIVISOR + SLACK_PX,
                       (need.y1 - need.y0) / SLACK_DIVISOR + SLACK_PX);
}

/* --- colours ---------------------------------------------------------------------------------- */

/* The band of a mask where it is. */
static gboolean
make_still_band (FsSequence *sequence, const FsImage *image, const uint8_t *mask, FsRect object)
{
  FsMovedMask still = { mask, image->width, image->height, 0, 0 };
  FsShift none = { 0, 0 };
  FsRect need = fs_rect_grow (fs_sequence_window_need (object, none, image), 1, 1);
  return fs_frame_band_make (&sequence->band, &still, need,
                             fs_frame_band_reach_px (image->width, image->height));
}

/* --- a device --------------------------------------------------------------------------------- */

static gboolean
is_on_device (const FsSequence *sequence)
{
  return sequence->options.backend != &fs_backend_cpu && !sequence->is_lost && !sequence->guess;
}

/* As the band of the frame that it begins with. */
static gboolean
prepare_there (FsSequence *sequence, const FsImage *image)
{
  if (!is_on_device (sequence) || sequence->options.no_reuse)
    return TRUE;
  if (!fs_frame_tables_make (&sequence->there.tables, image, &sequence->band))
    return FALSE;
  fs_device_band_prepare (&sequence->there);
  return TRUE;
}

/* --- where it begins -------------------------------------------------------------------------- */

gboolean
fs_sequence_begin (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (sequence && image && mask, FALSE);
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!known_set (&sequence->first, image, mask) || !known_set (&sequence->previous, image, mask))
    return refuse_frame_memory (image, error);
  if (sequence->span && !fs_frame_span_begin (sequence->span, image, mask))
    return refuse_frame_memory (image, error);
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&sequence->colours->first.side[side]);
  if (fs_rect_is_empty (sequence->first.object))
    return TRUE;
  if (!make_still_band (sequence, image, mask, sequence->first.object))
    return refuse_frame_memory (image, error);
  fs_frame_colours_of_mask (&sequence->colours->first, image, &sequence->band);
  return prepare_there (sequence, image) || refuse_frame_memory (image, error);
}

/* --- the cut on the processor ----------------------------------------------------------------- */

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
  if (!fs_sequence_list_runs (&sequence->band, &sequence->runs)
      || (!step->is_reused && !fs_band_flow_reset (&sequence->flow, n)))
    return refuse_frame_memory (image, error);
  sequence->band_cut.flow = &sequence->flow;
  step->change_us = fs_report_lap (&mark);
  FsSearchOutcome outcome =
      fs_band_cut_run (&sequence->band_cut, &grid, &sequence->runs, sequence->cut, NULL);
  if (outcome != FS_SEARCH_DONE) {
    fs_band_flow_clear (&sequence->flow);
    return fs_search_outcome_fail (outcome, error);
  }
  step->n_initial = sequence->flow.n_kept;
  step->solution.bound = sequence->band_cut.bound;
  step->solution.energy = fs_frame_energy_sum (energy, sequence->cut);
  step->solution.exact = step->solution.energy == step->solution.bound;
  step->solve_us = fs_report_lap (&mark);
  return TRUE;
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

/* --- the cut of several frames ---------------------------------------------------------------- */

static gboolean
solve_span (FsSequence *sequence, FsImage *image, FsSequenceStep *step, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  if (!fs_frame_span_add (sequence->span, image, &sequence->band, &sequence->energy))
    return refuse_frame_memory (image, error);
  step->change_us = fs_report_lap (&mark);
  return fs_span_cut (sequence->span, !sequence->options.no_reuse, sequence->cut, step, error);
}

/* --- the cut on a device ---------------------------------------------------------------------- */

static gboolean
is_of_span (const FsSequence *sequence, const Known *from)
{
  return sequence->span && from == &sequence->previous;
}

/* Then the energy is in tables and has no planes. */
static gboolean
is_cut_there (const FsSequence *sequence, const Known *from)
{
  return is_on_device (sequence) && !is_of_span (sequence, from);
}

/* FALSE where the device has failed. */
static gboolean
solve_there (FsSequence *sequence, const FsImage *image, FsSequenceStep *step)
{
  if (sequence->options.no_reuse)
    g_clear_pointer (&sequence->there.cutter, fs_cuda_band_free);
  return fs_device_band_cut (&sequence->there, image, &sequence->band, sequence->colours,
                             sequence->cut, step);
}

/* The processor goes on, from this frame on. */
static gboolean
come_back (FsSequence *sequence, const FsImage *image, FsSequenceStep *step)
{
  fs_device_band_clear (&sequence->there);
  sequence->is_lost = TRUE;
  step->is_reused = FALSE;
  return fs_frame_energy_fill (&sequence->energy, image, &sequence->band, sequence->colours);
}

/* --- either ----------------------------------------------------------------------------------- */

static gboolean
solve_frame (FsSequence *sequence, const Known *from, FsImage *image, FsSequenceStep *step,
             GError **error)
{
  if (!reserve_cut (sequence))
    return refuse_frame_memory (image, error);
  gboolean done = is_cut_there (sequence, from) && solve_there (sequence, image, step);
  if (!done && is_cut_there (sequence, from) && !come_back (sequence, image, step))
    return refuse_frame_memory (image, error);
  step->backend = done ? sequence->options.backend : &fs_backend_cpu;
  if (!done)
    done = is_of_span (sequence, from) ? solve_span (sequence, image, step, error)
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

static void
write_mask (const FsSequence *sequence, const FsImage *image, uint8_t *mask)
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

/* --- a frame ---------------------------------------------------------------------------------- */

static gboolean G_GNUC_PRINTF (2, 3) refuse_lost (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST, "the object is lost: %s", reason);
  return FALSE;
}

static gboolean
refuse_other_colours (GError **error)
{
  return refuse_lost (error, "the colours found do not match the object");
}

static gboolean
has_new_background (const FsFrameColours *colours)
{
  const FsColourTable *before = &colours->previous.side[0], *now = &colours->present.side[0];
  return now->total > 0 && fs_frame_colours_overlap (before, now) < MIN_BACKGROUND;
}

/* Then other colours are a reason to look at the mask, and none to call the object lost; but one
 * that was sought has to look as it did. */
static gboolean
is_guessed (const FsSequence *sequence, const uint8_t *mask, const FsImage *image,
            const FsSequenceStep *step, FsShift shift)
{
  const FsMovedMask moved = { mask, image->width, image->height, shift.dx, shift.dy };
  return sequence->guess && !(step->events & FS_SEQUENCE_FOUND_AGAIN)
         && fs_frame_guess_confirms (sequence->guess, &moved);
}

/* Colours of the object and round it, now and before. `least`: of the object's. */
static gboolean
compare_colours (FsSequence *sequence, const Known *from, const FsImage *image, double min,
                 FsSequenceStep *step, GError **error)
{
  FsFrameColours *colours = sequence->colours;
  fs_frame_colours_learn (colours, from->image, image, &sequence->band);
  const FsColourTable *before = colours->previous.side, *now = colours->present.side;
  if (now[1].total > 0 && fs_frame_colours_overlap (&before[1], &now[1]) < min
      && !is_guessed (sequence, from->mask, image, step, step->shift))
    return refuse_other_colours (error);
  if (has_new_background (colours))
    step->events |= FS_SEQUENCE_NEW_BACKGROUND;
  return TRUE;
}

/* In tables for a device, else in planes. */
static gboolean
make_links (FsSequence *sequence, const Known *from, const FsImage *image, const FsSeedMap *strokes)
{
  const FsFrameBand *band = &sequence->band;
  if (is_cut_there (sequence, from))
    return fs_frame_tables_make (&sequence->there.tables, image, band);
  return fs_frame_energy_fill (&sequence->energy, image, band, sequence->colours)
         && (!sequence->guess
             || fs_frame_guess_add (&sequence->energy, band, sequence->guess, strokes, image->width,
                                    image->height));
}

static gboolean
make_energy (FsSequence *sequence, const Known *from, const FsImage *image, FsSequenceStep *step,
             GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  gboolean is_found = step->events & FS_SEQUENCE_FOUND_AGAIN;
  FsMovedMask moved = { from->mask, image->width, image->height, step->shift.dx, step->shift.dy };
  if (!fs_frame_band_make (&sequence->band, &moved, sequence->next_window,
                           fs_frame_band_reach_px (image->width, image->height)))
    return refuse_frame_memory (image, error);
  if (!compare_colours (sequence, from, image, is_found ? MIN_FOUND : MIN_OBJECT, step, error))
    return FALSE;
  fs_frame_colours_mix (sequence->colours, is_found || step->events & FS_SEQUENCE_NEW_BACKGROUND);
  fs_frame_colours_weigh (sequence->colours, image, &sequence->band);
  step->model_us += fs_report_lap (&mark);
  if (!make_links (sequence, from, image, NULL))
    return refuse_frame_memory (image, error);
  step->energy_us += fs_report_lap (&mark);
  step->n_window = (size_t)sequence->band.width * (size_t)sequence->band.height;
  step->n_free = sequence->band.n_free;
  return TRUE;
}

static gboolean
check_same_object (const Known *from, const FsImage *image, FsShift shift, const uint8_t *mask,
                   GError **error)
{
  FsRect frame = { 0, 0, image->width, image->height };
  int64_t before = from->n_object;
  int64_t now = fs_report_count_object (mask, image->width, image->height);
  if (now >= FS_FOLLOW_MIN_PX && now <= MAX_CHANGE * before && before <= MAX_CHANGE * now)
    return TRUE;
  if (!fs_rect_contains (frame, fs_rect_move (from->object, shift)))
    return refuse_lost (error, "most of it has left the frame");
  return refuse_lost (error,
                      "it would change from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " pixels",
                      before, now);
}

/* Compares with the frame that a person marked. */
static gboolean
check_signs (FsSequence *sequence, FsImage *image, const uint8_t *mask, FsSequenceStep *step,
             GError **error)
{
  const Known *first = &sequence->first;
  FsMarkedFrame marked = { first->image, first->mask, first->n_object };
  FsMarkedFrame now = { image, mask, fs_report_count_object (mask, image->width, image->height) };
  if (!fs_lost_signs_measure (&step->signs, &marked, &sequence->colours->first,
                              &sequence->colours->present, &now, sequence->scratch))
    return refuse_frame_memory (image, error);
  FsLostClass lost = fs_lost_signs_classify (&step->signs);
  if ((lost == FS_LOST_BACKGROUND || lost == FS_LOST_COLOURS)
      && is_guessed (sequence, mask, image, step, (FsShift){ 0, 0 }))
    lost = FS_LOST_DOUBTFUL;
  switch (lost) {
  case FS_LOST_BACKGROUND:
    return refuse_lost (error, "most of what was found was background before");
  case FS_LOST_COLOURS:
    return refuse_other_colours (error);
  case FS_LOST_DOUBTFUL:
    step->events |= FS_SEQUENCE_DOUBTFUL;
    return TRUE;
  case FS_LOST_SMALL:
    step->events |= FS_SEQUENCE_SMALL;
    return TRUE;
  default:
    return TRUE;
  }
}

/* Cuts along a known silhouette that has been moved. */
static gboolean
cut_from (FsSequence *sequence, const Known *from, FsImage *image, uint8_t *mask,
          FsSequenceStep *step, GError **error)
{
  FsRect need = fs_sequence_window_need (from->object, step->shift, image);
  if (fs_rect_is_empty (from->object))
    return refuse_lost (error, "it was not there before");
  if (fs_rect_is_empty (need))
    return refuse_lost (error, "it has left the frame");
  FsRect window = choose_window (sequence, need, step->shift);
  FsRect previous = fs_rect_move (sequence->window, step->shift);
  step->is_reused = !sequence->options.no_reuse && memcmp (&window, &previous, sizeof window) == 0;
  sequence->next_window = window;
  /* A flow that is not of this window any more. */
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!make_energy (sequence, from, image, step, error)
      || !solve_frame (sequence, from, image, step, error))
    return FALSE;
  /* Of a small object nothing is sure but what has been cut. */
  if (sequence->colours->present.side[1].total == 0
      && fs_frame_colours_score (sequence->colours, image, &sequence->band, sequence->cut) < 0)
    return refuse_other_colours (error);
  write_mask (sequence, image, mask);
  if (!check_same_object (from, image, step->shift, mask, error))
    return FALSE;
  if (!check_signs (sequence, image, mask, step, error))
    return FALSE;
  sequence->window = window;
  return TRUE;
}

/* As it was in the first frame, anywhere. */
static gboolean
cut_elsewhere (FsSequence *sequence, FsImage *image, uint8_t *mask, FsSequenceStep *step,
               GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  const Known *first = &sequence->first;
  if (first->n_object < FS_FOLLOW_MIN_PX)
    return refuse_lost (error, "it is too small to follow");
  step->events = FS_SEQUENCE_FOUND_AGAIN;
  step->shift = fs_follow_seek (first->image, first->mask, image);
  step->motion_us += fs_report_lap (&mark);
  return cut_from (sequence, first, image, mask, step, error);
}

/* --- a correction ----------------------------------------------------------------------------- */

static int
mending_reach_px (const FsImage *image)
{
  return MAX (MIN_MENDING_PX, MIN (image->width, image->height) / MENDING_DIVISOR);
}

/* The band with strokes over it, and the energy of that; the colours say nothing but which
 * background to mix, for a person says where the object is. */
static gboolean
make_mended_energy (FsSequence *sequence, const FsImage *image, const FsSeedMap *strokes,
                    FsShift shift)
{
  const Known *from = &sequence->previous;
  FsFrameColours *colours = sequence->colours;
  FsFrameBand *band = &sequence->band;
  FsMovedMask moved = { from->mask, image->width, image->height, shift.dx, shift.dy };
  FsRect all = { -1, -1, image->width + 1, image->height + 1 };
  if (!fs_frame_band_make (band, &moved, all, fs_frame_band_reach_px (image->width, image->height)))
    return FALSE;
  fs_frame_colours_learn (colours, from->image, image, band);
  fs_frame_colours_of_strokes (&colours->strokes, image, strokes);
  fs_frame_colours_mix (colours, has_new_background (colours));
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&colours->strokes.side[side]);
  if (!fs_frame_band_mend (band, strokes, mending_reach_px (image)))
    return FALSE;
  fs_frame_colours_weigh (colours, image, band);
  return make_links (sequence, NULL, image, strokes);
}

gboolean
fs_sequence_mend (FsSequence *sequence, FsImage *image, const FsSeedMap *strokes, uint8_t *mask,
                  GError **error)
{
  g_return_val_if_fail (sequence && sequence->previous.image && image && strokes && mask, FALSE);
  const Known *previous = &sequence->previous;
  g_return_val_if_fail (image->width == previous->image->width
                            && image->height == previous->image->height,
                        FALSE);
  FsSequenceStep step = { .shift = fs_follow_measure (previous->image, previous->mask, image) };
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!make_mended_energy (sequence, image, strokes, step.shift))
    return refuse_frame_memory (image, error);
  if (!solve_frame (sequence, NULL, image, &step, error))
    return FALSE;
  write_mask (sequence, image, mask);
  return TRUE;
}

/* --- going on --------------------------------------------------------------------------------- */

/* Makes a layer of a frame whose mask is known, as it is made of one that is cut. None where the
 * object is not where it moved to: the next frame is cut by itself then. */
static gboolean
add_known (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  const Known *previous = &sequence->previous;
  g_autoptr (GError) reason = NULL;
  FsSequenceStep step = { .shift = fs_follow_measure (previous->image, previous->mask, image) };
  FsRect need = fs_sequence_window_need (previous->object, step.shift, image);
  gboolean has_energy = FALSE;
  sequence->next_window = fs_rect_grow (need, 1, 1);
  if (!fs_rect_is_empty (need))
    has_energy = make_energy (sequence, previous, image, &step, &reason);
  if (reason && !g_error_matches (reason, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST)) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (!has_energy)
    fs_frame_span_clear (sequence->span);
  else if (fs_frame_span_add (sequence->span, image, &sequence->band, &sequence->energy))
    fs_frame_span_set_mask (sequence->span, mask);
  else
    return refuse_frame_memory (image, error);
  return TRUE;
}

/* Data of a frame with a mask that the next frames need. */
static gboolean
remember_frame (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                const FsSequenceStep *step, GError **error)
{
  if (sequence->span && step->events & FS_SEQUENCE_FOUND_AGAIN
      && !add_known (sequence, image, mask, error))
    return FALSE;
  if (!known_set (&sequence->previous, image, mask))
    return refuse_frame_memory (image, error);
  if (sequence->span && !(step->events & FS_SEQUENCE_FOUND_AGAIN))
    fs_frame_span_set_mask (sequence->span, mask);
  return TRUE;
}

gboolean
fs_sequence_go_on (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (sequence && sequence->previous.image && image && mask, FALSE);
  g_return_val_if_fail (image->width == sequence->previous.image->width
                            && image->height == sequence->previous.image->height,
                        FALSE);
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (sequence->span && !add_known (sequence, image, mask, error))
    return FALSE;
  return known_set (&sequence->previous, image, mask) || refuse_frame_memory (image, error);
}

void
fs_sequence_set_guess (FsSequence *sequence, FsGuess *guess)
{
  g_return_if_fail (sequence && !(guess && sequence->span));
  FsGuess *previous = sequence->guess;
  sequence->guess = guess ? fs_guess_ref (guess) : NULL;
  fs_guess_unref (previous);
}

gboolean
fs_sequence_next (FsSequence *sequence, FsImage *image, uint8_t *mask, FsSequenceStep *step,
                  GError **error)
{
  g_return_val_if_fail (sequence && sequence->previous.image && image && mask, FALSE);
  const Known *previous = &sequence->previous;
  g_return_val_if_fail (image->width == previous->image->width
                            && image->height == previous->image->height,
                        FALSE);
  FsSequenceStep own;
  g_autoptr (GError) reason = NULL;
  step = step ? step : &own;
  *step = (FsSequenceStep){ 0 };
  gint64 start = g_get_monotonic_time (), mark = start;
  step->shift = fs_follow_measure (previous->image, previous->mask, image);
  step->motion_us = fs_report_lap (&mark);
  gboolean done = cut_from (sequence, previous, image, mask, step, &reason);
  if (!done && g_error_matches (reason, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST))
    done = cut_elsewhere (sequence, image, mask, step, NULL);
  if (!done) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (!remember_frame (sequence, image, mask, step, error))
    return FALSE;
  step->total_us = g_get_monotonic_time () - start;
  return TRUE;
}
