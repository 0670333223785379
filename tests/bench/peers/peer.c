/* SPDX-License-Identifier: MIT */
/* The frame of a run:
 *
 *   PEER PROBLEM RESULT [small]
 *
 * RESULT gets the bytes of the mask or labels. With `small` the process gets no huge pages. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static double phase_began;

static double
processor_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void
peer_end_phase (const char *phase)
{
  double now = processor_ms ();
  printf ("\"%s\": %.3f, ", phase, now - phase_began);
  phase_began = processor_ms ();
}

void
peer_fail (const char *message)
{
  fprintf (stderr, "%s\n", message);
  exit (1);
}

/* VmHWM or VmRSS, in megabytes. */
static double
memory_mb (const char *field)
{
  char line[256];
  double mb = 0;
  FILE *file = fopen ("/proc/self/status", "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, field, strlen (field)) == 0)
      mb = atof (line + strlen (field) + 1) * 1024 / 1e6;
  if (file != NULL)
    fclose (file);
  return mb;
}

static void *
read_plane (FILE *file, size_t n, size_t size)
{
  void *plane = malloc (n * size);
  if (plane == NULL || fread (plane, size, n, file) != n)
    peer_fail ("the problem cannot be read");
  return plane;
}

static PeerProblem
read_problem (const char *path)
{
  PeerProblem problem = { 0 };
  int32_t shape[4];
  FILE *file = fopen (path, "rb");
  if (file == NULL || fread (shape, sizeof shape, 1, file) != 1)
    peer_fail ("the problem cannot be read");
  problem.width = shape[0];
  problem.height = shape[1];
  problem.neighbours = shape[2];
  problem.n_labels = shape[3];
  size_t n = peer_pixels (&problem), n_labels = (size_t)problem.n_labels;
  problem.data = read_plane (file, n * (n_labels > 0 ? n_labels : 1), sizeof (int32_t));
  for (int d = 0; d < problem.neighbours / 2; d++)
    problem.nlink[d] = read_plane (file, n, sizeof (uint16_t));
  problem.table = read_plane (file, n_labels * n_labels, sizeof (int32_t));
  fclose (file);
  return problem;
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    peer_fail ("usage: PEER PROBLEM RESULT [small]");
  if (argc > 3 && prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
    peer_fail ("huge pages cannot be switched off");
  PeerProblem problem = read_problem (argv[1]);
  size_t n = peer_pixels (&problem);
  uint8_t *result = malloc (n);
  if (result == NULL)
    peer_fail ("not enough memory");
  memset (result, 0, n);
  double before = memory_mb ("VmRSS");
  putchar ('{');
  phase_began = processor_ms ();
  int64_t value = peer_run (&problem, result);
  printf ("\"mb\": %.1f, \"value\": %lld}\n", memory_mb ("VmHWM") - before, (long long)value);
  FILE *file = fopen (argv[2], "wb");
  if (file == NULL || fwrite (result, 1, n, file) != n || fclose (file) != 0)
    peer_fail ("the result cannot be written");
  return 0;
}
