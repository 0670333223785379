/* SPDX-License-Identifier: MIT */
/* Problems for bench_ladder: files, and made ones. No GLib: the program also runs where nothing but
 * a driver is installed.
 *
 * A file holds, in the machine's byte order: "FSLADDR1", the 32-bit integers width, height and
 * neighbours, neighbours / 2 planes of 16-bit n-links, the plane of 32-bit t-links, and the exact
 * mask of a byte a pixel, all as in tests/ladder/ladder.h. dump_problem writes it.
 */
#ifndef FS_BENCH_LADDER_PROBLEM_H
#define FS_BENCH_LADDER_PROBLEM_H

#include "tests/ladder/ladder.h"

#include <stddef.h>

typedef struct {
  FsLadderProblem problem; /* its planes are the four below */
  uint16_t *nlink[4];
  int32_t *tlink;
  uint8_t *exact; /* [H·W] the canonical mask */
} LadderProblem;

/* NULL when memory ends. Planes are 0. */
LadderProblem *ladder_problem_new (int width, int height, int neighbours);
void ladder_problem_free (LadderProblem *problem);

static inline size_t
ladder_problem_pixels (const LadderProblem *problem)
{
  return (size_t)problem->problem.width * (size_t)problem->problem.height;
}

/* NULL, or 0, when the file cannot be read or written, or is none of ours. */
LadderProblem *ladder_problem_read (const char *path);
int ladder_problem_write (const LadderProblem *problem, const char *path);

/* Discs under noise, as the synthetic images of Vineet & Narayanan 2008: `signal` of the data
 * against noise of ±100, n-links of up to `smoothness`. The exact mask is left to plain_cut. NULL
 * when memory ends. */
LadderProblem *ladder_problem_make (int width, int height, int neighbours, int signal,
                                    int smoothness, uint32_t seed);

/* Cuts on one thread by first-in-first-out push-relabel (Cherkassky & Goldberg 1997): the reference
 * where there is no other. 0 when memory ends. */
int plain_cut (const FsLadderProblem *problem, uint8_t *mask);

#endif
