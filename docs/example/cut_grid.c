/* SPDX-License-Identifier: MIT */
/* A grid with capacities of your own: noise taken from a small picture of black and white.
 *
 * A pixel's t-link pulls towards what it shows; n-links of the same capacity join neighbours, so
 * that a pixel alone among others takes their side. Build it with
 *   cc cut_grid.c $(pkg-config --cflags --libs fretsaw) -o cut_grid
 */
#include <fretsaw.h>
#include <stdio.h>

enum { WIDTH = 16, HEIGHT = 8 };

static const char noisy[HEIGHT][WIDTH + 1] = {
  "................", "..#####......#..", "..#######.......", "..##.####..#....",
  "...######.......", "....####........", ".#........#.....", "................",
};

int
main (void)
{
  int32_t tlink[HEIGHT][WIDTH];
  uint16_t east[HEIGHT][WIDTH], south[HEIGHT][WIDTH];
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      tlink[y][x] = noisy[y][x] == '#' ? 10 : -10;
      east[y][x] = south[y][x] = 6; /* those that leave the grid are ignored */
    }

  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.tlink = tlink[0];
  options.nlink[FRETSAW_EAST] = east[0];
  options.nlink[FRETSAW_SOUTH] = south[0];

  uint8_t mask[HEIGHT][WIDTH];
  fretsaw_grid *grid = NULL;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  bool failed = fretsaw_grid_new (NULL, &options, &grid, &error)
                || fretsaw_grid_solve (grid, NULL, &solution, &error)
                || fretsaw_grid_get_mask (grid, mask[0], 0, &error)
                || fretsaw_grid_certify (grid, &certificate, &error);
  fretsaw_grid_free (grid);
  if (failed) {
    fprintf (stderr, "cut_grid: %s\n", error.text);
    return 1;
  }
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++)
      putchar (mask[y][x] ? '#' : '.');
    putchar ('\n');
  }
  printf ("energy %lld, flow %lld, certificate %s\n", (long long)solution.energy,
          (long long)solution.bound, certificate.holds ? "holds" : "does not hold");
  return 0;
}
