/* SPDX-License-Identifier: MIT */
#include "app/frames/frame_guesses.h"

#include "app/files/display_name.h"
#include "app/finder/guess_file.h"
#include "app/finder/subject_finder.h"
#include "app/frames/frame_source.h"

struct _FsFrameGuesses {
  char *name;
  FsFrameSource *source;   /* of pictures, or NULL */
  FsSubjectFinder *finder; /* or NULL              */
  char *finder_sum;
  FsFrame *next;      /* the first picture whose number is at least that of the present frame */
  gboolean has_ended; /* there are no more pictures */
  gboolean is_used;   /* `next` has been the picture of a frame */
  char *unused;       /* a warning about the first picture of no frame, not reported yet */
  gboolean has_reported;
  guint64 number;  /* of the present frame */
  GError *failure; /* of the source, not reported yet */
};

FsFrameGuesses *
fs_frame_guesses_open (const char *path, guint64 first, guint64 last, GError **error)
{
  g_return_val_if_fail (path, NULL);
  FsFrameSource *source = fs_frame_source_open (path, first, last, error);
  if (!source)
    return NULL;
  FsFrameGuesses *guesses = g_new0 (FsFrameGuesses, 1);
  guesses->name = fs_display_name (path);
  guesses->source = source;
  return guesses;
}

FsFrameGuesses *
fs_frame_guesses_find (const char *finder, GError **error)
{
  g_return_val_if_fail (finder, NULL);
  FsSubjectFinder *found = fs_subject_finder_new (*finder != '\0' ? finder : NULL, error);
  if (!found)
    return NULL;
  FsFrameGuesses *guesses = g_new0 (FsFrameGuesses, 1);
  guesses->name = g_strdup (fs_subject_finder_get_name (found));
  guesses->finder_sum = fs_subject_finder_sum (found);
  guesses->finder = found;
  return guesses;
}

void
fs_frame_guesses_free (FsFrameGuesses *guesses)
{
  if (!guesses)
    return;
  g_clear_pointer (&guesses->next, fs_frame_unref);
  fs_frame_source_free (guesses->source);
  fs_subject_finder_unref (guesses->finder);
  g_clear_error (&guesses->failure);
  g_free (guesses->unused);
  g_free (guesses->finder_sum);
  g_free (guesses->name);
  g_free (guesses);
}

const char *
fs_frame_guesses_get_name (const FsFrameGuesses *guesses)
{
  return guesses->name;
}

gboolean
fs_frame_guesses_is_finder (const FsFrameGuesses *guesses)
{
  return guesses->finder != NULL;
}

/* Warns of a picture whose number is no frame's: with another first number all guesses would be
 * off. */
static void
drop_next (FsFrameGuesses *guesses)
{
  if (guesses->next && !guesses->is_used && !guesses->has_reported) {
    g_autofree char *path = fs_display_name (guesses->next->path);
    guesses->has_reported = TRUE;
    guesses->unused =
        g_strdup_printf ("%s: there is no frame %" G_GUINT64_FORMAT " of which it is the guess",
                         path, guesses->next->number);
  }
  g_clear_pointer (&guesses->next, fs_frame_unref);
}

gboolean
fs_frame_guesses_wants_strokes (const FsFrameGuesses *guesses)
{
  return guesses->finder && fs_subject_finder_wants_strokes (guesses->finder);
}

void
fs_frame_guesses_seek (FsFrameGuesses *guesses, guint64 number)
{
  guesses->number = number;
  while (guesses->source && !guesses->has_ended
         && (!guesses->next || guesses->next->number < number)) {
    drop_next (guesses);
    guesses->next = fs_frame_source_next (guesses->source, &guesses->failure);
    guesses->is_used = FALSE;
    guesses->has_ended = guesses->next == NULL;
  }
  guesses->is_used = guesses->is_used || (guesses->next && guesses->next->number == number);
}

/* NULL: none. */
static FsFrame *
find_picture (const FsFrameGuesses *guesses)
{
  FsFrame *next = guesses->next;
  return next && next->number == guesses->number ? next : NULL;
}

const char *
fs_frame_guesses_get_sum (FsFrameGuesses *guesses)
{
  FsFrame *picture = find_picture (guesses);
  const char *sum = picture ? fs_frame_sum (picture, NULL) : guesses->finder_sum;
  return sum ? sum : "";
}

FsGuess *
fs_frame_guesses_load (FsFrameGuesses *guesses, const FsImage *image, const uint8_t *marks,
                       GError **error)
{
  if (guesses->finder)
    return fs_subject_finder_find_in_command (guesses->finder, image, marks, error);
  const FsFrame *picture = find_picture (guesses);
  if (!picture)
    return NULL;
  if (!picture->image)
    return fs_guess_load_found (picture->path, image->width, image->height, NULL, error);
  FsGuess *guess = fs_guess_find_in_image (picture->image, image->width, image->height);
  if (!guess)
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, picture->path, "not enough memory");
  return guess;
}

gboolean
fs_frame_guesses_spare (const FsFrameGuesses *guesses, const char *output, GError **error)
{
  return !guesses->source || fs_frame_source_spare (guesses->source, output, error);
}

char *
fs_frame_guesses_take_warning (FsFrameGuesses *guesses)
{
  char *warning = guesses->source ? fs_frame_source_take_warning (guesses->source) : NULL;
  if (!warning)
    warning = g_steal_pointer (&guesses->unused);
  if (warning || !guesses->failure)
    return warning;
  warning = g_strdup (guesses->failure->message);
  g_clear_error (&guesses->failure);
  return warning;
}
