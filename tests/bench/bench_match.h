/* SPDX-License-Identifier: MIT */
/* One problem kept up to date by our CPU backend and by Boykov & Kolmogorov's code side by side:
 * each edit is timed in both, and the masks are compared after it. */
#ifndef FS_BENCH_MATCH_H
#define FS_BENCH_MATCH_H

#include "tests/bench/bench_instance.h"
#include "tests/solver/bk.h"

G_BEGIN_DECLS

typedef struct {
  FsSolver *solver;
  Bk *bk;         /* NULL: ours alone */
  uint8_t *mask;  /* after the last edit */
  uint8_t *other; /* of BK, or before the last edit */
} BenchMatch;

/* A row of edits, one element each. */
typedef struct {
  GArray *ours, *theirs; /* of double: milliseconds of processor time */
  GArray *turned;        /* of guint: pixels whose side changed       */
} BenchTimes;

/* Takes both over, solved for the same t-links, and compares their masks. */
BenchMatch *bench_match_new (FsSolver *solver, Bk *bk);
void bench_match_free (BenchMatch *match);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchMatch, bench_match_free)

/* Changes t-links and solves again, from the last flow and trees. Exits where the masks differ.
 * `times` may be NULL. */
void bench_match_edit (BenchMatch *match, const GArray *changes, BenchTimes *times);

void bench_times_init (BenchTimes *times);
void bench_times_clear (BenchTimes *times);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BenchTimes, bench_times_clear)

G_END_DECLS

#endif
