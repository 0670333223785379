/* SPDX-License-Identifier: MIT */
/* DIMACS problems: reading, and the error of each breach of the format. */
#include "app/problems/dimacs.h"
#include "tests/faults/faults.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;
static char *path; /* of the problem, whose name is odd.max */

static void
save (const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

#define HEAD "c tiny\np max 4 5\nn 1 s\nn 4 t\n"
#define ARCS "a 1 2 3\na 1 3 2\na 2 3 5\na 2 4 2\na 3 4 3\n"

static void
check_tiny (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dimacs->graph.n_nodes, ==, 4);
  g_assert_cmpuint (dimacs->graph.n_edges, ==, 5);
  g_assert_cmpuint (dimacs->n_arcs, ==, 5);
  g_assert_true (dimacs->source == 0 && dimacs->sink == 3);
  const FsGraphEdge third = dimacs->graph.edges[2];
  g_assert_true (third.from == 1 && third.to == 2 && third.capacity == 5 && third.back == 0);
  g_assert_true (fs_graph_validate (&dimacs->graph, NULL));
}

static void
test_spellings (void)
{
  static const char *const spellings[] = {
    HEAD ARCS,
    "c\n\ncc no blank is needed here\np\tmax  4\t5 \nn 4 t\nn 1 s\n\n" ARCS "\n\nc end",
    "p max 4 5\r\nn 1 s\r\nn 4 t\r\na 1 2 3\r\na 1 3 2\r\n\r\na 2 3 5\r\na 2 4 2\r\na 3 4 3",
    HEAD "a 1 2 3\na 1 3 2\na 2 3 0005\na 2 4 2\na 3 4 3",
    "\xef\xbb\xbf" HEAD ARCS,
    "\xef\xbb\xbfp max 4 5\r\n" ARCS "n 4 t\nn 1 s",
    "n 1 s\nc before\np max 4 5\na 1 2 3\na 1 3 2\n  n 4 t\n\ta 2 3 5\na 2 4 2\n a 3 4 3 \n \t\n  ",
  };
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++) {
    save (spellings[i]);
    check_tiny ();
  }
}

static void
test_reverse_arcs_are_joined (void)
{
  save ("p max 3 6\nn 1 s\nn 3 t\na 1 2 3\na 2 1 4\na 1 2 5\na 2 3 6\na 3 2 7\na 2 3 2147483647\n");
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, NULL);
  g_assert_cmpuint (dimacs->n_arcs, ==, 6);
  g_assert_cmpuint (dimacs->graph.n_edges, ==, 4);
  const FsGraphEdge *edges = dimacs->graph.edges;
  g_assert_true (edges[0].capacity == 3 && edges[0].back == 4);
  g_assert_true (edges[1].capacity == 5 && edges[1].back == 0);
  g_assert_true (edges[2].capacity == 6 && edges[2].back == 7);
  g_assert_true (edges[3].capacity == G_MAXINT32 && edges[3].back == 0);
}

static void
refused (FsDimacsError code, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  g_autofree char *expected = g_strdup_printf ("%s: %s", path, reason);
  g_assert_error (error, FS_DIMACS_ERROR, (int)code);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_null (dimacs);
}

