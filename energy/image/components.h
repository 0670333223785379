/* SPDX-License-Identifier: MIT */
/* Connected components of marked cells, or pixels.   Layer: energy.
 *
 * The caller marks the cells. A component is collected once; its cells get another mark then.
 * Threads: one at a time. */
#ifndef FS_ENERGY_IMAGE_COMPONENTS_H
#define FS_ENERGY_IMAGE_COMPONENTS_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* Marks of cells: not part of any component, not collected yet, in the present component. */
enum { FS_CELL_OTHER, FS_CELL_WAITS, FS_CELL_IN_COMPONENT };

typedef struct {
  int width, height;
  int neighbours; /* 4 or 8 */
  uint8_t *marks; /* [height·width], owned */
  GArray *cells;  /* of uint32_t (y·width + x): the present component, owned */
} FsComponents;

/* With 4 neighbours; the caller sets the marks. */
void fs_components_init (FsComponents *components, int width, int height);
/* The same; FALSE where memory is short. To be cleared in any case. */
gboolean fs_components_try_init (FsComponents *components, int width, int height);
void fs_components_clear (FsComponents *components);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsComponents, fs_components_clear)

/* Collects the component of a waiting cell into `cells` and marks it IN_COMPONENT. FALSE if the
 * cell is not waiting. Cost O(cells of the component). */
gboolean fs_components_collect (FsComponents *components, uint32_t cell);

/* Marks the cells of the present component. */
void fs_components_mark (FsComponents *components, uint8_t mark);

static inline uint32_t
fs_components_get (const FsComponents *components, guint k)
{
  return g_array_index (components->cells, uint32_t, k);
}

G_END_DECLS

#endif
