/* SPDX-License-Identifier: MIT */
/* Shards: the division of a list of files among N processes or machines that do not talk.   Layer:
 * app.
 *
 * The list is sorted by the bytes of its names. Shard K of N, with K from 1 to N, takes every item
 * whose place in it, from 0, is K − 1 modulo N. So each item is of exactly one shard, and no two
 * shards differ by more than one item.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FILES_SHARD_H
#define FS_APP_FILES_SHARD_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_SHARD_MAX 1000000
/* The range of fs_shard_parse(), in words. */
#define FS_SHARD_RANGE "K/N, with K from 1 to N, and N up to 1000000"

typedef struct {
  guint k, n; /* from 1; n is 0 where the list is not divided */
} FsShard;

/* Reads "K/N". NULL is no division. FALSE, and nothing is set, for all else. */
gboolean fs_shard_parse (const char *text, FsShard *shard);

/* TRUE if the item at this place, from 0, is of the shard. */
gboolean fs_shard_takes (const FsShard *shard, gsize place);

/* Sorts a list of names (char *) by their bytes. */
void fs_shard_sort (GPtrArray *names);

/* Removes from the list, sorted before, what other shards take. */
void fs_shard_keep (const FsShard *shard, GPtrArray *names);

G_END_DECLS

#endif
