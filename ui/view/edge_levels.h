/* SPDX-License-Identifier: MIT */
/* The live edge at 1, ½, ¼, … of the photo's size: alpha and clean colours for views.   Layer: ui.
 *
 * Beside the pyramid's planes, in tiles of FS_EDGE_LEVEL_TILE pixels a side that are there only
 * where the finer level has some, so that memory grows with the border. Colours are weighted by
 * alpha; elsewhere they are those of photo and mask.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_VIEW_EDGE_LEVELS_H
#define FS_UI_VIEW_EDGE_LEVELS_H

#include "app/edge/live_edge.h"
#include "ui/view/pyramid.h"

G_BEGIN_DECLS

#define FS_EDGE_LEVEL_TILE 64

/* For the live edge and the pyramid of one document, which it borrows. */
FsEdgeLevels *fs_edge_levels_new (FsLiveEdge *edge, const FsPyramid *pyramid);
void fs_edge_levels_free (FsEdgeLevels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEdgeLevels, fs_edge_levels_free)

/* To be called when the edge or the mask has changed inside `rect` (image pixels), after the
 * pyramid has been updated there. */
void fs_edge_levels_update (FsEdgeLevels *levels, const FsRect *rect);

/* FALSE if all pixels of the window of level k are as mask and photo have them. */
gboolean fs_edge_levels_has_words (const FsEdgeLevels *levels, guint k, const FsRect *window);
/* Writes the words of the pixels x0 ≤ x < x1 of row y of level k: 0xAARRGGBB, A the alpha of the
 * edge without the photo's own. */
void fs_edge_levels_read_row (const FsEdgeLevels *levels, guint k, int y, int x0, int x1,
                              uint32_t *words);

G_END_DECLS

#endif
