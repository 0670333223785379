/* SPDX-License-Identifier: MIT */
/* Shards: each item is of one, and only what is well formed is one. */
#include "app/files/shard.h"

static void
test_parse (void)
{
  FsShard shard = { 9, 9 };
  g_assert_true (fs_shard_parse ("2/3", &shard));
  g_assert_cmpuint (shard.k, ==, 2);
  g_assert_cmpuint (shard.n, ==, 3);
  g_assert_true (fs_shard_parse ("1000000/1000000", &shard));
  static const char *const bad[] = {
    "",     "1",    "/",     "1/",   "/1",   "0/1", "2/1",   "-1/2",      "+1/2",
    "1/2 ", " 1/2", "1/2/3", "01/2", "1/02", "a/b", "1.0/2", "1/1000001", "4294967297/4294967297",
    "1/0"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    if (fs_shard_parse (bad[i], &shard))
      g_error ("%s is taken for a shard", bad[i]);
  g_assert_cmpuint (shard.n, ==, 1000000);
  g_assert_true (fs_shard_parse (NULL, &shard));
  g_assert_cmpuint (shard.n, ==, 0);
}

static void
test_takes (void)
{
  const FsShard all = { 0 };
  for (gsize place = 0; place < 40; place++) {
    g_assert_true (fs_shard_takes (&all, place));
    for (guint n = 1; n < 9; n++) {
      guint n_takers = 0;
      for (guint k = 1; k <= n; k++) {
        const FsShard shard = { k, n };
        n_takers += fs_shard_takes (&shard, place) ? 1 : 0;
      }
      g_assert_cmpuint (n_takers, ==, 1);
    }
  }
  const FsShard second = { 2, 3 };
  g_assert_true (fs_shard_takes (&second, 1) && fs_shard_takes (&second, 4));
}

static void
test_keep (void)
{
  static const char *const names[] = { "b", "\303\244", "a10", "a2", "B" };
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_ptr_array_add (list, (gpointer)names[i]);
  fs_shard_sort (list); /* B a10 a2 b ä */
  const FsShard shard = { 2, 2 };
  fs_shard_keep (&shard, list);
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (list->pdata[0], ==, "a10");
  g_assert_cmpstr (list->pdata[1], ==, "b");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shard/parse", test_parse);
  g_test_add_func ("/shard/takes", test_takes);
  g_test_add_func ("/shard/keep", test_keep);
  return g_test_run ();
}
