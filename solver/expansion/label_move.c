/* SPDX-License-Identifier: MIT */
#include "solver/expansion/label_move.h"

#include "solver/expansion/label_cuts.h"
#include "solver/expansion/planes.h"

static int64_t
take_over (FsExpansion *expansion, int label, uint8_t *labels)
{
  return fs_move_update_apply (&expansion->update, expansion->mask, label, labels,
                               expansion->truncation.n > 0);
}

/* The scratch cut, made here for what the device was asked. */
static gboolean
fill_scratch_cut (FsExpansion *expansion, int label, const uint8_t *labels, FsMoveRun *run,
                  GError **error)
{
  FsMove **move = &expansion->scratch;
  if (*move == NULL && (*move = fs_move_new (expansion->problem, NULL, error)) == NULL)
    return FALSE;
  fs_move_fill (*move, label, labels, NULL, run);
  return TRUE;
}

/* The first terms that were truncated are looked up here. */
static gboolean
note_truncated (FsExpansion *expansion, int label, const uint8_t *labels, int64_t n, GError **error)
{
  if (n > 0 && expansion->truncation.n == 0)
    return fill_scratch_cut (expansion, label, labels, &expansion->run, error);
  expansion->truncation.n += n;
  return TRUE;
}

static gboolean
check_proposal (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  FsTruncation unheard = { 0 };
  FsMoveRun run = expansion->run;
  run.backend = &fs_backend_cpu;
  run.truncation = &unheard;
  run.spare = NULL;
  return !run.verify
         || (fill_scratch_cut (expansion, label, labels, &run, error)
             && fs_move_check (expansion->scratch, expansion->mask, &run, error));
}

static gboolean
expand_by_device (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed,
                  GError **error)
{
  gboolean is_new;
  int64_t n_truncated;
  FsMoveDevice *device = expansion->device;
  FsMoveOutcome outcome = fs_move_device_propose (device, label, expansion->run.progress,
                                                  expansion->mask, &n_truncated, &is_new);
  if (!fs_move_outcome_check (&expansion->is_lost, outcome, error) || !is_new)
    return !expansion->is_lost && outcome == FS_MOVE_DONE;
  if (!note_truncated (expansion, label, labels, n_truncated, error)
      || !check_proposal (expansion, label, labels, error))
    return FALSE;
  *n_changed = take_over (expansion, label, labels);
  return fs_move_outcome_check (&expansion->is_lost,
                                fs_move_device_take (device, label, labels, expansion->mask),
                                error);
}

gboolean
fs_label_move_make (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed,
                    GError **error)
{
  gboolean has_news, takes_any;
  if (expansion->device != NULL)
    return expand_by_device (expansion, label, labels, n_changed, error);
  FsMove *move = fs_label_cuts_prepare (expansion, label, labels, &has_news, error);
  if (move == NULL)
    return FALSE;
  if (!has_news && expansion->was_answered[label])
    return TRUE;
  expansion->was_answered[label] = FALSE;
  if (!fs_move_solve (move, expansion->mask, &takes_any, &expansion->run, error)
      || !fs_label_cuts_keep_flow (expansion, label, move, error))
    return FALSE;
  expansion->was_answered[label] = TRUE;
  *n_changed = takes_any ? take_over (expansion, label, labels) : 0;
  return TRUE;
}
