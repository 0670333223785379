/* SPDX-License-Identifier: MIT */
/* gates [--jobs N] [--only N] [--tap] [ID …]: the solver's gates, a line each,
 * «GATE id value=… PASS|FAIL».
 *
 *   S1  every cut that the other gates make is proven by its certificate
 *   S2  grids of up to 12 pixels against all 2ⁿ cuts: value and canonical mask   (250,000 · SCALE)
 *   S3  grids up to 256×256 against Boykov & Kolmogorov's code: the same          (51,052 · SCALE)
 *   K   grids up to 70×70, half of them changed and cut once more: the kernels of the CUDA engine,
 *       run on the host, against the CPU                                         (100,000 · SCALE)
 *   M   a thousand small grids side by side, cut, changed and cut again: the kernels, or the
 *       device, against the CPU grid by grid                                        (5,000 · SCALE)
 *   S5  random edit histories, every step against a fresh solve                    (5,000 · SCALE)
 *   S6  any graphs up to 2,000 nodes, cut, changed and cut again, against Boost and Boykov &
 *       Kolmogorov's code                                                         (10,410 · SCALE)
 *   G   any graphs up to 400 nodes, a hundred side by side, cut, changed and cut again: pushing,
 *       or the device, against the search for paths                     (100 · 200 · SCALE)
 *   X   extremes: 1×N, N×1, every capacity at its limit, ties, and planes, with SCALE ≥ 20 of
 *       100 megapixels
 *
 * With SCALE=20 the numbers are those that a nightly run demands. S1 alone means all gates.
 */
#include "tests/gates/crew.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static const Gate *const GATES[] = {
  &gate_brute_force, &gate_independent_code, &gate_kernels,  &gate_histories,
  &gate_graphs,      &gate_any_graphs,       &gate_extremes, &gate_side_by_side,
};

static gboolean tap;
static int n_lines;

static void
say_tap (gboolean pass, const char *id, const char *skipped)
{
  if (tap)
    printf ("%sok %d %s%s%s\n", pass ? "" : "not ", ++n_lines, id, skipped ? " # SKIP " : "",
            skipped ? skipped : "");
}

static gboolean
report (const char *id, const CrewTally *tally, double seconds)
{
  int64_t n_checked = tally->n_expected - tally->n_skipped;
  gboolean pass = tally->n_wrong == 0 && n_checked > 0;
  printf ("%sGATE %s value=%" G_GINT64_FORMAT " wrong of %" G_GINT64_FORMAT, tap ? "# " : "", id,
          tally->n_wrong, n_checked);
  if (tally->n_skipped)
    printf (", %" G_GINT64_FORMAT " skipped", tally->n_skipped);
  printf (" in %.1f s %s\n", seconds, pass ? "PASS" : "FAIL");
  say_tap (pass, id, NULL);
  if (tally->n_skipped) {
    g_autofree char *skipped =
        g_strdup_printf ("%" G_GINT64_FORMAT " for want of memory", tally->n_skipped);
    say_tap (TRUE, id, skipped);
  }
  fflush (stdout);
  return pass;
}

static gboolean
run_gate (const Gate *gate, const CrewOptions *options, CrewTally *proofs)
{
  if (gate->missing) {
    printf ("%sGATE %s SKIP: %s\n", tap ? "# " : "", gate->id, gate->missing);
    say_tap (TRUE, gate->id, gate->missing);
    fflush (stdout);
    return TRUE;
  }
  gint64 begin = g_get_monotonic_time ();
  CrewTally tally = crew_run (gate, options);
  proofs->n_expected += tally.n_proven + tally.n_unproven;
  proofs->n_wrong += tally.n_unproven;
  return report (gate->id, &tally, (double)(g_get_monotonic_time () - begin) / 1e6);
}

static gboolean
run_gates (char **ids, const CrewOptions *options)
{
  gboolean pass = TRUE;
  gboolean all = !ids || (ids[0] && !ids[1] && strcmp (ids[0], "S1") == 0);
  CrewTally proofs = { 0 };
  gint64 begin = g_get_monotonic_time ();
  for (guint i = 0; i < G_N_ELEMENTS (GATES); i++)
    if (all || g_strv_contains ((const char *const *)ids, GATES[i]->id))
      pass &= run_gate (GATES[i], options, &proofs);
  if (proofs.n_expected > 0)
    pass &= report ("S1", &proofs, (double)(g_get_monotonic_time () - begin) / 1e6);
  if (tap)
    printf ("1..%d\n", n_lines);
  return pass;
}

static void
refuse (const char *what, const char *why)
{
  g_printerr ("gates: %s: %s\n", what, why);
  exit (2);
}

static void
check_ids (char **ids)
{
  for (; ids && *ids; ids++) {
    gboolean known = strcmp (*ids, "S1") == 0;
    for (guint i = 0; i < G_N_ELEMENTS (GATES); i++)
      known |= strcmp (*ids, GATES[i]->id) == 0;
    if (!known)
      refuse (*ids, "no such gate; there are G K M S1 S2 S3 S5 S6 X");
  }
}

static int
read_scale (void)
{
  guint64 scale = 1;
  const char *text = g_getenv ("SCALE");
  g_autoptr (GError) error = NULL;
  if (text && !g_ascii_string_to_unsigned (text, 10, 1, 1000, &scale, &error))
    refuse ("SCALE", error->message);
  return (int)scale;
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  CrewOptions options = { .jobs = (int)g_get_num_processors (), .only = -1 };
  g_auto (GStrv) ids = NULL;
  GOptionEntry entries[] = {
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs, "Processes (as many as processors)", "N" },
    { "only", 0, 0, G_OPTION_ARG_INT64, &options.only, "Only check number N of each sort", "N" },
    { "tap", 0, 0, G_OPTION_ARG_NONE, &tap, "Write TAP", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &ids, NULL, "[ID …]" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    refuse ("arguments", error->message);
  if (options.jobs < 1)
    refuse ("--jobs", "at least 1");
  check_ids (ids);
  options.scale = read_scale ();
  return run_gates (ids, &options) ? 0 : 1;
}
