/* SPDX-License-Identifier: MIT */
#include "app/strokes/stroke.h"

#include "app/finder/guess_png.h"

#include <math.h>

FsStroke *
fs_stroke_new (uint8_t label, float radius_px)
{
  g_return_val_if_fail (radius_px > 0, NULL);

  FsStroke *stroke = g_atomic_rc_box_new0 (FsStroke);
  stroke->label = label;
  stroke->radius_px = radius_px;
  stroke->samples = g_array_new (FALSE, FALSE, sizeof (FsSample));
  return stroke;
}

/* As one line that sessions take; NULL where nothing is left of it. */
static char *
clean_name (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  GString *clean = g_string_new (NULL);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (clean->len + (gsize)g_unichar_to_utf8 (c, NULL) > FS_GUESS_NAME_BYTES)
      break;
    g_string_append_unichar (clean, g_unichar_iscntrl (c) ? ' ' : c);
  }
  return g_string_free (clean, clean->len == 0);
}

FsStroke *
fs_stroke_new_guess (FsGuess *guess, const char *name)
{
  FsStroke *stroke = fs_stroke_new (FS_SEED_NONE, 1);
  stroke->shape = FS_STROKE_GUESS;
  stroke->guess = guess ? fs_guess_ref (guess) : NULL;
  stroke->name = guess && name ? clean_name (name) : NULL;
  return stroke;
}

FsStroke *
fs_stroke_ref (FsStroke *stroke)
{
  return g_atomic_rc_box_acquire (stroke);
}

static void
stroke_clear (gpointer data)
{
  FsStroke *stroke = data;
  g_array_unref (stroke->samples);
  g_clear_pointer (&stroke->guess, fs_guess_unref);
  g_free (stroke->name);
  g_clear_pointer (&stroke->png, g_bytes_unref);
}

void
fs_stroke_unref (FsStroke *stroke)
{
  if (stroke)
    g_atomic_rc_box_release_full (stroke, stroke_clear);
}

GBytes *
fs_stroke_get_png (FsStroke *stroke)
{
  if (!stroke->png && stroke->guess)
    stroke->png = fs_guess_to_png (stroke->guess);
  return stroke->png;
}

FsCapsule
fs_stroke_capsule (const FsStroke *stroke, guint i)
{
  const FsSample *to = &g_array_index (stroke->samples, FsSample, i);
  const FsSample *from = i > 0 ? to - 1 : to;
  float radius_px = stroke->radius_px;
  if (stroke->shape == FS_STROKE_PEN)
    radius_px *= fmaxf (to->pressure, FS_PEN_PRESSURE_MIN);
  return (FsCapsule){ from->x, from->y, to->x, to->y, radius_px };
}
