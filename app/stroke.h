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

/* In upright image pixels, (0, 0) the outer corner of the first pixel; pressure in [0, 1] (1 for a
 * mouse); time since the start of the stroke. */
typedef struct {
  float x, y;
  float pressure;
  uint32_t time_ms;
} FsSample;

typedef struct {
  uint8_t label;   /* 0 erases */
  float radius_px; /* > 0      */
  GArray *samples; /* of FsSample */
  FsRect bounds;   /* of what it may paint, cut to the photo */
  /* Stability: this stroke was painted when the settled mask of the first `after` strokes stood,
   * which it is to keep elsewhere; 0 for none. */
  guint after;
} FsStroke;

FsStroke *fs_stroke_new (uint8_t label, float radius_px);
FsStroke *fs_stroke_ref (FsStroke *stroke);
void fs_stroke_unref (FsStroke *stroke);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStroke, fs_stroke_unref)

/* What sample i paints: the way from its predecessor; a dot for the first one. */
FsCapsule fs_stroke_capsule (const FsStroke *stroke, guint i);

G_END_DECLS

#endif
