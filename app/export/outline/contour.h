/* SPDX-License-Identifier: MIT */
/* Contours of a labelled area along the edges of its pixels, exact or simplified.   Layer: app.
 *
 * A contour is a closed polygon with one object on its right side (y grows downwards): outer
 * contours run clockwise, those of holes counter-clockwise. The even-odd rule fills them.
 *
 * Simplification draws each segment from the middle of one border edge to the middle of another, so
 * that it passes every border edge between them less than the tolerance from that edge's middle.
 * Such a segment stays in the chain of unit squares around the corners that the border visits, and
 * a border visits no corner twice that is not fixed. Hence, for tolerances up to half a pixel,
 * outlines neither cross themselves nor each other, and every pixel's centre stays on its side:
 * filled by centres of pixels, they are the labels to the pixel. From each middle a funnel of the
 * directions that pass all edges so far finds these segments; of all ways along a chain the one
 * with the fewest of them is taken, and of those the one nearest to the edges' middles: the optimal
 * polygon of Selinger, "Potrace: a polygon-based tracing algorithm", 2003, section 2.2, with these
 * segments in place of his.
 *
 * Fixed are corners of pixels where three labels or two diagonal pixels meet, those where a border
 * reaches or leaves the area's frame, those of the area, and those between two straight runs of
 * FS_CONTOUR_CORNER_PX or more. Each chain between two of them is simplified in one direction,
 * whichever object it is traced for: neighbours share it.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_OUTLINE_CONTOUR_H
#define FS_APP_EXPORT_OUTLINE_CONTOUR_H

#include "app/export/outline/simplify.h"
#include "energy/image/rect.h"

G_BEGIN_DECLS

#define FS_CONTOUR_MAX_TOLERANCE_PX 0.5

typedef struct {
  const uint8_t *labels; /* of the whole photo, row by row */
  int width;             /* of the photo */
  FsRect area;           /* that is traced; its frame cuts objects off */
  uint8_t max_ground;    /* labels up to this one are background */
} FsContourMap;

/* Takes the corners of one contour, at least three; FALSE stops. */
typedef gboolean (*FsContourTake) (gpointer user_data, const FsContourPoint *points, gsize n);

/* All contours of one label in the rows from y0 up to y1 of the area, in the order of their first
 * pixels, row by row. Tolerance: 0, for the edges as they are, up to FS_CONTOUR_MAX_TOLERANCE_PX;
 * in steps of 1/200 pixel. Returns FALSE where memory is short or `take` stopped it. Cost: a pass
 * over these rows, and for each edge of a contour time proportional to the length of the longest
 * segment from it; on long straight diagonals only some edges begin one, and the segments are as
 * few, but may be farther from the edges' middles. */
gboolean fs_contour_trace (const FsContourMap *map, uint8_t label, int y0, int y1,
                           double tolerance_px, FsContourTake take, gpointer user_data);

/* The contours of one label that begin where the caller says, instead of in a search of all rows:
 * for objects of many parts. Takes a copy of `map`, not of its labels. NULL where memory is short.
 */
typedef struct _FsContourTracer FsContourTracer;
FsContourTracer *fs_contour_tracer_new (const FsContourMap *map, uint8_t label,
                                        double tolerance_px);
void fs_contour_tracer_free (FsContourTracer *tracer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsContourTracer, fs_contour_tracer_free)

/* The contour along the left edge of a pixel of the label, in the area, whose left neighbour is not
 * of it; nothing where that edge was part of an earlier one. Returns as fs_contour_trace does. */
gboolean fs_contour_tracer_trace (FsContourTracer *tracer, int x, int y, FsContourTake take,
                                  gpointer user_data);

G_END_DECLS

#endif
