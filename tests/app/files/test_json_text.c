/* SPDX-License-Identifier: MIT */
/* JSON that is no JSON: where it is, and what is wrong there, in sentences of the program's own. */
#include "app/files/json_text.h"

#include <string.h>

static void
check (const char *text, gsize n_bytes, FsJsonNames names, const char *expected)
{
  char *reason = NULL;
  json_t *root = fs_json_parse (text, n_bytes, names, &reason);
  g_assert_cmpstr (reason, ==, expected);
  g_assert_true ((root == NULL) == (expected != NULL));
  json_decref (root);
  g_free (reason);
}

#define SYNTAX "a bracket, comma, colon, quote or value is wrong or missing near "

static void
test_reasons (void)
{
  static const struct {
    const char *text, *reason;
  } cases[] = {
    { "{}", NULL },
    { "", "line 1, column 0: the file ends early" },
    { "{ \"a\": [1,\n 2", "line 2, column 2: the file ends early" },
    { "{ \"a\": \"b", "line 1, column 9: the file ends early" },
    { "{ \"a\": 1 \"b\": 2 }", "line 1, column 12: " SYNTAX "“{ \"a\": 1 \"b\"”" },
    { "{\n\"a\": 1,\n}", "line 3, column 1: " SYNTAX "“}”" },
    { "[1, 2}", "line 1, column 6: " SYNTAX "“[1, 2}”" },
    { "[nonsense]", "line 1, column 9: " SYNTAX "“[nonsense”" },
    { "[1] []", "line 1, column 5: the file goes on after the end of its contents" },
    { "[\"\xc3\"]", "line 1, column 2: a text is not UTF-8" },
    { "[\"\\u0000\"]", "line 1, column 9: a text has a NUL character near “[\"\\u0000\"”" },
    { "{\"a\": 1, \"a\": 2}", "line 1, column 12: a name is given twice: {\"a\": 1, \"a\"" },
    { "[99999999999999999999]",
      "line 1, column 21: a number is too large near “[99999999999999999999”" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    check (cases[i].text, strlen (cases[i].text), FS_JSON_UNIQUE_NAMES, cases[i].reason);
  check ("{\"a\": 1, \"a\": 2}", 16, FS_JSON_ANY_NAMES, NULL);
  check (NULL, 0, FS_JSON_ANY_NAMES, "line 1, column 0: the file ends early");
}

/* Every byte of a text changed, and every end cut off: a text that the parser refuses has one line
 * of valid UTF-8, without the parser's own words. */
static void
test_damaged (void)
{
  static const char whole[] =
      "{ \"näme\": [1.5, -2e3, true, null],\r\n  \"b\\u00e4\": { \"c\": \"d\" } }\n";
  const gsize n = strlen (whole);
  for (guint at = 0; at < n; at++)
    for (guint byte = 0; byte <= 256; byte++) {
      g_autofree char *text = g_memdup2 (whole, n), *reason = NULL;
      text[at] = (char)byte;
      json_t *root = fs_json_parse (text, byte == 256 ? at : n, FS_JSON_UNIQUE_NAMES, &reason);
      g_assert_true ((root == NULL) == (reason != NULL));
      json_decref (root);
      if (!reason)
        continue;
      g_assert_true (g_str_has_prefix (reason, "line "));
      g_assert_true (g_utf8_validate (reason, -1, NULL));
      g_assert_null (strpbrk (reason, "\r\n"));
      g_assert_null (strstr (reason, "expected"));
      g_assert_null (strstr (reason, "token"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-text/reasons", test_reasons);
  g_test_add_func ("/json-text/damaged", test_damaged);
  return g_test_run ();
}
