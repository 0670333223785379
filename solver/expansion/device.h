/* SPDX-License-Identifier: MIT */
/* Expansion moves on a device: the problem, the labelling and every label's flow stay there.
 * Layer: solver (expansion moves).
 *
 * Where no term can be truncated, a whole cycle runs without the host: the device applies each
 * move's mask itself. Otherwise, and where certificates are to be checked, the host gets one mask
 * after another and reports which pixels took the label. Either way masks are canonical, and labels
 * are those of the CPU.
 *
 * A device that fails is not used again; the host has the labels that the run began with.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_DEVICE_H
#define FS_SOLVER_EXPANSION_DEVICE_H

#include "solver/expansion/move/label_problem.h"
#include "solver/kernels/moves_engine.h"
#include "solver/progress.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  const FsLabelProblem *problem;
  const FsMovesTable *table;
  FsMoves *moves;
  gboolean is_metric;                 /* no term of the table can be truncated           */
  uint8_t *start;                     /* [n]: a copy of the labels that the run began with */
  const uint8_t *begun;               /* the caller's, as long as they are the same; or NULL */
  gboolean has_run;                   /* moves on the device have changed labels since     */
  guint version, seen[FS_LABELS_MAX]; /* of the labels; [label]: at its last proposal, 0: none */
  guint n_data_known;                 /* pixels with new data costs that were sent         */
  FsMovesResult taken;                /* since the run began */
} FsMoveDevice;

typedef enum { FS_MOVE_DONE, FS_MOVE_CANCELLED, FS_MOVE_LOST } FsMoveOutcome;

/* Returns whether a call went well. Where the device failed sets *is_lost, where it was cancelled
 * FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_move_outcome_check (gboolean *is_lost, FsMoveOutcome outcome, GError **error);

/* NULL where the backend has no such device, it does not support the problem, or it fails, which
 * the notice reports (cuda_backend.h). */
FsMoveDevice *fs_move_device_new (const FsBackend *backend, const FsLabelProblem *problem,
                                  gboolean reuses_flow, gboolean shares_flow);
void fs_move_device_free (FsMoveDevice *device);

/* Computes the dual start of a problem that fs_dual_start_supports, with the duals for what comes
 * after it. `new_data` as below. FALSE where the device fails, or there is none. */
gboolean fs_move_device_dual_start (FsMoveDevice *device, const GArray *new_data, uint8_t *labels,
                                    int64_t *bound);

/* Begins a run with these labels, which the caller must not change until it applies a proposal or
 * gets the labels. `new_data` are all pixels (uint32_t) whose data costs have changed since the
 * device was made. */
FsMoveOutcome fs_move_device_begin (FsMoveDevice *device, const uint8_t *labels,
                                    const GArray *new_data);

/* The labels that the run began with. */
const uint8_t *fs_move_device_start (const FsMoveDevice *device);

/* Makes and applies the moves of n labels in order; n_changed[i] pixels took the i-th, and `energy`
 * is that of the result. Only for a metric. */
FsMoveOutcome fs_move_device_run (FsMoveDevice *device, const uint8_t *order, int n,
                                  const FsProgress *progress, uint32_t *n_changed,
                                  FsLabelEnergy *energy);

/* Writes the labels that differ from those that the run began with. */
FsMoveOutcome fs_move_device_get_labels (FsMoveDevice *device, uint8_t *labels);

/* Finds the mask of one move, W·H bytes: 0 where a pixel shall take the label. *is_new is FALSE
 * where nothing has changed since its last one; the mask is not written then. *n_truncated counts
 * terms. */
FsMoveOutcome fs_move_device_propose (FsMoveDevice *device, int label, const FsProgress *progress,
                                      uint8_t *mask, int64_t *n_truncated, gboolean *is_new);

/* Reports the pixels, among those with mask 0, that have the label now. */
FsMoveOutcome fs_move_device_take (FsMoveDevice *device, int label, const uint8_t *labels,
                                   const uint8_t *mask);

size_t fs_move_device_size_bytes (const FsMoveDevice *device);

G_END_DECLS

#endif
