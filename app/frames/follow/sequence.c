/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence.h"

#include "app/files/report_numbers.h"
#include "app/frames/follow/sequence_checks.h"
#include "app/frames/follow/sequence_cut.h"
#include "app/frames/follow/sequence_state.h"
#include "app/frames/follow/sequence_window.h"
#include "app/frames/list/frames.h"
#include "energy/frames/frame_guess.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The radius around strokes in which the previous silhouette does not count: a divisor of the
 * frame's shorter side, and the minimum. */
enum { MENDING_DIVISOR = 16, MIN_MENDING_PX = 5 };

/* --- life ------------------------------------------------------------------------------------- */

FsSequence *
fs_sequence_new (const FsSequenceOptions *options)
{
  FsSequence *sequence = g_new0 (FsSequence, 1);
  sequence->backend = options->backend ? options->backend : &fs_backend_cpu;
  if (options->span > 1)
    sequence->span = fs_frame_span_new (options->span);
  fs_device_band_init (&sequence->device);
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
  fs_device_band_clear (&sequence->device);
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
  fs_known_frame_clear (&sequence->first);
  fs_known_frame_clear (&sequence->previous);
  g_free (sequence);
}

/* --- the first frame -------------------------------------------------------------------------- */

/* Memory of the device for bands like that of the first frame. */
static gboolean
prepare_device (FsSequence *sequence, const FsImage *image)
{
  if (!fs_sequence_is_on_device (sequence))
    return TRUE;
  if (!fs_frame_tables_make (&sequence->device.tables, image, &sequence->band))
    return FALSE;
  fs_device_band_prepare (&sequence->device);
  return TRUE;
}

gboolean
fs_sequence_begin (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (sequence && image && mask, FALSE);
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!fs_known_frame_set (&sequence->first, image, mask)
      || !fs_known_frame_set (&sequence->previous, image, mask))
    return fs_sequence_refuse_memory (image, error);
  if (sequence->span && !fs_frame_span_begin (sequence->span, image, mask))
    return fs_sequence_refuse_memory (image, error);
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&sequence->colours->first.side[side]);
  if (fs_rect_is_empty (sequence->first.object))
    return TRUE;
  FsMovedMask still = { mask, image->width, image->height, 0, 0 };
  FsRect need = fs_sequence_window_need (sequence->first.object, (FsShift){ 0, 0 }, image);
  if (!fs_frame_band_make (&sequence->band, &still, fs_rect_grow (need, 1, 1),
                           fs_frame_band_half_width_px (image->width, image->height)))
    return fs_sequence_refuse_memory (image, error);
  fs_frame_colours_of_mask (&sequence->colours->first, image, &sequence->band);
  return prepare_device (sequence, image) || fs_sequence_refuse_memory (image, error);
}

/* --- a frame ---------------------------------------------------------------------------------- */

/* In tables for a device, else in planes. */
static gboolean
make_links (FsSequence *sequence, const FsKnownFrame *from, const FsImage *image,
            const FsSeedMap *strokes)
{
  const FsFrameBand *band = &sequence->band;
  if (fs_sequence_is_cut_on_device (sequence, from))
    return fs_frame_tables_make (&sequence->device.tables, image, band);
  return fs_frame_energy_fill (&sequence->energy, image, band, sequence->colours)
         && (!sequence->guess
             || fs_frame_guess_add (&sequence->energy, band, sequence->guess, strokes, image->width,
                                    image->height));
}

static gboolean
make_energy (FsSequence *sequence, const FsKnownFrame *from, const FsImage *image,
             FsSequenceStep *step, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  gboolean is_found = step->events & FS_SEQUENCE_FOUND_AGAIN;
  FsMovedMask moved = { from->mask, image->width, image->height, step->shift.dx, step->shift.dy };
  if (!fs_frame_band_make (&sequence->band, &moved, sequence->next_window,
                           fs_frame_band_half_width_px (image->width, image->height)))
    return fs_sequence_refuse_memory (image, error);
  if (!fs_sequence_check_colours (sequence, from, image, step, error))
    return FALSE;
  fs_frame_colours_mix (sequence->colours, is_found || step->events & FS_SEQUENCE_NEW_BACKGROUND);
  fs_frame_colours_weigh (sequence->colours, image, &sequence->band);
  step->model_us += fs_report_lap (&mark);
  if (!make_links (sequence, from, image, NULL))
    return fs_sequence_refuse_memory (image, error);
  step->energy_us += fs_report_lap (&mark);
  step->n_window = (size_t)sequence->band.width * (size_t)sequence->band.height;
  step->n_free = sequence->band.n_free;
  return TRUE;
}