static void
test_breaches (void)
{
  static const struct {
    const char *text, *reason;
  } breaches[] = {
    { "", "has no p line: not a DIMACS problem" },
    { "c nothing\n", "has no p line: not a DIMACS problem" },
    { "hello", "line 1: has “h” where “c”, “p”, “n” or “a” should be" },
    { " a 1 2 3", "line 1: an arc before the p line" },
    { "\xef\xbbp max 4 0", "line 1: has the byte 0xef where “c”, “p”, “n” or “a” should be" },
    { "p max 4 0\n\xef\xbb\xbf", "line 2: has the byte 0xef where “c”, “p”, “n” or “a” should be" },
    { "\x89PNG", "line 1: has the byte 0x89 where “c”, “p”, “n” or “a” should be" },
    { "p", "line 1: ends where a blank should be" },
    { "pmax 4 5", "line 1: has “m” where a blank should be" },
    { "p min 4 5", "line 1: has “i” where “max” should be" },
    { "p maxx 4 5", "line 1: has “x” where the number of nodes should be" },
    { "p max 4", "line 1: ends where the number of arcs should be" },
    { "p max 4 5 6\n", "line 1: has “6” where the end of the line should be" },
    { "p max -4 5\n", "line 1: has “-” where the number of nodes should be" },
    { "p max 1 0\n", "line 1: a problem has at least the two terminals" },
    { "p max 4 0\np max 4 0\n", "line 2: a second p line" },
    { "n 1 s\n", "has no p line: not a DIMACS problem" },
    { "n 0 s\n", "line 1: the terminal is 0; nodes are counted from 1" },
    { "a 1 2 3\n", "line 1: an arc before the p line" },
    { "p max 2 1\na 1 2 3\n", "has no source" },
    { "p max 4 0\nn 1 s\n", "has no sink" },
    { "p max 4 0\nn 1 t\n", "has no source" },
    { "p max 4 0\nn 1 s\nn 1 s\n", "line 3: a second source" },
    { "p max 4 0\nn 1 t\nn 2 t\n", "line 3: a second sink" },
    { "p max 4 0\nn 1 s\nn 1 t\n", "source and sink are the same node" },
    { "p max 4 0\nn 0 s\n", "line 2: the terminal is 0; nodes are counted from 1" },
    { "p max 4 0\nn 1 x\n", "line 2: has “x” where “s” or “t” should be" },
    { HEAD "n 2 s\n", "line 5: a second source" },
    { HEAD "a 1 2 3\nn 2 s\n", "line 6: a second source" },
    { HEAD ARCS "a 1 2 3\n", "line 10: one arc more than the 5 of the p line" },
    { HEAD "a 1 2 3\n", "ends after 1 of 5 arcs" },
    { HEAD "a 1 2\n", "line 5: ends where the capacity should be" },
    { HEAD "a 1 2 3.5\n", "line 5: has “.” where the end of a number should be" },
    { HEAD "a 1 2 -3\n", "line 5: has “-” where the capacity should be" },
    { HEAD "a 1 2 3 4\n", "line 5: has “4” where the end of the line should be" },
    { HEAD "a 0 2 3\n", "line 5: the arc's first node is 0; nodes are counted from 1" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (breaches); i++) {
    save (breaches[i].text);
    refused (FS_DIMACS_ERROR_FORMAT, breaches[i].reason);
  }
}

static void
test_limits (void)
{
  static const struct {
    const char *text, *reason;
  } beyond[] = {
    { "p max 16777217 5\n", "line 1: the number of nodes is larger than 16777216" },
    { "p max 4 268435457\n", "line 1: the number of arcs is larger than 268435456" },
    { "p max 4 99999999999999999999999999\n",
      "line 1: the number of arcs is larger than 268435456" },
    { "n 5 s\nn 1 t\np max 4 0\n", "the terminal 5 is larger than 4" },
    { "n 2 s\nn 16777217 t\n", "line 2: the terminal is larger than 16777216" },
    { HEAD "a 1 5 3\n", "line 5: the arc's second node is larger than 4" },
    { HEAD "a 1 2 2147483648\n", "line 5: the capacity is larger than 2147483647" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (beyond); i++) {
    save (beyond[i].text);
    refused (FS_DIMACS_ERROR_LIMIT, beyond[i].reason);
  }
}

/* A few bytes can claim gigabytes. */
static void
test_false_claims (void)
{
  save ("p max 4 268435456\n");
  refused (FS_DIMACS_ERROR_FORMAT, "line 1: 268435456 arcs are more than 18 bytes can describe");
}

static void
test_memory_ends (void)
{
  save (HEAD ARCS);
  for (int i = 0; i < 2; i++) {
    fault_memory_after (i, FALSE);
    refused (FS_DIMACS_ERROR_LIMIT, i == 0 ? "line 2: not enough memory for 4 nodes and 5 arcs"
                                           : "not enough memory for 4 nodes and 5 arcs");
    fault_memory_after (-1, FALSE);
  }
}

/* More nodes than the file has bytes: those that no arc touches take nothing. */
static void
test_few_arcs (void)
{
  save ("p max 16777216 3\nn 16777216 s\nn 7 t\na 16777216 500 9\na 500 7 4\na 900 500 1\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  g_assert_no_error (error);
  const uint32_t nodes[] = { 6, 499, 899, 16777215 };
  g_assert_cmpuint (dimacs->n_nodes, ==, 16777216);
  g_assert_cmpuint (dimacs->graph.n_nodes, ==, 4);
  g_assert_cmpmem (dimacs->node, sizeof nodes, nodes, sizeof nodes);
  g_assert_true (dimacs->source == 3 && dimacs->sink == 0);
  const FsGraphEdge *edges = dimacs->graph.edges;
  g_assert_true (edges[0].from == 3 && edges[0].to == 1 && edges[0].capacity == 9);
  g_assert_true (edges[1].from == 1 && edges[1].to == 0 && edges[2].from == 2);
  g_assert_true (fs_graph_validate (&dimacs->graph, NULL));
}

static void
test_other_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *none = g_build_filename (folder, "none.max", NULL);
  g_assert_null (fs_dimacs_load (none, &error));
  g_assert_error (error, FS_DIMACS_ERROR, FS_DIMACS_ERROR_READ);
  g_assert_true (g_str_has_prefix (error->message, none));
  g_clear_error (&error);
  g_assert_null (fs_dimacs_load (folder, &error));
  g_assert_error (error, FS_DIMACS_ERROR, FS_DIMACS_ERROR_READ);
  g_clear_error (&error);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (fs_dimacs_load (pipe, &error));
  g_assert_error (error, FS_DIMACS_ERROR, FS_DIMACS_ERROR_READ);
  g_unlink (pipe);
}

/* Lines that lie across the ends of the reader's buffer. */
static void
test_long_file (void)
{
  enum { N = 20000 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "p max %d %d\nn 1 s\nn %d t\n", N, N - 1, N);
  for (int i = 1; i < N; i++)
    g_string_append_printf (text, "c%*s\na %d %d %d\n", i % 97, "", i, i + 1, i + 7);
  save (text->str);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dimacs->graph.n_edges, ==, N - 1);
  for (uint32_t i = 0; i < N - 1; i++)
    g_assert_true (dimacs->graph.edges[i].from == i && dimacs->graph.edges[i].to == i + 1
                   && dimacs->graph.edges[i].capacity == (int32_t)i + 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fretsaw-dimacs-XXXXXX", NULL);
  path = g_build_filename (folder, "odd.max", NULL);
  g_test_add_func ("/app/dimacs/spellings", test_spellings);
  g_test_add_func ("/app/dimacs/reverse-arcs-are-joined", test_reverse_arcs_are_joined);
  g_test_add_func ("/app/dimacs/breaches", test_breaches);
  g_test_add_func ("/app/dimacs/limits", test_limits);
  g_test_add_func ("/app/dimacs/false-claims", test_false_claims);
  g_test_add_func ("/app/dimacs/memory-ends", test_memory_ends);
  g_test_add_func ("/app/dimacs/few-arcs", test_few_arcs);
  g_test_add_func ("/app/dimacs/other-files", test_other_files);
  g_test_add_func ("/app/dimacs/long-file", test_long_file);
  int failed = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return failed;
}
