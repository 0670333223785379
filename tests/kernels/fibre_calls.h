/* SPDX-License-Identifier: MIT */
/* What the tests of the CUDA engine on fibres have in common: where one begins, and each call of
 * the CUDA library failing in its turn. */
#ifndef FS_TESTS_FIBRE_CALLS_H
#define FS_TESTS_FIBRE_CALLS_H

#include "tests/kernels/fibres/fibre_control.h"

#include <glib.h>

G_BEGIN_DECLS

/* Gives the program a fresh engine, whose table it is, in a schedule; no call fails. */
void fibre_begin (const FsEngineTable *table, guint32 schedule, int n_blocks);

/* The same with as many blocks as the schedule's number says, 1 to 3. */
void fibre_begin_schedule (const FsEngineTable *table, guint32 schedule);

/* How many of 6 schedules to play, over the blocks that fibre_begin_schedule() gives each: all, or
 * where FRETSAW_TEST_SHARE is set one of each kind. */
guint32 fibre_n_schedules (void);

/* A history that demands the processor's results, the same whenever it is played. Returns how many
 * calls of the CUDA library it made, those at the end not counted. */
typedef int (*FibreHistory) (gconstpointer data);

typedef struct {
  const FsEngineTable *table;
  int n_blocks; /* that fit on the device at once */
  FibreHistory play;
  gconstpointer data;
  int least;    /* so many calls there are at least                              */
  int stride;   /* where FRETSAW_TEST_SHARE is set, and where every touch of memory counts, every so
                   many of them fail, each time from the next on; 0: all do */
  int n_rounds; /* of which each has its share of the calls; 0: each has all */
} FibreCalls;

/* Plays a history once for each of its calls, in which that one fails, once or for ever. Nothing
 * stays allocated. Returns how many failed unheard: without a notice. */
int fibre_fail_each (const FibreCalls *calls, FibreError code, gboolean for_ever);

G_END_DECLS

#endif
