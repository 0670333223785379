/* SPDX-License-Identifier: MIT */
/* Edge of an export: alpha and colours of a cut-out, with all that its settings ask for.
 * Layer: app.
 *
 * Threads: any, one at a time.
 */
#ifndef FS_APP_EXPORT_EXPORT_EDGE_H
#define FS_APP_EXPORT_EXPORT_EDGE_H

#include "app/export/export_content.h"
#include "energy/edge/edge.h"

G_BEGIN_DECLS

/* The mask without specks and holes, and the alpha of zones, which may take many seconds.
 * Immutable. NULL where memory is short, and where what->refining is cancelled. `what` must outlive
 * it. */
FsExportRefinement *fs_export_refine (const FsExport *what);
void fs_export_refinement_free (FsExportRefinement *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsExportRefinement, fs_export_refinement_free)

typedef struct {
  FsEdgeInput input;
  FsExportRefinement *own;  /* where `what` has none, or NULL */
  const FsZoneAlpha *zones; /* or NULL */
  FsEdge *edge;             /* NULL where its words are given */
  const uint32_t *words;    /* of the pixel at the area's left in row 0, or NULL */
} FsExportEdge;

/* TRUE if the alpha or colours of a cut-out may differ from its mask's and the photo's. */
gboolean fs_export_has_edge (const FsExport *what);

/* For the rows of `area`, a rectangle of the photo. `what` is borrowed. NULL where memory is short,
 * and where what->refining is cancelled. */
FsExportEdge *fs_export_edge_new (const FsExport *what, FsRect area);
void fs_export_edge_free (FsExportEdge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsExportEdge, fs_export_edge_free)

/* As fs_edge_get_row. */
const uint32_t *fs_export_edge_get_row (FsExportEdge *self, int y);

/* The pixels of `area` whose alpha is not 0: their bounds, empty where there are none, and where
 * memory is short or what->refining is cancelled. */
FsRect fs_export_edge_find_extent (const FsExport *what, FsRect area);

/* The pixels that are written: `area`, cut to the photo, or all of it; with `takes_edge` and all
 * pixels near it whose alpha is not 0, of masks as well, so that they fit cut-outs. */
FsRect fs_export_find_area (const FsExport *what);

/* Renders `area`, a rectangle of the photo, of a cut-out with an edge. fs_image_unref; NULL where
 * memory is short or what->refining is cancelled. */
FsImage *fs_export_edge_render (const FsExport *what, FsRect area);

G_END_DECLS

#endif
