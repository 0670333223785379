/* SPDX-License-Identifier: MIT */
/* Strokes: brush, pen, outline, first guess.   Layer: app (value header).
 *
 * A stroke grows while the button is down. When it has ended it is immutable, except for `after`.
 * Reference counted.
 */
#ifndef FS_APP_STROKES_STROKE_H
#define FS_APP_STROKES_STROKE_H

#include "energy/guess/guess.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef enum {
  FS_STROKE_BRUSH, /* of constant radius                                          */
  FS_STROKE_PEN,   /* of radius · pressure                                        */
  /* The outline of a first selection: the pixels outside become background when the stroke ends
   * (energy/image/outline.h), in place of those of an earlier outline; brush strokes inside stay.
   * Its label is the background's; radius and `after` are not used. */
  FS_STROKE_OUTLINE,
  /* A first guess (energy/guess/guess.h), which replaces the one before, or, with NULL, dismisses
   * it. It paints nothing; it is a stroke so that undo has one order. It has no samples; label,
   * radius and `after` are not used. */
  FS_STROKE_GUESS,
} FsStrokeShape;

/* The first three points that enclose something. */
#define FS_OUTLINE_POINTS_MIN 3u

#define FS_GUESS_NAME_BYTES 200

/* A pen that is hardly pressed still paints so much of its radius. */
#define FS_PEN_PRESSURE_MIN 0.1f

/* In upright image pixels, (0, 0) the outer corner of the first pixel; pressure in [0, 1] (1 for a
 * mouse); time since the start of the stroke. */
typedef struct {
  float x, y;
  float pressure;
  uint32_t time_ms;
} FsSample;

typedef struct {
  FsStrokeShape shape;
  uint8_t label;   /* 0 erases */
  float radius_px; /* > 0      */
  GArray *samples; /* of FsSample */
  FsRect bounds;   /* of what it may paint, cut to the photo */
  /* Stability: the previous mask, which stays as it is away from this stroke, is the final one of
   * the first `after` strokes; 0 for none. */
  guint after;
  FsGuess *guess; /* of FS_STROKE_GUESS, or NULL                           */
  char *name;     /* the guess's source, one line of UTF-8, or NULL        */
  GBytes *png;    /* the guess as files store it; NULL until fs_stroke_get_png */
} FsStroke;

/* A brush stroke. */
FsStroke *fs_stroke_new (uint8_t label, float radius_px);
/* A stroke that sets a guess, or with NULL dismisses it; takes a reference. `name` may be NULL, or
 * any text: control characters become spaces, and it is cut after FS_GUESS_NAME_BYTES. */
FsStroke *fs_stroke_new_guess (FsGuess *guess, const char *name);
FsStroke *fs_stroke_ref (FsStroke *stroke);
void fs_stroke_unref (FsStroke *stroke);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStroke, fs_stroke_unref)

/* A guess as files store it (guess_png.h), encoded by the first call; NULL without one, and where
 * memory is short. One thread at a time. Borrowed. */
GBytes *fs_stroke_get_png (FsStroke *stroke);

/* The capsule of sample i of a brush or pen: the segment from the sample before; a dot for the
 * first one. */
FsCapsule fs_stroke_capsule (const FsStroke *stroke, guint i);

G_END_DECLS

#endif
