/* SPDX-License-Identifier: MIT */
#include "solver/expansion/label_cuts.h"

#include "solver/expansion/planes.h"
#include "solver/expansion/shared_fill.h"

#include <string.h>

/* Above this share of changed pixels a cut is better made anew, and above this one looked through,
 * or made anew where duals know more than what other labels' cuts have left. */
enum { PIXELS_PER_UPDATE = 8, PIXELS_PER_FEW = 64 };

/* Pixels whose label is new to a label's own cut: all of them, and those that have another label
 * than the cut's. */
typedef struct {
  size_t all, others;
} News;

static News
count_news (const FsExpansion *expansion, int label, const uint8_t *labels)
{
  const uint8_t *seen = expansion->label_cut[label]->seen;
  size_t n = fs_label_problem_n_pixels (expansion->problem);
  News news = { 0 };
  for (size_t begin = 0; begin < n; begin += 4096)
    if (memcmp (labels + begin, seen + begin, MIN (4096, n - begin)) != 0)
      for (size_t p = begin; p < MIN (begin + 4096, n); p++) {
        news.all += labels[p] != seen[p];
        news.others += labels[p] != seen[p] && labels[p] != label;
      }
  return news;
}

/* Lists what is new to a label's own cut. */
static void
list_news (FsExpansion *expansion, int label, const uint8_t *labels)
{
  const uint8_t *seen = expansion->label_cut[label]->seen;
  size_t n = fs_label_problem_n_pixels (expansion->problem);
  for (size_t begin = 0; begin < n; begin += 4096)
    if (memcmp (labels + begin, seen + begin, MIN (4096, n - begin)) != 0)
      for (size_t p = begin; p < MIN (begin + 4096, n); p++)
        if (labels[p] != seen[p])
          fs_move_update_add (&expansion->update, (uint32_t)p);
  for (guint i = expansion->n_data_known[label]; i < expansion->new_data->len; i++)
    fs_move_update_add (&expansion->update, g_array_index (expansion->new_data, uint32_t, i));
}

/* Many cycles end without a cut that is made anew, and duals are the largest of all planes: first
 * cuts wait until they are asked for. Who took a label then, the next cut has seen. */
static gboolean
fold_waiting (FsExpansion *expansion, const uint8_t *labels, GError **error)
{
  for (int i = 0; i < expansion->n_unfolded; i++) {
    FsMove *move = expansion->label_cut[expansion->unfolded[i]];
    const uint8_t *after = i + 1 < expansion->n_unfolded
                               ? expansion->label_cut[expansion->unfolded[i + 1]]->seen
                               : labels;
    fs_move_read_flow (move, &expansion->run);
    if (!fs_move_fold_taken (move, after, &expansion->duals, error))
      return FALSE;
  }
  expansion->n_unfolded = 0;
  return TRUE;
}

/* `pixels` are those whose data costs have changed. */
static gboolean
renew_own (FsExpansion *expansion, int label, const uint8_t *labels, const uint32_t *pixels,
           size_t n, GError **error)
{
  FsMove *move = expansion->label_cut[label];
  fs_base_clear (&expansion->base);
  if (!fold_waiting (expansion, labels, error))
    return FALSE;
  fs_move_read_flow (move, &expansion->run);
  return fs_move_renew (move, labels, &expansion->duals, pixels, n, &expansion->run, error);
}

static gboolean
update_with_solver (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  const GArray *pixels = expansion->update.pixels;
  list_news (expansion, label, labels);
  gboolean done = fs_move_update (expansion->label_cut[label], labels,
                                  (const uint32_t *)(const void *)pixels->data, pixels->len,
                                  &expansion->run, error);
  fs_move_update_forget (&expansion->update);
  return done;
}

static void
follow_few (FsExpansion *expansion, int label, const uint8_t *labels)
{
  const GArray *pixels = expansion->update.pixels;
  list_news (expansion, label, labels);
  fs_move_follow_few (expansion->label_cut[label], labels,
                      (const uint32_t *)(const void *)pixels->data, pixels->len, &expansion->run);
  fs_move_update_forget (&expansion->update);
}

