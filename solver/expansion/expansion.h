/* SPDX-License-Identifier: MIT */
/* Multi-label energies by expansion moves.   Layer: solver (move.h says how).
 *
 * Source: Boykov, Veksler & Zabih 2001: label after label every pixel may keep its label or take
 * this one, and the best such move is one exact minimum cut (move.h); until as many moves
 * in a row as there are labels have changed nothing. The labelling is then a local minimum with
 * respect to every expansion. With a metric (V(a, a) = 0, symmetric, triangle inequality) its
 * energy is within 2·max V / min V of the least, both over different labels, of one pair. Where V
 * is no metric, terms are truncated and of a move only those connected components are applied that
 * lower the true energy: it still never rises, but the end may be no such minimum, and the result
 * names the first term.
 *
 * Re-use of flow, after Vineet & Narayanan 2010, Alahari, Kohli & Torr 2008 and Komodakis,
 * Tziritas & Paragios 2007:
 *
 * - from cycle to cycle, unless switched off. Where the backend can change n-links (the CPU), each
 *   label has a cut of its own, which retains its flow and is updated after other labels' moves: a
 *   move costs what has changed since the label's last one. Where too much has changed, pairs' arcs
 *   are initialised from the labels' duals (move.h), after which few deficits are left. A local
 *   max-flow from these needs no solver (local_maxflow.h). The price is memory: a cut a label, and
 * 4 bytes a label and pair once there are duals.
 * - from label to label, where switched on: a label's first move begins with the flow of all cuts
 *   before it, as far as it fits. No gain was measured, as labels' cuts differ (docs/mrf.md).
 *
 * Masks are canonical, so neither they nor the backend nor the number of threads change a labelling
 * by a single pixel.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_EXPANSION_H
#define FS_SOLVER_EXPANSION_EXPANSION_H

#include "solver/expansion/move/label_problem.h"
#include "solver/expansion/move/move.h"
#include "solver/kernels/moves_engine.h"

G_BEGIN_DECLS

/* Zero is the default. */
typedef struct {
  gboolean no_cycle_reuse;
  gboolean label_reuse;
  gboolean verify;      /* check the certificate of every cut; one that fails is an error */
  int max_cycles;       /* 0: until nothing changes */
  guint32 shuffle;      /* 0: labels in order; else each cycle draws an order, from this */
  const uint8_t *order; /* all labels, each once; NULL: 0 … L − 1. Copied */
  /* A run begins with cycles over every 2^k-th label only, from the largest 2^k ≤ L / 4 down to 2:
   * with many ordered labels, few changes are left then for whole cycles. */
  gboolean coarse_first;
} FsExpansionOptions;

/* After a cycle. */
typedef struct {
  int64_t energy;
  int64_t n_changed; /* pixels that took a label, in all its moves */
  int64_t time_us;   /* processor time of this thread              */
} FsExpansionCycle;

typedef struct {
  FsLabelEnergy energy; /* of the labelling, summed anew         */
  gboolean converged;   /* no move changes anything              */
  int n_cycles;         /* begun, the last may be incomplete     */
  GArray *cycles;       /* of FsExpansionCycle                   */
  int64_t n_moves;
  int64_t n_solves;        /* cuts; several for one made in instalments (move.h)   */
  FsTruncation truncation; /* since the expansion was made; n > 0: V is no metric   */
  FsMovesResult device;    /* costs of moves on a device; all 0 without             */
} FsExpansionResult;

typedef struct _FsExpansion FsExpansion;

/* Binds an expansion to a problem, which must outlive it and must not change, but for data costs.
 * Errors: FS_SOLVER_ERROR_INVALID, MEMORY. */
FsExpansion *fs_expansion_new (const FsBackend *backend, const FsLabelProblem *problem,
                               const FsExpansionOptions *options, GError **error);
void fs_expansion_free (FsExpansion *expansion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsExpansion, fs_expansion_free)

/* To be called after the data costs of n pixels (y·W + x) were changed in the problem's plane. */
void fs_expansion_change_data (FsExpansion *expansion, const uint32_t *pixels, size_t n);

/* Goes on from `labels`, W·H labels each below n_labels, until no move changes them. May be
 * called again, with other labels or after changed data: the flow stays. Errors: those of
 * fs_solver_new and fs_solver_solve; the labels are then as the last whole move left them, and the
 * next call goes on from there; their energy is not computed. Blocks. Reports are of one cycle
 * each. `result` is for fs_expansion_result_clear. */
gboolean fs_expansion_run (FsExpansion *expansion, uint8_t *labels, const FsProgress *progress,
                           FsExpansionResult *result, GError **error);
void fs_expansion_result_clear (FsExpansionResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsExpansionResult, fs_expansion_result_clear)

/* Computes first labels by dual ascent (dual_start.h): a better start than the other two, and the
 * same with and without re-use of flow. The first cuts then begin with its duals. It runs on the
 * device if moves do; labels and duals are the same to the bit. `bound` is a lower bound of every
 * labelling's energy. Only before the first run. Errors: those of fs_dual_start. Blocks. */
gboolean fs_expansion_dual_start (FsExpansion *expansion, uint8_t *labels, int64_t *bound,
                                  GError **error);

/* The backend that makes the cuts; another than at first once its device has failed. */
const FsBackend *fs_expansion_get_backend (const FsExpansion *expansion);

/* Bytes that the expansion holds, the problem not counted. */
size_t fs_expansion_size_bytes (FsExpansion *expansion);

G_END_DECLS

#endif
