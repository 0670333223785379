/* SPDX-License-Identifier: MIT */
/* T-links that change: a solve after a change costs what has changed.
 *
 * A row of pixels with the object at its left end and background at its right one; the cut runs
 * through the cheapest n-link between them. Pixel by pixel is then tied to the object, as a stroke
 * would, and the cut goes on to the cheapest n-link that is left. Build it with
 *   cc change_tlinks.c $(pkg-config --cflags --libs fretsaw) -o change_tlinks
 */
#include <fretsaw.h>
#include <stdio.h>

enum { WIDTH = 8, STRONG = 1000 };

static bool
solve_and_print (fretsaw_grid *grid, fretsaw_error *error)
{
  uint8_t mask[WIDTH];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  if (fretsaw_grid_solve (grid, NULL, &solution, error)
      || fretsaw_grid_get_mask (grid, mask, 0, error))
    return false;
  for (int x = 0; x < WIDTH; x++)
    putchar (mask[x] ? '#' : '.');
  printf (" energy %lld\n", (long long)solution.energy);
  return true;
}

int
main (void)
{
  const int32_t tlink[WIDTH] = { STRONG, 0, 0, 0, 0, 0, 0, -STRONG };
  const uint16_t east[WIDTH] = { 9, 2, 7, 3, 8, 5, 6, 0 }, south[WIDTH] = { 0 };
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  options.width = WIDTH;
  options.height = 1;
  options.tlink = tlink;
  options.nlink[FRETSAW_EAST] = east;
  options.nlink[FRETSAW_SOUTH] = south;

  fretsaw_grid *grid = NULL;
  fretsaw_error error;
  bool done = fretsaw_grid_new (NULL, &options, &grid, &error) == FRETSAW_OK
              && solve_and_print (grid, &error);
  for (uint32_t pixel = 2; done && pixel <= 6; pixel += 2) {
    const fretsaw_tlink_change change = { pixel, STRONG };
    done = fretsaw_grid_change_tlinks (grid, &change, 1, &error) == FRETSAW_OK
           && solve_and_print (grid, &error);
  }
  fretsaw_grid_free (grid);
  if (!done)
    fprintf (stderr, "change_tlinks: %s\n", error.text);
  return !done;
}
