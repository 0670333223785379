/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence_checks.h"

#include "app/files/report_numbers.h"
#include "app/frames/follow/sequence_window.h"
#include "app/frames/list/frames.h"
#include "energy/frames/frame_guess.h"

/* The smallest overlaps with the colours of the frame before that count as the same: of the object,
 * of the background, and of an object that was searched for. */
#define MIN_OBJECT     0.4
#define MIN_BACKGROUND 0.4
#define MIN_FOUND      0.5
/* The largest factor by which the object's pixels may grow or shrink from frame to frame. */
enum { MAX_CHANGE = 4 };

gboolean
fs_sequence_refuse_lost (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST, "the object is lost: %s", reason);
  return FALSE;
}

gboolean
fs_sequence_refuse_colours (GError **error)
{
  return fs_sequence_refuse_lost (error, "the colours found do not match the object");
}

gboolean
fs_sequence_has_new_background (const FsFrameColours *colours)
{
  const FsColourTable *before = &colours->previous.side[0], *now = &colours->present.side[0];
  return now->total > 0 && fs_frame_colours_overlap (before, now) < MIN_BACKGROUND;
}

/* With a guess that confirms the object, other colours are reported as doubt, and the object is not
 * lost; but one that was searched for must have its colours. */
static gboolean
is_guessed (const FsSequence *sequence, const uint8_t *mask, const FsImage *image,
            const FsSequenceStep *step, FsShift shift)
{
  const FsMovedMask moved = { mask, image->width, image->height, shift.dx, shift.dy };
  return sequence->guess && !(step->events & FS_SEQUENCE_FOUND_AGAIN)
         && fs_frame_guess_confirms (sequence->guess, &moved);
}

gboolean
fs_sequence_check_colours (FsSequence *sequence, const FsKnownFrame *from, const FsImage *image,
                           FsSequenceStep *step, GError **error)
{
  FsFrameColours *colours = sequence->colours;
  double min = step->events & FS_SEQUENCE_FOUND_AGAIN ? MIN_FOUND : MIN_OBJECT;
  fs_frame_colours_learn (colours, from->image, image, &sequence->band);
  const FsColourTable *before = colours->previous.side, *now = colours->present.side;
  if (now[1].total > 0 && fs_frame_colours_overlap (&before[1], &now[1]) < min
      && !is_guessed (sequence, from->mask, image, step, step->shift))
    return fs_sequence_refuse_colours (error);
  if (fs_sequence_has_new_background (colours))
    step->events |= FS_SEQUENCE_NEW_BACKGROUND;
  return TRUE;
}

gboolean
fs_sequence_check_size (const FsKnownFrame *from, const FsImage *image, FsShift shift,
                        const uint8_t *mask, GError **error)
{
  FsRect frame = { 0, 0, image->width, image->height };
  int64_t before = from->n_object;
  int64_t now = fs_report_count_object (mask, image->width, image->height);
  if (now >= FS_FOLLOW_MIN_PX && now <= MAX_CHANGE * before && before <= MAX_CHANGE * now)
    return TRUE;
  if (!fs_rect_contains (frame, fs_rect_move (from->object, shift)))
    return fs_sequence_refuse_lost (error, "most of it has left the frame");
  return fs_sequence_refuse_lost (error,
                                  "it would change from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                                  " pixels",
                                  before, now);
}

gboolean
fs_sequence_check_signs (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                         FsSequenceStep *step, GError **error)
{
  const FsKnownFrame *first = &sequence->first;
  FsMarkedFrame marked = { first->image, first->mask, first->n_object };
  FsMarkedFrame now = { image, mask, fs_report_count_object (mask, image->width, image->height) };
  if (!fs_lost_signs_measure (&step->signs, &marked, &sequence->colours->first,
                              &sequence->colours->present, &now, sequence->scratch))
    return fs_sequence_refuse_memory (image, error);
  FsLostClass lost = fs_lost_signs_classify (&step->signs);
  if ((lost == FS_LOST_BACKGROUND || lost == FS_LOST_COLOURS)
      && is_guessed (sequence, mask, image, step, (FsShift){ 0, 0 }))
    lost = FS_LOST_DOUBTFUL;
  switch (lost) {
  case FS_LOST_BACKGROUND:
    return fs_sequence_refuse_lost (error, "most of what was found was background before");
  case FS_LOST_COLOURS:
    return fs_sequence_refuse_colours (error);
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
