/* SPDX-License-Identifier: MIT */
/* The live loop's state machine: every combination of states and inputs. */
#include "app/live/live_step.h"
#include "solver/solver.h"

enum { ALL = (1 << FS_LIVE_N_INPUTS) - 1, N_MASKS = FS_MASK_FINAL + 1, N_FITS = FS_FIT_STALE + 1 };

#define MASK(name) (1u << FS_MASK_##name)
#define FIT(name)  (1u << FS_FIT_##name)

enum {
  ANY_MASK = (1 << N_MASKS) - 1,
  ANY_FIT = (1 << N_FITS) - 1,
};
#define NO_CUT (MASK (FAILED) | MASK (UNMADE))
#define COLD   (MASK (COLD) | MASK (COARSE) | MASK (PREVIEWED))
#define SOLVED (MASK (EXACT) | MASK (FINAL))
#define BACK   (FIT (READY) | FIT (STALE))

/* What must hold for a step to be next; the first rule that fits decides. `none`: no bit of it is
 * set; `all`: every bit is. */
typedef struct {
  guint masks, fits;
  guint all, none;
  FsLiveStep step;
} Rule;

static const guint brush = FS_LIVE_DRAWING, painted = FS_LIVE_PAINTED, shown = FS_LIVE_SHOWN;

static gboolean
matches (const Rule *rule, FsMaskState mask, FsFitState fit, guint inputs)
{
  return (rule->masks >> mask & 1) && (rule->fits >> fit & 1) && (inputs & rule->all) == rule->all
         && !(inputs & rule->none);
}