static gboolean
update_own (FsExpansion *expansion, int label, const uint8_t *labels, gboolean *has_news,
            GError **error)
{
  FsMove *move = expansion->label_cut[label];
  News news = count_news (expansion, label, labels);
  guint n_known = expansion->n_data_known[label], n_new = expansion->new_data->len - n_known;
  const uint32_t *pixels = n_new ? &g_array_index (expansion->new_data, uint32_t, n_known) : NULL;
  size_t n = fs_label_problem_n_pixels (expansion->problem);
  size_t max = n / (expansion->has_duals ? PIXELS_PER_FEW : PIXELS_PER_UPDATE);
  *has_news = news.all + n_new > 0;
  if (!*has_news)
    return TRUE;
  if (move->is_wide)
    fs_move_read_flow (move, &expansion->run);
  if (move->solver != NULL && news.all + n_new <= max)
    return update_with_solver (expansion, label, labels, error);
  if (news.others + n_new > max)
    return renew_own (expansion, label, labels, pixels, n_new, error);
  if (move->solver == NULL && news.all + n_new <= n / PIXELS_PER_FEW) {
    follow_few (expansion, label, labels);
    return TRUE;
  }
  fs_move_read_flow (move, &expansion->run);
  fs_move_follow (move, labels, pixels, n_new, &expansion->run);
  return TRUE;
}

/* A label has a cut of its own where that can follow the labels. */
static FsMove *
make_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  gboolean is_own = expansion->reuses_cycles && fs_move_can_update (expansion->run.backend);
  FsMove **move = is_own ? &expansion->label_cut[label] : &expansion->scratch;
  FsDuals *duals = &expansion->duals;
  if (*move == NULL && (*move = fs_move_new (expansion->problem, &duals->reused, error)) == NULL)
    return NULL;
  FsMoveRun *run = &expansion->run;
  if (expansion->has_duals && fs_base_is_for (*move)) {
    if (!fs_base_fill (&expansion->base, *move, label, labels, duals, run, error))
      g_clear_pointer (move, fs_move_free); /* there is none that could be followed */
    return *move;
  }
  gboolean reuses =
      expansion->has_duals
      || (expansion->was_made[label] ? expansion->reuses_cycles : expansion->reuses_labels);
  fs_move_fill (*move, label, labels, reuses ? duals : NULL, run);
  return *move;
}

FsMove *
fs_label_cuts_prepare (FsExpansion *expansion, int label, const uint8_t *labels, gboolean *has_news,
                       GError **error)
{
  FsMove *move = expansion->label_cut[label];
  *has_news = TRUE;
  if (move == NULL)
    move = make_move (expansion, label, labels, error);
  else if (!update_own (expansion, label, labels, has_news, error))
    return NULL;
  expansion->n_data_known[label] = expansion->new_data->len;
  return move;
}

gboolean
fs_label_cuts_keep_flow (FsExpansion *expansion, int label, FsMove *move, GError **error)
{
  gboolean is_first = !expansion->was_made[label], is_own = move == expansion->label_cut[label];
  gboolean is_wanted = expansion->reuses_cycles || (is_first && expansion->reuses_labels);
  expansion->was_made[label] = TRUE;
  if (move->is_wide)
    fs_move_read_flow (move, &expansion->run);
  if (is_first && is_own && !expansion->reuses_labels) {
    fs_move_read_flow (move, &expansion->run);
    expansion->unfolded[expansion->n_unfolded++] = (uint8_t)label;
    return TRUE;
  }
  if ((is_own && !is_first) || !is_wanted)
    return TRUE;
  fs_base_clear (&expansion->base);
  fs_move_read_flow (move, &expansion->run);
  return fs_move_fold (move, &expansion->duals, error);
}
