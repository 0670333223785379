/* SPDX-License-Identifier: MIT */
/* Grid problems for tests: shaped at random, and checked after every solve. */
#ifndef FS_TESTS_PROBLEM_H
#define FS_TESTS_PROBLEM_H

#include "solver/certificate.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* What makes a problem hard in its own way. */
typedef enum {
  SHAPE_UNIFORM,  /* t-links and n-links of the same order                  */
  SHAPE_TIES,     /* capacities 0–2: many minimum cuts                      */
  SHAPE_SPARSE,   /* most links are zero                                    */
  SHAPE_MAXIMUM,  /* every capacity at its limit                            */
  SHAPE_SEEDS,    /* few t-links, large ones; smooth n-links: long paths    */
  SHAPE_NO_LINKS, /* n-links all zero                                       */
  SHAPE_ONE_SIDE, /* no deficits                                            */
  N_SHAPES
} Shape;

typedef struct {
  FsGrid grid;
  uint16_t *plane[2 * FS_N_DIRECTIONS];
} Problem;

Problem *problem_new (int width, int height, FsNeighbours neighbours, gboolean directed);
void problem_free (Problem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Problem, problem_free)

/* Gives the problem a star, without links as yet. */
void problem_add_star (Problem *problem);

/* A random forest inside the grid, W·H bytes: rays towards a centre, or short twigs. */
void random_star (GRand *rand, const FsGrid *grid, uint8_t *star);

/* A problem of random size up to the given one, of random neighbours and direction, a third of them
 * with a star. */
Problem *problem_new_random (GRand *rand, int max_width, int max_height);

void problem_fill (Problem *problem, GRand *rand, Shape shape);

/* Three tiles of 32 pixels side by side, and a row of links through all of them, one of which leads
 * back alone. In the tile in the middle that cuts some excess off from a deficit. */
Problem *problem_new_passage (void);
/* Gives its solver excess at one end of the row and a deficit at the other, which just use each
 * other up: that flow opens a way, in a tile whose t-links stay. */
void replace_ends_of_passage (FsSolver *solver);
int32_t random_tlink (GRand *rand, Shape shape);

/* Up to n new pairs of n-links, some of them twice; of FsNlinkChange. */
GArray *random_nlink_changes (GRand *rand, const FsGrid *grid, int n);

/* The mask, W·H bytes; free with g_free. */
uint8_t *read_whole_mask (FsSolver *solver);

/* Solves, and demands that the certificate holds and all the sums agree with plain loops. */
FsSolution solve_and_check (FsSolver *solver);

/* Solves; where that is cancelled, the flow so far must be one. A small problem may be solved
 * before it asks. */
void solve_or_stop (FsSolver *solver, const FsProgress *progress);

/* Demands the same mask and energy of a CPU solver that has no history, on one thread. */
void check_against_fresh (FsSolver *solver, const FsSolution *solution);

/* The backend under test: FRETSAW_TEST_BACKEND in the environment names it.
 *   cpu       the CPU backend, also where nothing is named
 *   kernels   the CUDA backend over the kernels' twin on the host, orders drawn anew for each call
 *   cuda      the CUDA backend over its module; ends the program with status 77 without a device */
const FsBackend *test_backend (void);

/* Whether it is the kernels on the host, which take a hundred times as long as the CPU backend. */
gboolean test_backend_is_slow (void);

/* `n` times the environment's SCALE ("20", "1/10"; 1 where it is not set), at least 1; a tenth of
 * it with a slow backend. */
int scaled (int n);

/* The same for the few large checks that take longest: where FRETSAW_TEST_SHARE is set, only that
 * share of them too, but no fewer than `least`, one of each kind. */
int scaled_few (int n, int least);

/* Of so many alike the environment wants one: FRETSAW_TEST_SHARE; 1 where it is not set. */
int test_share (void);

G_END_DECLS

#endif
