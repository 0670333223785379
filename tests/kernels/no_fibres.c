/* SPDX-License-Identifier: MIT */
/* Stands for test_fibres.c where it cannot be built, or would be gcc's again: a skip. */
#include <glib.h>

static void
skip (void)
{
  g_test_skip ("needs -Dfibres=true, a C++ compiler, gcc's with gcc and clang's with clang, and no "
               "ThreadSanitizer");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibres", skip);
  return g_test_run ();
}
