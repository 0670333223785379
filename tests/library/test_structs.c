/* SPDX-License-Identifier: MIT */
/* Structs that begin with their size, from callers that were compiled with an older or a newer
 * header: of each only the fields that both sides know are read or written. */
#include "library/library.h"

#include <string.h>

/* The same struct in three versions of a header. */
typedef struct {
  size_t size;
  int32_t a;
  bool b;
} First;

typedef struct {
  size_t size;
  int32_t a;
  bool b;
  int64_t c;
} Present;

typedef struct {
  size_t size;
  int32_t a;
  bool b;
  int64_t c;
  double d;
} Later;

#define PRESENT FS_LIBRARY_STRUCT (Present, b)

static void
test_first_size (void)
{
  g_assert_cmpint (FS_LIBRARY_FIRST_SIZE (Present, b), ==, sizeof (First));
  g_assert_cmpint (FS_LIBRARY_FIRST_SIZE (Later, c), ==, sizeof (Present));
  g_assert_cmpint (FS_LIBRARY_FIRST_SIZE (Later, d), ==, sizeof (Later));
}

static void
test_options (void)
{
  fretsaw_error error;
  Present own;
  /* On the heap, so that a reader beyond the end is found. */
  First *first = g_new (First, 1);
  *first = (First){ sizeof *first, 3, true };
  memset (&own, 255, sizeof own);
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, first, &error), ==, FRETSAW_OK);
  g_assert_true (own.a == 3 && own.b && own.c == 0);
  first->size--;
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, first, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==,
                   "Present.size is 15; it must be sizeof of the struct, which is 24");
  first->size = 0;
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, first, &error), ==, FRETSAW_INVALID);
  g_free (first);

  Later later = { sizeof later, 4, false, 5, 0 };
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, &later, &error), ==, FRETSAW_OK);
  g_assert_true (own.a == 4 && !own.b && own.c == 5);
  later.d = 1;
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, &later, &error), ==, FRETSAW_UNSUPPORTED);
  g_assert_cmpint (fs_library_take_struct (&own, PRESENT, NULL, &error), ==, FRETSAW_OK);
  g_assert_true (own.a == 0 && !own.b && own.c == 0);
}

static void
test_results (void)
{
  fretsaw_error error;
  const Present own = { .a = 6, .b = true, .c = 7 };
  First *first = g_new (First, 1);
  *first = (First){ sizeof *first, 0, false };
  g_assert_cmpint (fs_library_check_result (first, PRESENT, &error), ==, FRETSAW_OK);
  fs_library_give_struct (first, &own, sizeof own);
  g_assert_true (first->size == sizeof *first && first->a == 6 && first->b);
  first->size = 8;
  g_assert_cmpint (fs_library_check_result (first, PRESENT, &error), ==, FRETSAW_INVALID);
  g_free (first);

  Later later = { sizeof later, 0, false, 0, 0.5 };
  g_assert_cmpint (fs_library_check_result (&later, PRESENT, &error), ==, FRETSAW_OK);
  fs_library_give_struct (&later, &own, sizeof own);
  g_assert_true (later.size == sizeof later && later.a == 6 && later.b && later.c == 7);
  g_assert_cmpfloat (later.d, ==, 0.5);
  g_assert_cmpint (fs_library_check_result (NULL, PRESENT, &error), ==, FRETSAW_OK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/structs/first-size", test_first_size);
  g_test_add_func ("/library/structs/options", test_options);
  g_test_add_func ("/library/structs/results", test_results);
  return g_test_run ();
}
