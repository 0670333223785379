/* SPDX-License-Identifier: MIT */
/* Live edge: the edge (energy/edge/edge.h) of a document's mask, as it is shown.   Layer: app.
 *
 * Follows one document. Whatever changes the mask, the marks, the zones or the settings marks tiles
 * as dirty; while no stroke grows and the newest mask is exact a worker computes these from copies
 * of the planes, and the next edit cancels it. Tiles that are done by then are kept.
 *
 * A tile has words where the edge is anything but mask and photo, so memory grows with the border.
 * A word belongs to the mask that it was computed from: until the worker has been there again, a
 * pixel that has changed sides since is shown hard, and all others keep their edge.
 *
 * Properties (read only, notify): "busy" (boolean; some tile is not that of the present mask).
 * Signals: "updated" (gpointer const FsRect *rects, guint n_rects): words changed inside these,
 * which are tiles and rows of them; a tile that was computed again without a change is none of
 * them.
 *
 * Threads: the document's; the work is a worker's.
 */
#ifndef FS_APP_EDGE_LIVE_EDGE_H
#define FS_APP_EDGE_LIVE_EDGE_H

#include "app/live/document.h"

G_BEGIN_DECLS

/* Memory for each pixel of the photo at the most, where there are no zones to refine: a byte of
 * four planes (mask, marks, zones, mask without specks and holes), and a tile's word and bit. */
#define FS_LIVE_EDGE_BYTES_PER_PIXEL 9

#define FS_TYPE_LIVE_EDGE (fs_live_edge_get_type ())
G_DECLARE_FINAL_TYPE (FsLiveEdge, fs_live_edge, FS, LIVE_EDGE, GObject)

/* Takes a reference to the document. Where memory is short the edge stays hard. */
FsLiveEdge *fs_live_edge_new (FsDocument *document);
/* Lets go of the document and cancels the worker. */
void fs_live_edge_close (FsLiveEdge *self);

gboolean fs_live_edge_is_busy (FsLiveEdge *self);

/* Writes the words of the pixels x0 ≤ x < x1 of row y: 0xAARRGGBB, A the edge's alpha without the
 * photo's own. */
void fs_live_edge_read_row (FsLiveEdge *self, int y, int x0, int x1, uint32_t *words);
/* FALSE if all pixels in the rectangle are as mask and photo have them. */
gboolean fs_live_edge_has_words (FsLiveEdge *self, FsRect rect);
/* The number of tiles with words. */
guint fs_live_edge_count_tiles (FsLiveEdge *self);

G_END_DECLS

#endif
