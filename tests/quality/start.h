/* SPDX-License-Identifier: MIT */
/* What a cut is given: a scribble map or a trimap read from a file, or nothing yet.
 *
 * Scribbles: 0 none, 1 background, 2 object. Trimaps (lassos and boxes too): 0 and 64 background,
 * 128 unknown, 255 object; where 64 occurs beside 255, only it is near enough for colour models to
 * learn from. A box has none: they learn from all outside it, as in the window.
 */
#ifndef FS_QUALITY_START_H
#define FS_QUALITY_START_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef enum {
  QUALITY_SCRIBBLES,      /* "scribbles" */
  QUALITY_OBJECT_STROKES, /* "object": the object's scribbles alone */
  QUALITY_TRIMAP,         /* "trimap" */
} QualityStartKind;

typedef struct {
  QualityStartKind kind;
  FsSeedMap *seeds;   /* what is fixed */
  FsSeedMap *samples; /* of which the colour models learn: the same, or less of it */
  uint8_t *unknown;   /* 1 where nothing is said */
  FsRect crop;        /* beyond it lies only background that no model learns from */
} QualityStart;

/* Errors: those of fs_seeds_load. */
QualityStart *quality_start_load (QualityStartKind kind, const char *path, int width, int height,
                                  GError **error);
/* Nothing painted yet. */
QualityStart *quality_start_new_empty (int width, int height);
void quality_start_free (QualityStart *start);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (QualityStart, quality_start_free)

G_END_DECLS

#endif
