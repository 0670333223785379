/* SPDX-License-Identifier: MIT */
/* Contexts with a device, over the kernels' twin on the host: a device that fails is given up, the
 * results stay the same, and the context says so. */
#include "library/fretsaw.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"

#include <string.h>

enum { WIDTH = 70, HEIGHT = 40, N = WIDTH * HEIGHT, N_CALLS = 30 };

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

static fretsaw_context *
make_context (const char *device)
{
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  fretsaw_context *context;
  fretsaw_error error;
  options.device = device;
  ok (fretsaw_context_new (&options, &context, &error), &error);
  return context;
}

/* Two cuts, of which the second is in the mask. */
static void
cut (fretsaw_context *context, uint8_t *mask)
{
  static int32_t tlink[N];
  static uint16_t nlink[N];
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_tlink_change changes[WIDTH];
  fretsaw_grid *grid;
  fretsaw_error error;
  for (int p = 0; p < N; p++) {
    tlink[p] = g_rand_int_range (rand, -300, 300);
    nlink[p] = (uint16_t)g_rand_int_range (rand, 0, 200);
  }
  for (uint32_t p = 0; p < WIDTH; p++)
    changes[p] = (fretsaw_tlink_change){ p + N / 2, 5000 };
  options.width = WIDTH;
  options.height = HEIGHT;
  options.tlink = tlink;
  options.nlink[0] = options.nlink[1] = nlink;
  ok (fretsaw_grid_new (context, &options, &grid, &error), &error);
  ok (fretsaw_grid_solve (grid, NULL, NULL, &error), &error);
  ok (fretsaw_grid_change_tlinks (grid, changes, WIDTH, &error), &error);
  ok (fretsaw_grid_solve (grid, NULL, NULL, &error), &error);
  ok (fretsaw_grid_get_mask (grid, mask, 0, &error), &error);
  fretsaw_grid_free (grid);
}

static void
test_fails (void)
{
  uint8_t mask[N], expected[N];
  int n_failed = 0;
  cut (NULL, expected);
  for (int i = 0; i < N_CALLS; i++) {
    fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
    fs_cuda_use_table (fs_engine_host ());
    fretsaw_context *device = make_context ("cuda"), *cpu = make_context ("cpu");
    g_assert_cmpstr (fretsaw_context_get_device (device), ==, "the kernels on the host");
    fs_engine_host_fail_after (i, FALSE, FS_ENGINE_FAILED);
    cut (device, mask);
    g_assert_cmpmem (mask, N, expected, N);
    gboolean has_failed = strstr (fretsaw_context_get_device (device), "made to fail") != NULL;
    g_assert_true (has_failed
                   || strcmp (fretsaw_context_get_device (device), "the kernels on the host") == 0);
    g_assert_true (g_str_has_prefix (fretsaw_context_get_device (cpu), "CPU"));
    n_failed += has_failed;
    fretsaw_context_free (device);
    fretsaw_context_free (cpu);
  }
  g_assert_cmpint (n_failed, >, 1);
  g_assert_cmpint (n_failed, <, N_CALLS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/device/fails", test_fails);
  return g_test_run ();
}
