/* SPDX-License-Identifier: MIT */
/* Orphans by distance.   Layer: solver (CPU backend).
 *
 * One stack per distance, chained through the nodes themselves: an adoption phase has a handful of
 * orphans on as many distances, so a push must cost nothing more than two words. A node may be
 * chained once only; it is an orphan from the push to the pop.
 */
#ifndef FS_SOLVER_CPU_ORPHANS_H
#define FS_SOLVER_CPU_ORPHANS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_NO_NODE UINT32_MAX

typedef struct {
  uint32_t *head; /* per distance */
  uint32_t capacity;
  uint32_t low; /* no orphans below this distance */
  uint32_t end; /* nor from this distance on      */
} FsOrphans;

/* Makes room for distances up to `distance`; FALSE when memory ends, and nothing has changed. */
gboolean fs_orphans_reserve (FsOrphans *orphans, uint32_t distance);
void fs_orphans_clear (FsOrphans *orphans);
/* Forgets all orphans. */
void fs_orphans_empty (FsOrphans *orphans);

static inline void
fs_orphans_push (FsOrphans *orphans, uint32_t *next, uint32_t distance, uint32_t node)
{
  next[node] = orphans->head[distance];
  orphans->head[distance] = node;
  orphans->low = MIN (orphans->low, distance);
  orphans->end = MAX (orphans->end, distance + 1);
}

G_END_DECLS

#endif
