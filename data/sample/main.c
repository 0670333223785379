/* SPDX-License-Identifier: MIT */
/* sample-render DIRECTORY: renders the sample photo, its truth and its strokes into a directory.
 * Takes many minutes; the files in the repository are its output. */
#include "files.h"
#include "render.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define N_THREADS    4
#define JPEG_QUALITY 90

typedef struct {
  atomic_int next_row;
  uint8_t *rgb;   /* [height · width · 3] */
  uint8_t *truth; /* [height · width]     */
} Job;

static void *
render_rows (void *data)
{
  Job *job = data;
  for (;;) {
    int y = atomic_fetch_add (&job->next_row, 1);
    if (y >= SAMPLE_HEIGHT)
      return NULL;
    size_t at = (size_t)y * SAMPLE_WIDTH;
    render_rectangle (0, y, SAMPLE_WIDTH, 1, job->rgb + 3 * at, job->truth + at);
    fprintf (stderr, "\r%d of %d rows ", y + 1, SAMPLE_HEIGHT);
  }
}

static void
render_photo (Job *job)
{
  pthread_t threads[N_THREADS];
  int n_started = 0;
  while (n_started < N_THREADS && pthread_create (&threads[n_started], NULL, render_rows, job) == 0)
    n_started++;
  render_rows (job);
  for (int i = 0; i < n_started; i++)
    pthread_join (threads[i], NULL);
  fputc ('\n', stderr);
}

static const char *
path_in (const char *directory, const char *name)
{
  static char path[4096];
  snprintf (path, sizeof path, "%s/%s", directory, name);
  return path;
}

int
main (int argc, char **argv)
{
  if (argc != 2) {
    fprintf (stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  size_t n = (size_t)SAMPLE_WIDTH * SAMPLE_HEIGHT;
  Job job = { .rgb = malloc (3 * n), .truth = malloc (n) };
  uint8_t *seeds = calloc (n, 1);
  if (!job.rgb || !job.truth || !seeds)
    return 1;
  draw_strokes (seeds);
  render_photo (&job);
  bool written =
      write_seeds_png (path_in (argv[1], "seeds.png"), seeds, SAMPLE_WIDTH, SAMPLE_HEIGHT)
      && write_grey_png (path_in (argv[1], "truth.png"), job.truth, SAMPLE_WIDTH, SAMPLE_HEIGHT)
      && write_jpeg (path_in (argv[1], "sample.jpg"), job.rgb, SAMPLE_WIDTH, SAMPLE_HEIGHT,
                     JPEG_QUALITY);
  free (seeds);
  free (job.truth);
  free (job.rgb);
  return written ? 0 : 1;
}