/* Cuts along a known silhouette that has been moved. */
static gboolean
cut_from (FsSequence *sequence, const FsKnownFrame *from, FsImage *image, uint8_t *mask,
          FsSequenceStep *step, GError **error)
{
  FsRect need = fs_sequence_window_need (from->object, step->shift, image);
  if (fs_rect_is_empty (from->object))
    return fs_sequence_refuse_lost (error, "it was not there before");
  if (fs_rect_is_empty (need))
    return fs_sequence_refuse_lost (error, "it has left the frame");
  FsRect previous = fs_rect_move (sequence->window, step->shift);
  FsRect window = fs_sequence_window_choose (previous, need);
  step->is_reused = memcmp (&window, &previous, sizeof window) == 0;
  sequence->next_window = window;
  /* A flow that is not of this window any more. */
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!make_energy (sequence, from, image, step, error)
      || !fs_sequence_cut_solve (sequence, from, image, step, error))
    return FALSE;
  /* A small object has no fixed pixels: only the cut can be checked. */
  if (sequence->colours->present.side[1].total == 0
      && fs_frame_colours_score (sequence->colours, image, &sequence->band, sequence->cut) < 0)
    return fs_sequence_refuse_colours (error);
  fs_sequence_cut_write_mask (sequence, image, mask);
  if (!fs_sequence_check_size (from, image, step->shift, mask, error))
    return FALSE;
  if (!fs_sequence_check_signs (sequence, image, mask, step, error))
    return FALSE;
  sequence->window = window;
  return TRUE;
}

/* Searches the whole frame for the object as it was in the first one, and cuts there. */
static gboolean
cut_elsewhere (FsSequence *sequence, FsImage *image, uint8_t *mask, FsSequenceStep *step,
               GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  const FsKnownFrame *first = &sequence->first;
  if (first->n_object < FS_FOLLOW_MIN_PX)
    return fs_sequence_refuse_lost (error, "it is too small to follow");
  step->events = FS_SEQUENCE_FOUND_AGAIN;
  step->shift = fs_follow_seek (first->image, first->mask, image);
  step->motion_us += fs_report_lap (&mark);
  return cut_from (sequence, first, image, mask, step, error);
}

/* --- a correction ----------------------------------------------------------------------------- */

/* The band with strokes over it, and the energy of that; the colours say nothing but which
 * background to mix, for a person says where the object is. */
static gboolean
make_mended_energy (FsSequence *sequence, const FsImage *image, const FsSeedMap *strokes,
                    FsShift shift)
{
  const FsKnownFrame *from = &sequence->previous;
  FsFrameColours *colours = sequence->colours;
  FsFrameBand *band = &sequence->band;
  int radius_px = MAX (MIN_MENDING_PX, MIN (image->width, image->height) / MENDING_DIVISOR);
  FsMovedMask moved = { from->mask, image->width, image->height, shift.dx, shift.dy };
  FsRect all = { -1, -1, image->width + 1, image->height + 1 };
  if (!fs_frame_band_make (band, &moved, all,
                           fs_frame_band_half_width_px (image->width, image->height)))
    return FALSE;
  fs_frame_colours_learn (colours, from->image, image, band);
  fs_frame_colours_of_strokes (&colours->strokes, image, strokes);
  fs_frame_colours_mix (colours, fs_sequence_has_new_background (colours));
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&colours->strokes.side[side]);
  if (!fs_frame_band_mend (band, strokes, radius_px))
    return FALSE;
  fs_frame_colours_weigh (colours, image, band);
  return make_links (sequence, NULL, image, strokes);
}

gboolean
fs_sequence_mend (FsSequence *sequence, FsImage *image, const FsSeedMap *strokes, uint8_t *mask,
                  GError **error)
{
  g_return_val_if_fail (sequence && sequence->previous.image && image && strokes && mask, FALSE);
  const FsKnownFrame *previous = &sequence->previous;
  g_return_val_if_fail (image->width == previous->image->width
                            && image->height == previous->image->height,
                        FALSE);
  FsSequenceStep step = { .shift = fs_follow_measure (previous->image, previous->mask, image) };
  sequence->window = (FsRect){ 0, 0, 0, 0 };
  if (!make_mended_energy (sequence, image, strokes, step.shift))
    return fs_sequence_refuse_memory (image, error);
  if (!fs_sequence_cut_solve (sequence, NULL, image, &step, error))
    return FALSE;
  fs_sequence_cut_write_mask (sequence, image, mask);
  return TRUE;
}

/* --- going on --------------------------------------------------------------------------------- */

/* Makes a layer of a frame whose mask is known, as it is made of one that is cut. None where the
 * object is not where it moved to: the next frame is cut by itself then. */
static gboolean
add_known (FsSequence *sequence, FsImage *image, const uint8_t *mask, GError **error)
{
  const FsKnownFrame *previous = &sequence->previous;
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
    return fs_sequence_refuse_memory (image, error);
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
  if (!fs_known_frame_set (&sequence->previous, image, mask))
    return fs_sequence_refuse_memory (image, error);
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
  return fs_known_frame_set (&sequence->previous, image, mask)
         || fs_sequence_refuse_memory (image, error);
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
  const FsKnownFrame *previous = &sequence->previous;
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
