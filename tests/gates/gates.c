/* SPDX-License-Identifier: MIT */
/* gates [--tap] [ID …]: the solver's gates, each a line «GATE id value=… PASS|FAIL».
 *
 *   S1  every cut that the other gates make is proven by its certificate
 *   S2  grids of up to 12 pixels against all 2ⁿ cuts: value and canonical mask   (250,000 · SCALE)
 *   S3  grids up to 256×256 against Boykov & Kolmogorov's code: the same          (52,500 · SCALE)
 *   S5  random edit histories, every step against a fresh solve                    (5,000 · SCALE)
 *   X   extremes: 1×N, N×1, every capacity at its limit, ties, and, with SCALE ≥ 20, 100 megapixels
 *
 * With SCALE=20 the numbers are those that a nightly run demands.
 */
#include "tests/gates/gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Gate GATES[] = {
  { "S2", gate_brute_force },
  { "S3", gate_independent_code },
  { "S5", gate_histories },
  { "X", gate_extremes },
};

static int64_t n_proven, n_unproven;

int
gate_scale (void)
{
  const char *scale = g_getenv ("SCALE");
  return scale ? MAX (1, atoi (scale)) : 1;
}

/* Sanitizers make a check ten times as dear, and look for other things than rare wrong answers. */
int64_t
gate_count (int n)
{
#ifdef FS_SANITIZED
  n = MAX (1, n / 20);
#endif
  return n * (int64_t)gate_scale ();
}

gboolean
gate_solve (FsSolver *solver, FsSolution *solution)
{
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  if (!fs_solver_solve (solver, NULL, solution, &error)
      || !fs_solver_certify (solver, &certificate, &error))
    g_error ("%s", error->message);
  gboolean proven = certificate.holds && solution->exact && certificate.energy == solution->energy;
  if (proven)
    n_proven++;
  else
    n_unproven++;
  return proven;
}

static gboolean
report (const char *id, const GateResult *result, gboolean tap, int number)
{
  gboolean pass = result->n_wrong == 0 && result->n_checked > 0;
  const char *verdict = result->skipped ? "SKIP" : pass ? "PASS" : "FAIL";
  printf ("%sGATE %s value=%" G_GINT64_FORMAT " wrong of %" G_GINT64_FORMAT " %s%s%s\n",
          tap ? "# " : "", id, result->n_wrong, result->n_checked, verdict,
          result->skipped ? ": " : "", result->skipped ? result->skipped : "");
  if (tap && result->skipped)
    printf ("ok %d %s # SKIP %s\n", number, id, result->skipped);
  else if (tap)
    printf ("%s %d %s\n", pass ? "ok" : "not ok", number, id);
  fflush (stdout);
  return pass || result->skipped;
}

static gboolean
is_wanted (const char *id, int argc, char **argv)
{
  gboolean any = FALSE;
  for (int i = 1; i < argc; i++) {
    any |= argv[i][0] != '-';
    if (strcmp (argv[i], id) == 0)
      return TRUE;
  }
  return !any;
}

int
main (int argc, char **argv)
{
  gboolean tap = argc > 1 && strcmp (argv[1], "--tap") == 0;
  gboolean pass = TRUE;
  int number = 0;
  for (guint i = 0; i < G_N_ELEMENTS (GATES); i++) {
    if (!is_wanted (GATES[i].id, argc, argv))
      continue;
    GateResult result = { 0 };
    GATES[i].run (&result);
    pass &= report (GATES[i].id, &result, tap, ++number);
  }
  GateResult proofs = { .n_wrong = n_unproven, .n_checked = n_proven + n_unproven };
  pass &= report ("S1", &proofs, tap, ++number);
  if (tap)
    printf ("1..%d\n", number);
  return pass ? 0 : 1;
}
