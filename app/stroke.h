/* SPDX-License-Identifier: MIT */
/* What a person painted.   Layer: app (value header).
 *
 * Growing while the button is down, immutable once it has ended, but for `after`; reference
 * counted.
 */
#ifndef FS_APP_STROKE_H
#define FS_APP_STROKE_H

#include "energy/seed_map.h"

G_BEGIN_DECLS

typedef enum {
  FS_STROKE_BRUSH, /* as wide everywhere                                          */
  FS_STROKE_PEN,   /* as wide as it was pressed: radius · pressure                */
  /* The outline of a first selection: what lies outside becomes background when the stroke ends
   * (energy/outline.h), and takes the place of what an earlier outline left there; brush strokes
   * inside stand. Its label is the background's; its radius and `after` mean nothing. */
  FS_STROKE_OUTLINE,
} FsStrokeShape;

/* The first three points that enclose something. */
#define FS_OUTLINE_POINTS_MIN 3u

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
  /* Stability: this stroke was painted when the settled mask of the first `after` strokes stood,
   * which it is to keep elsewhere; 0 for none. */
  guint after;
} FsStroke;

/* A brush's. */
FsStroke *fs_stroke_new (uint8_t label, float radius_px);
FsStroke *fs_stroke_ref (FsStroke *stroke);
void fs_stroke_unref (FsStroke *stroke);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStroke, fs_stroke_unref)

/* What sample i of a brush or pen paints: the way from its predecessor; a dot for the first one. */
FsCapsule fs_stroke_capsule (const FsStroke *stroke, guint i);

G_END_DECLS

#endif
