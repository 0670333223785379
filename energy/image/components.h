/* SPDX-License-Identifier: MIT */
/* Connected pieces of marked cells, or pixels.   Layer: energy.
 *
 * The caller marks them; a piece is collected once, after which its cells bear another mark.
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_IMAGE_COMPONENTS_H
#define FS_ENERGY_IMAGE_COMPONENTS_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* Marks of cells: not looked at, waiting, in the piece at hand. */
enum { FS_CELL_OTHER, FS_CELL_WAITS, FS_CELL_IN_PIECE };

typedef struct {
  int width, height;
  int neighbours; /* 4 or 8 */
  uint8_t *marks; /* [height·width], owned */
  GArray *cells;  /* of uint32_t (y·width + x): the piece at hand, owned */
} FsCellPieces;

/* With 4 neighbours; the caller sets the marks. */
void fs_cell_pieces_init (FsCellPieces *pieces, int width, int height);
void fs_cell_pieces_clear (FsCellPieces *pieces);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsCellPieces, fs_cell_pieces_clear)

/* Collects the piece that a waiting cell is in, for whom `marks` then says IN_PIECE. Returns
 * whether this cell was waiting. Cost O(cells of the piece). */
gboolean fs_cell_pieces_collect (FsCellPieces *pieces, uint32_t cell);

/* Marks the piece at hand. */
void fs_cell_pieces_mark (FsCellPieces *pieces, uint8_t mark);

static inline uint32_t
fs_cell_pieces_get (const FsCellPieces *pieces, guint k)
{
  return g_array_index (pieces->cells, uint32_t, k);
}

G_END_DECLS

#endif
