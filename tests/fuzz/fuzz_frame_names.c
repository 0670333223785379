/* SPDX-License-Identifier: MIT */
/* Patterns of frame names from anywhere, and names that may be some of theirs: every number has one
 * name, every name at most one number. The input is a pattern, a line end, and a name. */
#include "app/frames/list/frame_names.h"
#include "app/frames/list/frames.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void
check_number (const FsFrameNames *names, guint64 number)
{
  guint64 found = 0;
  g_autofree char *name = fs_frame_names_expand (names, number);
  g_assert_true (fs_frame_names_match (names, name, &found));
  g_assert_cmpuint (found, ==, number);
}

static void
check_name (const FsFrameNames *names, const char *name)
{
  guint64 number = 0;
  if (!fs_frame_names_match (names, name, &number))
    return;
  g_autofree char *expanded = fs_frame_names_expand (names, number);
  g_assert_cmpstr (expanded, ==, name);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autofree char *pattern = g_strndup ((const char *)bytes, n_bytes);
  char *end = strchr (pattern, '\n');
  const char *name = end ? end + 1 : "";
  if (end)
    *end = '\0';
  g_auto (FsFrameNames) names = { 0 };
  g_autoptr (GError) error = NULL;
  if (!fs_frame_names_init (&names, pattern, &error)) {
    g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_PATTERN);
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    return 0;
  }
  g_assert_no_error (error);
  static const guint64 numbers[] = { 0, 7, 10, 999, 1000, 999999999999999999u };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check_number (&names, numbers[i]);
  check_name (&names, name);
  return 0;
}

static const char *const texts[] = {
  "shot-%04d.png\nshot-0012.png",
  "shot-%d.png\nshot-12.png",
  "%018d\n999999999999999999",
  "1%02d1\n11111",
  "%d%d\n12",
  "%s%n\n",
  "%0d.png\n0.png",
  "a%d\na007",
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