/* The table of the machine, written apart from its code. */
static FsLiveStep
expected_step (FsMaskState mask, FsFitState fit, guint inputs, guint *n_hits)
{
  const guint doubled = FS_LIVE_DOUBLED, unfitted = FS_LIVE_UNFITTED;
  const Rule rules[] = {
    { MASK (FAILED), ANY_FIT, 0, 0, FS_LIVE_STEP_NONE },
    { MASK (UNMADE), ANY_FIT, 0, 0, FS_LIVE_STEP_MAKE },
    { ANY_MASK, ANY_FIT, FS_LIVE_OUTLINE | shown, 0, FS_LIVE_STEP_MAKE_OUTLINE },
    /* without evidence */
    { MASK (EMPTY), FIT (NONE) | FIT (RUNNING), shown, FS_LIVE_EVIDENCE | painted,
      FS_LIVE_STEP_NONE },
    { ANY_MASK, ANY_FIT, 0, FS_LIVE_EVIDENCE, FS_LIVE_STEP_CLEAR },
    /* a fit */
    { ANY_MASK, FIT (RUNNING) | FIT (READY), FS_LIVE_FIT_PREVIEW, brush | painted | unfitted,
      FS_LIVE_STEP_SHOW_FIT },
    { ANY_MASK, BACK, 0, brush, FS_LIVE_STEP_TAKE_FIT },
    { ANY_MASK, BACK, FS_LIVE_NEW_SIDE, 0, FS_LIVE_STEP_TAKE_FIT },
    /* the shown mask */
    { MASK (EMPTY), ANY_FIT, 0, 0, FS_LIVE_STEP_FIT },
    { COLD, ANY_FIT, shown | brush | doubled, painted, FS_LIVE_STEP_FIT },
    { COLD, ANY_FIT, shown | unfitted, painted | brush, FS_LIVE_STEP_FIT },
    { COLD | MASK (CHANGED), ANY_FIT, 0, 0, FS_LIVE_STEP_UPDATE },
    { SOLVED, ANY_FIT, 0, shown, FS_LIVE_STEP_UPDATE },
    { SOLVED, ANY_FIT, painted, 0, FS_LIVE_STEP_UPDATE },
    { MASK (EXACT), FIT (NONE), FS_LIVE_REFINABLE, unfitted | brush, FS_LIVE_STEP_REFINE },
    { MASK (EXACT), FIT (NONE), 0, unfitted, FS_LIVE_STEP_UPDATE },
    { SOLVED, FIT (NONE), brush | doubled, 0, FS_LIVE_STEP_UPDATE },
    { SOLVED, FIT (NONE), unfitted, brush, FS_LIVE_STEP_UPDATE },
    { SOLVED, ANY_FIT, 0, 0, FS_LIVE_STEP_NONE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (matches (&rules[i], mask, fit, inputs)) {
      n_hits[i]++;
      return rules[i].step;
    }
  g_error ("no rule for mask %d, fit %d, inputs %x", mask, fit, inputs);
}

typedef void (*Check) (FsMaskState mask, FsFitState fit, guint inputs, gpointer data);

static void
for_each_combination (Check check, gpointer data)
{
  for (int mask = 0; mask < N_MASKS; mask++)
    for (int fit = 0; fit < N_FITS; fit++)
      for (guint inputs = 0; inputs <= ALL; inputs++)
        check ((FsMaskState)mask, (FsFitState)fit, inputs, data);
}

static void
check_step (FsMaskState mask, FsFitState fit, guint inputs, gpointer data)
{
  FsLiveStep step = fs_live_next_step (mask, fit, inputs);
  FsLiveStep expected = expected_step (mask, fit, inputs, data);
  if (step != expected)
    g_error ("mask %d, fit %d, inputs %x: step %d, not %d", mask, fit, inputs, step, expected);
}

/* No rule is there for nothing. */
static void
test_table (void)
{
  guint n_hits[19] = { 0 };
  for_each_combination (check_step, n_hits);
  for (guint i = 0; i < G_N_ELEMENTS (n_hits); i++)
    g_assert_cmpuint (n_hits[i], >, 0);
}

/* What a person relies on, whatever the table says. */
static void
check_promises (FsMaskState mask, FsFitState fit, guint inputs, gpointer data)
{
  FsLiveStep step = fs_live_next_step (mask, fit, inputs);
  if (NO_CUT >> mask & 1)
    return;
  if (!(inputs & shown) || (inputs & painted)) /* an edit is never forgotten */
    g_assert_cmpint (step, !=, FS_LIVE_STEP_NONE);
  if (!(inputs & FS_LIVE_EVIDENCE)) /* nothing is solved or fitted for nothing */
    g_assert_true (step == FS_LIVE_STEP_NONE || step == FS_LIVE_STEP_CLEAR
                   || step == FS_LIVE_STEP_MAKE_OUTLINE);
  if ((inputs & brush) && !(inputs & FS_LIVE_NEW_SIDE)) /* no mask jumps under the brush */
    g_assert_true (step != FS_LIVE_STEP_TAKE_FIT && step != FS_LIVE_STEP_SHOW_FIT
                   && step != FS_LIVE_STEP_REFINE);
  if (step == FS_LIVE_STEP_REFINE) /* what is refined is of the present seeds, and on the screen */
    g_assert_true (mask == FS_MASK_EXACT && fit == FS_FIT_NONE && (inputs & shown)
                   && !(inputs & FS_LIVE_UNFITTED));
}

static void
test_promises (void)
{
  for_each_combination (check_promises, NULL);
}

/* Every kind of evidence is as good as any other. */
static void
check_evidence (FsMaskState mask, FsFitState fit, guint inputs, gpointer data)
{
  if (!(inputs & FS_LIVE_EVIDENCE))
    return;
  guint others = inputs & ~(guint)FS_LIVE_EVIDENCE;
  for (guint bit = 1; bit <= FS_LIVE_EVIDENCE; bit <<= 1)
    if (bit & FS_LIVE_EVIDENCE)
      g_assert_cmpint (fs_live_next_step (mask, fit, others | bit), ==,
                       fs_live_next_step (mask, fit, inputs));
}

static void
test_evidence (void)
{
  for_each_combination (check_evidence, NULL);
}

typedef struct {
  FsMaskState mask;
  FsFitState fit;
  guint inputs;
} State;

static void
note_fit (State *state)
{
  guint growing = state->inputs & brush ? FS_LIVE_UNFITTED : 0;
  state->inputs = (state->inputs & ~(guint)(FS_LIVE_UNFITTED | FS_LIVE_DOUBLED)) | growing;
}

static void
update (State *state)
{
  state->inputs = (state->inputs & ~painted) | shown;
  state->mask = fs_live_is_final (state->fit, state->inputs) ? FS_MASK_FINAL : FS_MASK_EXACT;
  if (fs_live_wants_fit (state->inputs) && state->fit == FS_FIT_NONE) {
    state->fit = FS_FIT_RUNNING;
    note_fit (state);
  }
}

/* What a step does to the states when nothing interrupts it. */
static void
take_step (State *state, FsLiveStep step)
{
  switch (step) {
  case FS_LIVE_STEP_NONE:
    break;
  case FS_LIVE_STEP_MAKE:
    state->mask = FS_MASK_EMPTY;
    break;
  case FS_LIVE_STEP_MAKE_OUTLINE:
    state->inputs &= ~(guint)FS_LIVE_OUTLINE;
    break;
  case FS_LIVE_STEP_CLEAR:
    state->mask = FS_MASK_EMPTY;
    state->inputs = (state->inputs & ~(painted | FS_LIVE_UNFITTED)) | shown;
    if (state->fit != FS_FIT_RUNNING)
      state->fit = FS_FIT_NONE;
    break;
  case FS_LIVE_STEP_SHOW_FIT:
    state->inputs = (state->inputs & ~(guint)FS_LIVE_FIT_PREVIEW) | shown;
    break;
  case FS_LIVE_STEP_REFINE:
    state->inputs &= ~(guint)FS_LIVE_REFINABLE;
    state->mask = FS_MASK_FINAL;
    break;
  case FS_LIVE_STEP_TAKE_FIT:
    if (state->fit == FS_FIT_READY)
      state->mask = FS_MASK_CHANGED;
    state->fit = FS_FIT_NONE;
    state->inputs &= ~(guint)FS_LIVE_FIT_PREVIEW;
    break;
  case FS_LIVE_STEP_FIT:
    state->mask = FS_MASK_COLD;
    state->inputs &= ~(painted | FS_LIVE_FIT_PREVIEW);
    note_fit (state);
    break;
  case FS_LIVE_STEP_UPDATE:
    update (state);
    break;
  }
}

/* Whatever the state, the loop comes to rest in a few steps, and the newest edit is shown. */
static void
check_rest (FsMaskState mask, FsFitState fit, guint inputs, gpointer data)
{
  if (mask == FS_MASK_FAILED)
    return;
  State state = { mask, fit, inputs };
  int *n_max = data, n = 0;
  FsLiveStep step;
  while ((step = fs_live_next_step (state.mask, state.fit, state.inputs)) != FS_LIVE_STEP_NONE) {
    take_step (&state, step);
    if (++n > 10)
      g_error ("mask %d, fit %d, inputs %x: no end of steps", mask, fit, inputs);
  }
  g_assert_true (state.inputs & shown);
  g_assert_false (state.inputs & painted);
  *n_max = MAX (*n_max, n);
}

static void
test_rest (void)
{
  int n_max = 0;
  for_each_combination (check_rest, &n_max);
  g_test_message ("at most %d steps", n_max);
  g_assert_cmpint (n_max, >=, 4);
}

/* A preview that is old now must be made anew before the solve that may take long. */
static void
test_change (void)
{
  for (FsMaskState mask = FS_MASK_EMPTY; mask <= FS_MASK_FINAL; mask++)
    g_assert_cmpint (fs_mask_after_change (mask), ==,
                     1u << mask & COLD ? FS_MASK_COLD : FS_MASK_CHANGED);
}

static void
test_results (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (fs_step_result (TRUE, NULL, &error), ==, FS_STEP_DONE);
  GError *failure = g_error_new_literal (FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
  g_assert_cmpint (fs_step_result (FALSE, failure, &error), ==, FS_STEP_AGAIN);
  g_assert_no_error (error);
  failure = g_error_new_literal (FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "memory");
  g_assert_cmpint (fs_step_result (FALSE, failure, &error), ==, FS_STEP_FAILED);
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-machine/table", test_table);
  g_test_add_func ("/live-machine/promises", test_promises);
  g_test_add_func ("/live-machine/evidence", test_evidence);
  g_test_add_func ("/live-machine/rest", test_rest);
  g_test_add_func ("/live-machine/change", test_change);
  g_test_add_func ("/live-machine/results", test_results);
  return g_test_run ();
}
