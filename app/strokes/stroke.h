/* SPDX-License-Identifier: MIT */
/* Strokes: brush, pen, outline, first guess.   Layer: app (value header).
 *
 * Growing while the button is down, immutable once it has ended, but for `after`; reference
 * counted.
 */
#ifndef FS_APP_STROKES_STROKE_H
#define FS_APP_STROKES_STROKE_H

#include "energy/guess/guess.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef enum {
  FS_STROKE_BRUSH, /* as wide everywhere                                          */
  FS_STROKE_PEN,   /* as wide as it was pressed: radius · pressure                */
  /* The outline of a first selection: what lies outside becomes background when the stroke ends
   * (energy/image/outline.h), and takes the place of what an earlier outline left there; brush
   * strokes inside stand. Its label is the background's; its radius and `after` mean nothing. */
  FS_STROKE_OUTLINE,
  /* Not painted at all: a first guess (energy/guess/guess.h) that takes the place of the one
   * before, or, with none, dismisses it. It is among the strokes because undo takes it back in
   * their order; it has no samples, and its label, radius and `after` mean nothing. */
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
  FsGuess *guess; /* of FS_STROKE_GUESS, or NULL                       */
  char *name;     /* … what it was made of, one line of UTF-8, or NULL */
  GBytes *png;    /* … as files store it; NULL until fs_stroke_get_png */
} FsStroke;

/* A brush's. */
FsStroke *fs_stroke_new (uint8_t label, float radius_px);
/* One that sets a guess, or with NULL dismisses it; takes a reference. `name` may be NULL, or any
 * text, of which control characters become spaces and what is beyond FS_GUESS_NAME_BYTES goes. */
FsStroke *fs_stroke_new_guess (FsGuess *guess, const char *name);
FsStroke *fs_stroke_ref (FsStroke *stroke);
void fs_stroke_unref (FsStroke *stroke);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStroke, fs_stroke_unref)

/* A guess as files store it (guess_png.h), made once; NULL without one, and where memory is short.
 * One thread at a time; cheap where one has asked before. Borrowed. */
GBytes *fs_stroke_get_png (FsStroke *stroke);

/* The capsule that sample i of a brush or pen paints: the way from its predecessor; a dot for the
 * first one. */
FsCapsule fs_stroke_capsule (const FsStroke *stroke, guint i);

G_END_DECLS

#endif
