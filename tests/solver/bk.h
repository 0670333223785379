/* SPDX-License-Identifier: MIT */
/* Boykov & Kolmogorov's own code (package libmaxflow-dev), as an independent solver of our grids.
 * It is licensed under the GPL: only tests and benchmarks may link this, never the product. */
#ifndef FS_TESTS_BK_H
#define FS_TESTS_BK_H

#include "solver/grid.h"

G_BEGIN_DECLS

typedef struct _Bk Bk;

/* Builds the graph of the grid, with its t-links. */
Bk *bk_new (const FsGrid *grid);
void bk_free (Bk *bk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bk, bk_free)

/* Adds the difference of two t-links, for a solve that keeps the search trees. */
void bk_change_tlink (Bk *bk, uint32_t pixel, int32_t old_tlink, int32_t new_tlink);

void bk_solve (Bk *bk, gboolean keep_trees);

/* The canonical mask: what is not in the sink's tree is object. */
void bk_read_mask (const Bk *bk, uint8_t *mask);

G_END_DECLS

#endif
