/* SPDX-License-Identifier: MIT */
/* Masks as polygons without holes, as data sets of polygons want them.   Layer: app.
 *
 * Each connected part of an object (four neighbours) is one polygon along its contour
 * (app/export/outline/contour.h). A hole is joined to it by a bridge: a line from a corner of the
 * outer contour to the nearest one of the hole's, there and back. Parts are joined likewise where a
 * format has one polygon an object. Bridges have no area: filled by the even-odd rule, or by the
 * non-zero one, as outer contours run clockwise and holes the other way, the polygons are the mask.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_POLYGONS_H
#define FS_APP_LABELS_POLYGONS_H

#include "app/export/outline/contour.h"
#include "app/labels/label_set.h"

G_BEGIN_DECLS

/* The polygons (GArray * of FsContourPoint) of an object of a photo of this size, in the order of
 * the parts' first pixels; none has fewer than three points. NULL where memory is short. Cost: that
 * of the contours, and for each part some 10⁷ steps at most in search of bridges. */
GPtrArray *fs_polygons_new (const FsLabelObject *object, int width, int height,
                            double tolerance_px);

/* All of them as one. g_array_unref. */
GArray *fs_polygons_join (const GPtrArray *polygons);

/* Appends a coordinate in pixels: "12", "12.5". */
void fs_polygons_append_number (GString *text, int half_pixels);

G_END_DECLS

#endif
