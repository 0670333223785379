/* SPDX-License-Identifier: MIT */
/* Many labels: a picture of noisy digits is restored by expansion moves.
 *
 * A label is a digit. It costs the square of its difference to the digit that is there, and
 * neighbours cost the difference of their labels, but no more than 2. Build it with
 *   cc label_grid.c $(pkg-config --cflags --libs fretsaw) -o label_grid
 */
#include <fretsaw.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 12, HEIGHT = 6, LABELS = 10 };

static const char noisy[HEIGHT][WIDTH + 1] = {
  "111219999999", "111111998999", "101111999999", "114111955599", "111111555556", "111122555555",
};

int
main (void)
{
  static int32_t data[LABELS][HEIGHT][WIDTH];
  uint8_t labels[HEIGHT][WIDTH];
  memset (labels, 0, sizeof labels);
  for (int label = 0; label < LABELS; label++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        int difference = noisy[y][x] - '0' - label;
        data[label][y][x] = difference * difference;
      }

  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.n_labels = LABELS;
  options.data = data[0][0];
  options.pair = FRETSAW_TRUNCATED_LINEAR;
  options.scale = 2;
  options.truncation = 2;

  fretsaw_expansion *expansion = NULL;
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  bool failed = fretsaw_expansion_new (NULL, &options, &expansion, &error)
                || fretsaw_expansion_run (expansion, labels[0], NULL, &labelling, &error);
  fretsaw_expansion_free (expansion);
  if (failed) {
    fprintf (stderr, "label_grid: %s\n", error.text);
    return 1;
  }
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++)
      putchar ('0' + labels[y][x]);
    putchar ('\n');
  }
  printf ("energy %lld%s\n", (long long)labelling.energy,
          labelling.converged ? ", no expansion lowers it" : "");
  return 0;
}
