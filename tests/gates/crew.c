/* SPDX-License-Identifier: MIT */
#include "tests/gates/crew.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORKS = 8, MAX_JOBS = 256, MAX_AT_ONCE = 256, MAX_PRINTED = 10, CHUNKS_PER_JOB = 16 };

/* Lies in memory that the processes share. */
typedef struct {
  atomic_llong next[MAX_WORKS]; /* number of the next check that nobody has taken */
  atomic_llong n_right;
  atomic_llong n_wrong;
  atomic_llong n_skipped;
  atomic_llong n_proven;
  atomic_llong n_unproven;
} Board;

static Board *board;
static const CrewOptions *crew_options;

int
crew_scale (void)
{
  return crew_options->scale;
}

static gboolean
count_proof (const FsCertificate *certificate, const FsSolution *solution)
{
  gboolean proven =
      certificate->holds && solution->exact && certificate->energy == solution->energy;
  atomic_fetch_add (proven ? &board->n_proven : &board->n_unproven, 1);
  return proven;
}

gboolean
crew_solve (FsSolver *solver, FsSolution *solution)
{
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  if (!fs_solver_solve (solver, NULL, solution, &error)
      || !fs_solver_certify (solver, &certificate, &error))
    g_error ("%s", error->message);
  return count_proof (&certificate, solution);
}

gboolean
crew_solve_graph (FsGraphSolver *solver, FsSolution *solution)
{
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  if (!fs_graph_solver_solve (solver, NULL, solution, &error)
      || !fs_graph_solver_certify (solver, &certificate, &error))
    g_error ("%s", error->message);
  return count_proof (&certificate, solution);
}

/* Sanitizers make a check ten times as dear, and look for other things than rare wrong answers. */
static int64_t
count_checks (const GateWork *work)
{
  if (work->fixed)
    return work->n;
#ifdef FS_SANITIZED
  return (int64_t)MAX (1, work->n / 40) * crew_options->scale;
#else
  const char *divisor = g_getenv ("FRETSAW_TEST_SHARE");
  return (int64_t)MAX (1, work->n / MAX (1, divisor ? atoi (divisor) : 1)) * crew_options->scale;
#endif
}

static int
n_held (const GateWork *work)
{
  return MAX (1, work->holds);
}

static void
print_failure (const char *id, const char *name, int64_t number)
{
  g_autofree char *n = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  g_printerr ("%s, %s: number %s is wrong (again: gates %s --only %s)\n", id, name, n, id, n);
}

static void
make_check (const Gate *gate, int w, int64_t number)
{
  const GateWork *work = &gate->works[w];
  int n = n_held (work);
  guint32 seed[] = { g_str_hash (gate->id), (guint32)w, (guint32)number };
  g_autoptr (GRand) rand = g_rand_new_with_seed_array (seed, G_N_ELEMENTS (seed));
  /* The mask must not depend on it. */
  fs_solver_set_threads (work->alone ? crew_options->jobs : 1 + (int)(number % 3));
  switch (work->check (rand, work, number)) {
  case GATE_RIGHT:
    atomic_fetch_add (&board->n_right, n);
    break;
  case GATE_SKIPPED:
    atomic_fetch_add (&board->n_skipped, n);
    break;
  default:
    if (atomic_fetch_add (&board->n_wrong, n) < MAX_PRINTED * n)
      print_failure (gate->id, work->name, number);
  }
}

/* Takes and makes checks until none is left. */
static void
work_off (const Gate *gate, gboolean alone)
{
  for (int w = 0; w < gate->n_works; w++) {
    if (gate->works[w].alone != alone)
      continue;
    int64_t n = count_checks (&gate->works[w]);
    int64_t chunk = CLAMP (n / (CHUNKS_PER_JOB * crew_options->jobs), 1, MAX_AT_ONCE);
    int64_t first;
    while ((first = atomic_fetch_add (&board->next[w], chunk)) < n)
      for (int64_t i = first; i < MIN (first + chunk, n); i++)
        make_check (gate, w, i);
  }
}

/* Returns how many of the processes broke down. */
static int
work_off_in_processes (const Gate *gate, int jobs)
{
  int n_broken = 0, n_started = 0;
  while (n_started < jobs) {
    pid_t child = fork ();
    if (child < 0)
      break;
    if (child == 0) {
      work_off (gate, FALSE);
      exit (EXIT_SUCCESS);
    }
    n_started++;
  }
  if (n_started == 0)
    work_off (gate, FALSE);
  for (int i = 0; i < n_started; i++) {
    int status = 0;
    if (wait (&status) < 0 || status == 0)
      continue;
    g_printerr ("%s: a process broke down with status %d\n", gate->id, status);
    n_broken++;
  }
  return n_broken;
}

static int64_t
make_one_of_each (const Gate *gate, int64_t number)
{
  int64_t n_made = 0;
  for (int w = 0; w < gate->n_works; w++)
    if (number < count_checks (&gate->works[w])) {
      make_check (gate, w, number);
      n_made += n_held (&gate->works[w]);
    }
  return n_made;
}

static CrewTally
read_board (int64_t n_expected, int n_broken)
{
  int64_t n_lost = n_expected - board->n_right - board->n_wrong - board->n_skipped;
  /* One that broke down has lost a check, or its sanitizer has something to say about its end. */
  return (CrewTally){ .n_expected = n_expected,
                      .n_wrong = board->n_wrong + MAX (n_lost, n_broken),
                      .n_skipped = board->n_skipped,
                      .n_proven = board->n_proven,
                      .n_unproven = board->n_unproven };
}

CrewTally
crew_run (const Gate *gate, const CrewOptions *options)
{
  g_assert (gate->n_works <= MAX_WORKS);
  CrewOptions own = *options;
  own.jobs = CLAMP (own.jobs, 1, MAX_JOBS);
  crew_options = &own;
  board = mmap (NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (board == MAP_FAILED)
    g_error ("no memory to share");
  int64_t n_expected = 0;
  int n_broken = 0;
  if (own.only >= 0)
    n_expected = make_one_of_each (gate, own.only);
  else {
    for (int w = 0; w < gate->n_works; w++)
      n_expected += count_checks (&gate->works[w]) * n_held (&gate->works[w]);
    if (own.jobs > 1)
      n_broken = work_off_in_processes (gate, own.jobs);
    else
      work_off (gate, FALSE);
    work_off (gate, TRUE);
  }
  CrewTally tally = read_board (n_expected, n_broken);
  munmap (board, sizeof *board);
  return tally;
}
