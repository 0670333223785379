/* SPDX-License-Identifier: MIT */
#include "tests/ladder/solve.h"

#define ROUNDS 8 /* of lowering heights between two looks at the word */

typedef struct {
  const FsLadderRun *run;
  const FsLadderMethod *method;
  const void *state;
  FsLadderNodes *nodes;
  int64_t n_threads;
  int32_t iteration;
  int32_t round;
} Solve;

void
fs_ladder_alloc_words (const FsLadderRun *run, FsLadderNodes *nodes)
{
  static const int32_t zeros[FS_LADDER_N_WORDS];
  nodes->word = fs_ladder_alloc (run->machine, sizeof zeros);
  fs_ladder_upload (run->machine, nodes->word, zeros, sizeof zeros);
}

void
fs_ladder_alloc_nodes (const FsLadderRun *run, FsLadderNodes *nodes, const FsLadderMethod *method)
{
  FsLadderMachine *machine = run->machine;
  size_t bytes = (size_t)nodes->n * sizeof (int32_t);
  nodes->period = run->options->period;
  nodes->excess = fs_ladder_alloc (machine, bytes);
  nodes->sink = fs_ladder_alloc (machine, bytes);
  nodes->height = fs_ladder_alloc (machine, bytes);
  nodes->raised = method->in_place ? nodes->height : fs_ladder_alloc (machine, bytes);
  nodes->previous = fs_ladder_alloc (machine, bytes);
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    int used = fs_ladder_has (nodes, d);
    nodes->residual[d] = used ? fs_ladder_alloc (machine, bytes) : NULL;
    nodes->flow[d] =
        used && method->pull != FS_LADDER_NO_KERNEL ? fs_ladder_alloc (machine, bytes) : NULL;
  }
}

static void
launch (const Solve *solve, FsLadderKernel kernel)
{
  fs_ladder_launch (solve->run->machine, kernel, solve->state, solve->n_threads);
}

/* What the kernels last wrote to a word; 0 after an error. */
static int32_t
read_word (const Solve *solve, int word)
{
  int32_t value = 0;
  if (solve->run->machine->error == FS_LADDER_OK)
    fs_ladder_download (solve->run->machine, &value, solve->nodes->word + word, sizeof value);
  return value;
}

static void
iterate (Solve *solve)
{
  const FsLadderMethod *method = solve->method;
  FsLadderNodes *nodes = solve->nodes;
  const FsLadderOptions *options = solve->run->options;
  nodes->now = ++solve->iteration;
  for (int i = 1; i <= options->pushes; i++) {
    launch (solve, method->push);
    if (method->pull != FS_LADDER_NO_KERNEL && i < options->pushes)
      launch (solve, method->pull);
  }
  if (method->relabel != FS_LADDER_NO_KERNEL)
    launch (solve, method->relabel);
  int32_t *lower = nodes->height;
  nodes->height = nodes->raised;
  nodes->raised = lower;
  if (method->activate != FS_LADDER_NO_KERNEL && solve->iteration % options->period == 0)
    fs_ladder_launch (solve->run->machine, method->activate, solve->state,
                      solve->n_threads / FS_LADDER_THREADS);
}

static void
make_heights (Solve *solve)
{
  FsLadderNodes *nodes = solve->nodes;
  nodes->now = ++solve->round;
  launch (solve, solve->method->start_heights);
  do {
    for (int i = 0; i < ROUNDS; i++) {
      nodes->now = ++solve->round;
      launch (solve, solve->method->lower);
    }
  } while (read_word (solve, FS_LADDER_WORD_LOWERED) == solve->round);
  solve->run->result->heights++;
}

/* With exact heights. */
static int
is_excess_left (Solve *solve)
{
  FsLadderNodes *nodes = solve->nodes;
  nodes->now = ++solve->round;
  fs_ladder_launch (solve->run->machine, FS_LADDER_KERNEL_FIND_LEFT, nodes, nodes->n);
  return read_word (solve, FS_LADDER_WORD_LEFT) == nodes->now;
}

static int
has_excess_moved (Solve *solve)
{
  FsLadderNodes *nodes = solve->nodes;
  fs_ladder_launch (solve->run->machine, FS_LADDER_KERNEL_LOOK, nodes, nodes->n);
  return read_word (solve, FS_LADDER_WORD_MOVED) == nodes->now;
}

/* Both return whether their rule ended the run; heights are exact then. */
static int
run_to_exact_end (Solve *solve)
{
  const FsLadderOptions *options = solve->run->options;
  make_heights (solve);
  while (is_excess_left (solve)) {
    if (solve->iteration >= options->limit)
      return 0;
    for (int i = 0; i < options->heights_every && solve->iteration < options->limit; i++)
      iterate (solve);
    make_heights (solve);
  }
  return 1;
}

static int
run_to_paper_end (Solve *solve)
{
  const FsLadderOptions *options = solve->run->options;
  int moved = 1;
  while (moved && solve->iteration < options->limit) {
    iterate (solve);
    if (solve->iteration % options->period == 0)
      moved = has_excess_moved (solve);
  }
  make_heights (solve);
  return !moved;
}

void
fs_ladder_solve (const FsLadderRun *run, const FsLadderMethod *method, const void *state,
                 FsLadderNodes *nodes, int64_t n_threads)
{
  Solve solve = { run, method, state, nodes, n_threads, 0, 0 };
  int finished = run->options->stop == FS_LADDER_STOP_EXACT ? run_to_exact_end (&solve)
                                                            : run_to_paper_end (&solve);
  launch (&solve, method->draw);
  run->result->iterations += solve.iteration;
  run->result->finished &= finished;
}
