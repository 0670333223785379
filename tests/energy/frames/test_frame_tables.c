/* SPDX-License-Identifier: MIT */
/* Bands in link tables, cut by the kernels' twin: the processor's cut of the filled planes, in
 * every order, one band after another in the same memory. */
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/energy/frames/frame_tables_cases.h"
#include "tests/faults/faults.h"

static FsCudaBand *
new_device (guint32 seed)
{
  FsBandSpace space = fs_frame_tables_space ();
  fs_engine_host_set_seed (seed);
  fs_cuda_use_table (fs_engine_host ());
  FsCudaBand *device = fs_cuda_band_new (&space);
  g_assert_nonnull (device);
  return device;
}

static void
test_bands (void)
{
  static const int SIDES[][2] = { { 40, 30 }, { 64, 96 }, { 150, 70 }, { 31, 33 }, { 200, 160 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  size_t n_tiles = 0, n_free = 0, n_object = 0;
  for (guint32 seed = 0; seed < 4; seed++) {
    g_autoptr (FsCudaBand) device = new_device (seed * 77);
    for (int i = 0; i < 20; i++) {
      FsFrameTablesCase c;
      fs_frame_tables_case_init (&c, rand, SIDES[i % 5][0], SIDES[i % 5][1]);
      g_assert_true (fs_frame_tables_case_check (&c, device));
      n_tiles += (size_t)c.tables.n_tiles;
      n_free += c.band.n_free;
      for (int p = 0; p < c.band.width * c.band.height; p++)
        n_object += c.band.state[p] == FS_FRAME_FREE && c.expected[p];
      fs_frame_tables_case_clear (&c);
    }
  }
  g_assert_null (fs_cuda_notice ());
  g_assert_cmpuint (n_tiles, >, 300);
  g_assert_cmpuint (n_object, >, n_free / 10);
  g_assert_cmpuint (n_object, <, n_free - n_free / 10);
  fs_cuda_use_table (NULL);
}

/* The tiles are those that hold free pixels, and no others. */
static void
test_tiles (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int i = 0; i < 30; i++) {
    FsFrameTablesCase c;
    fs_frame_tables_case_init (&c, rand, 170, 90);
    g_autofree gboolean *holds = g_new0 (gboolean, c.tables.columns * c.tables.rows);
    int n = 0;
    for (int y = 0; y < c.band.height; y++)
      for (int x = 0; x < c.band.width; x++)
        if (c.band.state[y * c.band.width + x] == FS_FRAME_FREE)
          holds[y / FS_BAND_TILE * c.tables.columns + x / FS_BAND_TILE] = TRUE;
    for (int t = 0; t < c.tables.columns * c.tables.rows; t++) {
      g_assert_cmpint (c.tables.places[t], ==, holds[t] ? n : -1);
      if (holds[t])
        g_assert_cmpuint (c.tables.tiles[n++], ==, (guint)t);
    }
    g_assert_cmpint (c.tables.n_tiles, ==, n);
    fs_frame_tables_case_clear (&c);
  }
}

/* Where a call fails the device is given up, whatever comes after. */
static void
test_failures (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  FsFrameTablesCase c;
  FsBandSpace space = fs_frame_tables_space ();
  fs_frame_tables_case_init (&c, rand, 60, 50);
  for (int n = 0; n < 3; n++) {
    fs_cuda_use_table (fs_engine_host ());
    g_assert_true (fs_cuda_is_available (NULL));
    fs_engine_host_fail_after (n, FALSE, FS_ENGINE_FAILED);
    g_autoptr (FsCudaBand) device = fs_cuda_band_new (&space);
    g_assert_true ((device == NULL) == (n == 0));
    if (device) {
      g_assert_false (fs_frame_tables_case_check (&c, device));
      g_assert_false (fs_frame_tables_case_check (&c, device));
    }
    g_assert_cmpstr (fs_cuda_notice (), !=, NULL);
  }
  fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
  fs_cuda_use_table (fs_engine_host ());
  g_assert_true (fs_cuda_is_available (NULL));
  fault_memory_after (0, FALSE);
  g_assert_null (fs_cuda_band_new (&space));
  fault_memory_after (-1, FALSE);
  fs_cuda_use_table (NULL);
  fs_frame_tables_case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-tables/bands", test_bands);
  g_test_add_func ("/frame-tables/tiles", test_tiles);
  g_test_add_func ("/frame-tables/failures", test_failures);
  return g_test_run ();
}
