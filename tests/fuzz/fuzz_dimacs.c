/* SPDX-License-Identifier: MIT */
/* DIMACS files from anywhere: a problem that keeps every promise of dimacs.h, or one sentence. What
 * was read and is small is cut too, and the cut proven. */
#include "app/problems/dimacs.h"
#include "solver/graph/graph_solver.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

enum { MAX_CUT = 2000 };

static void
check_cut (FsDimacs *dimacs)
{
  int64_t constant = 0;
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  FsCertificate certificate;
  if (!fs_graph_fold_terminals (&dimacs->graph, dimacs->source, dimacs->sink, &constant, &error)) {
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
    return;
  }
  g_assert_cmpint (constant, >=, 0);
  g_autoptr (FsGraphSolver) solver =
      fs_graph_solver_new (&fs_graph_backend_cpu, &dimacs->graph, &error);
  g_assert_no_error (error);
  g_assert_true (fs_graph_solver_solve (solver, NULL, &solution, NULL) && solution.exact);
  g_assert_true (fs_graph_solver_certify (solver, &certificate, NULL) && certificate.holds);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  g_assert_true ((dimacs != NULL) == (error == NULL));
  if (dimacs == NULL && !photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  if (dimacs != NULL) {
    g_assert_true (fs_graph_validate (&dimacs->graph, NULL));
    g_assert_cmpuint (dimacs->n_arcs, <=, n_bytes);
    if (dimacs->graph.n_nodes + dimacs->n_arcs <= MAX_CUT)
      check_cut (dimacs);
  }
  close (fd);
  return 0;
}

static const char *const texts[] = {
  "c tiny\np max 4 5\nn 1 s\nn 4 t\na 1 2 3\na 1 3 2\na 2 3 5\na 2 4 2\na 3 4 3\n",
  "p max 3 4\nn 3 s\nn 1 t\n\na 3 2 2147483647\na 2 3 7\na 2 1 9\na 3 1 1",
  "p max 5 5\r\nn 1 s\r\nn 5 t\r\na 1 2 9\r\na 2 2 4\r\na 2 5 9\r\na 5 2 1\r\na 3 4 2\r\n",
  "p max 16777216 268435456\nn 1 s\n",
  "p max 2 0\nn 1 s\nn 2 t\n",
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
