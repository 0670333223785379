/* SPDX-License-Identifier: MIT */
#include "app/problems/mrf_job.h"

#include "app/backend/backend_choice.h"
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/free_memory.h"
#include "app/files/report_numbers.h"
#include "app/files/same_file.h"

#include <string.h>
#include <time.h>

static gboolean
set_job_error (GError **error, const char *path, const char *reason)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, "%s: %s", name, reason);
  return FALSE;
}

static char *
truncation_in_words (const FsMrfJob *job, const FsLabelProblem *problem,
                     const FsTruncation *truncation)
{
  int x = (int)(truncation->pixel % (size_t)problem->width);
  int y = (int)(truncation->pixel / (size_t)problem->width);
  g_autofree char *name = fs_display_name (job->problem);
  return g_strdup_printf (
      "%s: the smoothness is no metric, and %" G_GINT64_FORMAT
      " of its terms were truncated: the first between (%d, %d) and (%d, %d), where labels %d, %d "
      "and %d, %d together cost more than %d, %d and %d, %d",
      name, truncation->n, x, y, x + fs_direction_dx (truncation->direction),
      y + fs_direction_dy (truncation->direction), truncation->a, truncation->b, truncation->alpha,
      truncation->alpha, truncation->a, truncation->alpha, truncation->alpha, truncation->b);
}

static int64_t
processor_time_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A dual start gives a bound, and duals for the moves after it. */
static gboolean
start_expansion (FsExpansion *expansion, const FsMrf *mrf, uint8_t *labels, FsMrfResult *result,
                 GError **error)
{
  result->bound = fs_label_problem_bound (&mrf->problem);
  if (mrf->header.start != FS_MRF_START_DUAL)
    return TRUE;
  int64_t bound = 0;
  result->start_us = -processor_time_us ();
  gboolean done = fs_expansion_dual_start (expansion, labels, &bound, error);
  result->start_us += processor_time_us ();
  result->bound = MAX (result->bound, bound);
  return done;
}

/* Flow that is kept from cycle to cycle, bytes a pixel and label: measured, and rounded up. The
 * labels are the same without, and take longer. */
static gboolean
fits_flow (const FsLabelProblem *problem)
{
  enum { BYTES_4 = 26, BYTES_8 = 46 };
  guint64 n_costs = (guint64)fs_label_problem_n_pixels (problem) * (guint64)problem->n_labels;
  guint64 a_cost = problem->neighbours == FS_NEIGHBOURS_8 ? BYTES_8 : BYTES_4;
  return n_costs * a_cost <= fs_free_memory_limit ();
}

static gboolean
minimise_labels (const FsMrfJob *job, const FsMrf *mrf, uint8_t *labels, FsMrfResult *result,
                 GError **error)
{
  const FsLabelProblem *problem = &mrf->problem;
  /* Expansions: as much work as one cut of so many pixels, or more. */
  size_t n_cuts = (size_t)problem->n_labels;
  const FsBackend *backend =
      fs_backend_choice_pick (FS_WORK_ONCE, fs_label_problem_n_pixels (problem) * n_cuts);
  fs_solver_set_threads (job->n_threads);
  FsExpansionOptions options = job->options;
  options.shuffle = mrf->header.shuffle;
  options.no_cycle_reuse = options.no_cycle_reuse || !fits_flow (problem);
  options.coarse_first = mrf->header.start == FS_MRF_START_COARSE;
  g_autoptr (FsExpansion) expansion = fs_expansion_new (backend, problem, &options, error);
  if (!expansion || !start_expansion (expansion, mrf, labels, result, error)
      || !fs_expansion_run (expansion, labels, NULL, &result->expansion, error)) {
    g_autofree char *name = fs_display_name (job->problem);
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  backend = fs_expansion_get_backend (expansion);
  result->backend = fs_backend_get_name (backend);
  result->device = fs_backend_get_device (backend);
  result->n_bytes = fs_expansion_size_bytes (expansion);
  if (result->expansion.truncation.n > 0)
    result->warning = truncation_in_words (job, problem, &result->expansion.truncation);
  return TRUE;
}

static gboolean
write_labels (const FsMrfJob *job, const FsLabelProblem *problem, uint8_t *labels, GError **error)
{
  if (!job->out)
    return TRUE;
  for (size_t p = 0; p < fs_label_problem_n_pixels (problem); p++)
    labels[p] = (uint8_t)(labels[p] * job->scale);
  FsImage size = { .width = problem->width, .height = problem->height };
  const FsExport export = { .image = &size, .mask = labels, .kind = FS_EXPORT_GREY };
  return fs_export_write (&export, job->out, NULL, NULL, NULL, error);
}

static uint8_t *
first_labels (const FsMrf *mrf)
{
  uint8_t *labels = g_try_malloc0 (fs_label_problem_n_pixels (&mrf->problem));
  FsMrfStart start = mrf->header.start;
  if (labels && (start == FS_MRF_START_CHEAPEST || start == FS_MRF_START_COARSE))
    fs_label_problem_choose_cheapest (&mrf->problem, labels);
  return labels;
}

static gboolean
spare_images (const FsMrfJob *job, const FsMrfHeader *header, const char *const *outputs, guint n,
              GError **error)
{
  for (int i = 0; i <= header->n_images; i++) {
    const char *name = i < header->n_images ? header->images[i] : header->cue_image;
    g_autofree char *path = name ? fs_mrf_image_path (job->problem, name) : NULL;
    if (!fs_same_file_spare (path, outputs, n, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_mrf_job_run (const FsMrfJob *job, FsMrfResult *result, GError **error)
{
  g_return_val_if_fail (job && job->problem && job->scale >= 1 && result, FALSE);
  *result = (FsMrfResult){ 0 };
  if (!fs_backend_choice_want (job->backend))
    return set_job_error (error, job->problem, "there is no such backend; nothing was written");
  const char *outputs[] = { job->out, job->report };
  if (!fs_export_can_write (outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  gint64 start = g_get_monotonic_time (), mark = start;
  g_autoptr (FsMrf) mrf = fs_mrf_load (job->problem, error);
  if (!mrf || !spare_images (job, &mrf->header, outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  result->width = mrf->problem.width;
  result->height = mrf->problem.height;
  result->neighbours = (int)mrf->problem.neighbours;
  result->n_labels = mrf->problem.n_labels;
  if ((mrf->problem.n_labels - 1) * job->scale > G_MAXUINT8)
    return set_job_error (error, job->problem, "its labels times that scale do not fit 8 bits");
  g_autofree uint8_t *labels = first_labels (mrf);
  if (!labels)
    return set_job_error (error, job->problem, "not enough memory");
  result->read_us = fs_report_lap (&mark);
  if (!minimise_labels (job, mrf, labels, result, error))
    return FALSE;
  result->solve_us = fs_report_lap (&mark);
  if (!write_labels (job, &mrf->problem, labels, error))
    return FALSE;
  result->write_us = fs_report_lap (&mark);
  result->total_us = g_get_monotonic_time () - start;
  if (!job->report)
    return TRUE;
  g_autofree char *json = fs_mrf_result_to_json (result);
  return fs_export_write_text (job->report, json, -1, error);
}
