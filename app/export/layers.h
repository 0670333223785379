/* SPDX-License-Identifier: MIT */
/* Layers of an export: its photo, and each object over it.   Layer: app.
 *
 * Threads: any, one at a time. Memory: a plane of the photo, one more where edges are soft, and
 * then, or where the photo has alpha, a copy of the area.
 */
#ifndef FS_APP_EXPORT_LAYERS_H
#define FS_APP_EXPORT_LAYERS_H

#include "app/export/export_content.h"

G_BEGIN_DECLS

typedef struct {
  FsExport what;  /* without a background */
  FsRect area;    /* that is written */
  gsize n_pixels; /* of the photo */
  int n_objects;
  uint8_t *mask, *marks;          /* of the object picked last; the latter may be NULL */
  FsExportRefinement *refinement; /* of the layer that was picked last, or NULL */
  FsImage *merged; /* the area with all layers merged so far, or NULL: as the photo is */
} FsExportLayers;

/* A cut-out has one object, labels those that they name. FALSE where memory is short. To be cleared
 * in any case. */
gboolean fs_export_layers_init (FsExportLayers *self, const FsExport *what);
void fs_export_layers_clear (FsExportLayers *self);

/* The label of the lowest object, and of the one above another; 0: there is none. A cut-out's is
 * FS_SEED_OBJECT. */
int fs_export_layers_next (const FsExportLayers *self, int label);

/* Makes `layer` the cut-out of one object, without notes; its area is what the object needs, empty
 * where it has no pixel. Valid until the next call. */
void fs_export_layers_pick (FsExportLayers *self, int label, FsExport *layer);

/* Makes `layer` the photo in the area, with notes. Valid until the next call. */
void fs_export_layers_pick_photo (FsExportLayers *self, FsExport *layer);

/* Merges the layer of an object picked last over the ones before. FALSE where memory is short. */
gboolean fs_export_layers_merge (FsExportLayers *self, const FsExport *layer);

/* The object's name, or its number in words. g_free. */
char *fs_export_layers_get_title (const FsExportLayers *self, int label);

G_END_DECLS

#endif
