/* SPDX-License-Identifier: MIT */
#include "app/backend_times.h"

#include "app/backend_problem.h"
#include "app/backend_sequence.h"
#include "solver/cuda.h"
#include "solver/preview.h"

#include <glib/gstdio.h>
#include <string.h>

/* A sitting with the brush: how many edits there are to a cold cut; the frames of a sequence.
 * N_TRIES: the best counts. Frames of less than LEAST_FRAME_PX a side are not made. */
enum { EDITS_A_SITTING = 40, FRAMES_A_SEQUENCE = 50, N_EDITS = 6, N_TRIES = 2 };
enum { LEAST_FRAME_PX = 64 };

#define GROUP "times"

/* --- The key --- */

/* The driver's own line; nothing where there is none, or on other systems. */
static char *
driver_version (void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents ("/proc/driver/nvidia/version", &text, NULL, NULL))
    return g_strdup ("");
  text[strcspn (text, "\n")] = '\0';
  return g_steal_pointer (&text);
}

char *
fs_backend_times_key (void)
{
  g_autofree char *driver = driver_version ();
  return g_strdup_printf ("%s; %s, %u processors; fretsaw %s, engine %d; %s",
                          fs_backend_cuda.device (), fs_backend_cpu.device (),
                          g_get_num_processors (), FS_VERSION, FS_ENGINE_VERSION, driver);
}

/* --- Measuring --- */

static gboolean
is_cancelled (const FsProgress *progress, GError **error)
{
  if (!fs_progress_is_cancelled (progress))
    return FALSE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED,
                       "the measurement was cancelled");
  return TRUE;
}

/* A device that failed has left the work to the processor. */
static gboolean
is_still (FsSolver *solver, const FsBackend *backend, GError **error)
{
  if (fs_solver_get_backend (solver) == backend)
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND, fs_cuda_notice ());
  return FALSE;
}

static gboolean
time_edits (FsSolver *solver, FsBackendProblem *problem, const FsProgress *progress,
            FsBackendTime *time, GError **error)
{
  FsSolution solution;
  gint64 start = g_get_monotonic_time ();
  for (int i = 0; i < N_EDITS; i++) {
    guint n;
    const FsTlinkChange *changes = fs_backend_problem_stroke (problem, i, &n);
    if (!fs_solver_change_tlinks (solver, changes, n, error)
        || !fs_solver_solve (solver, progress, &solution, error))
      return FALSE;
  }
  time->edit_us = MIN (time->edit_us, (g_get_monotonic_time () - start) / N_EDITS);
  return TRUE;
}

static gboolean
time_once (const FsBackend *backend, FsBackendProblem *problem, const FsProgress *progress,
           FsBackendTime *time, GError **error)
{
  FsSolution solution;
  if (is_cancelled (progress, error))
    return FALSE;
  fs_backend_problem_reset (problem);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FsSolver) solver =
      fs_solver_new (backend, fs_backend_problem_get_grid (problem), error);
  if (!solver || !fs_solver_solve (solver, progress, &solution, error))
    return FALSE;
  time->cold_us = MIN (time->cold_us, g_get_monotonic_time () - start);
  return time_edits (solver, problem, progress, time, error) && is_still (solver, backend, error);
}

/* Of a backend that makes previews: of the links that its solver holds. */
static gboolean
preview_there (const FsBackend *backend, FsGrid *grid, const FsPreviewOptions *options,
               const FsProgress *progress, uint8_t *mask, GError **error)
{
  gboolean done = FALSE;
  FsPreviewStats stats;
  g_autoptr (FsSolver) solver = fs_solver_new (backend, grid, error);
  if (!solver || !fs_solver_preview (solver, options, progress, mask, &stats, &done, error))
    return FALSE;
  return done || is_still (solver, backend, error);
}

static gboolean
preview_here (const FsGrid *grid, const FsPreviewOptions *options, const FsProgress *progress,
              uint8_t *mask, GError **error)
{
  g_autoptr (FsPreview) preview = fs_preview_new (grid, options, progress, error);
  return preview && fs_preview_solve (preview, progress, mask, NULL, error);
}

static gboolean
time_preview (const FsBackend *backend, FsBackendProblem *problem, const FsProgress *progress,
              FsBackendTime *time, GError **error)
{
  if (is_cancelled (progress, error))
    return FALSE;
  fs_backend_problem_reset (problem);
  FsGrid *grid = fs_backend_problem_get_grid (problem);
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  options.soft_tlink = fs_backend_problem_get_soft_tlink ();
  g_autofree uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  gint64 start = g_get_monotonic_time ();
  if (backend->preview ? !preview_there (backend, grid, &options, progress, mask, error)
                       : !preview_here (grid, &options, progress, mask, error))
    return FALSE;
  time->preview_us = MIN (time->preview_us, g_get_monotonic_time () - start);
  return TRUE;
}

static gboolean
time_backend (const FsBackend *backend, FsBackendProblem *problem, const FsProgress *progress,
              FsBackendTime *time, GError **error)
{
  *time = (FsBackendTime){ G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64 };
  for (int i = 0; i < N_TRIES; i++)
    if (!time_once (backend, problem, progress, time, error)
        || !time_preview (backend, problem, progress, time, error))
      return FALSE;
  int side = MAX (fs_backend_problem_get_grid (problem)->width, LEAST_FRAME_PX);
  return fs_backend_sequence_time (backend, side, progress, &time->frame_us, error);
}

static gboolean
time_size (FsBackendTimes *times, int size, int side, const FsProgress *progress, GError **error)
{
  g_autoptr (FsBackendProblem) problem = fs_backend_problem_new (side, error);
  if (!problem)
    return FALSE;
  times->n_pixels[size] = (gint64)side * side;
  return time_backend (&fs_backend_cuda, problem, progress, &times->cuda[size], error)
         && time_backend (&fs_backend_cpu, problem, progress, &times->cpu[size], error);
}

/* The first cut of a program waits for driver, context and kernels. */
static gboolean
time_opening (FsBackendTimes *times, GError **error)
{
  enum { SIDE = 32 };
  FsBackendTime time = { .cold_us = G_MAXINT64, .edit_us = G_MAXINT64 };
  g_autoptr (FsBackendProblem) problem = fs_backend_problem_new (SIDE, error);
  if (!problem)
    return FALSE;
  gint64 start = g_get_monotonic_time ();
  if (!fs_cuda_is_available (error) || !time_once (&fs_backend_cuda, problem, NULL, &time, error))
    return FALSE;
  times->open_us = g_get_monotonic_time () - start;
  return TRUE;
}

gboolean
fs_backend_times_measure (FsBackendTimes *times, int largest_px, const FsProgress *progress,
                          GError **error)
{
  g_return_val_if_fail (times && largest_px >= 64, FALSE);
  *times = (FsBackendTimes){ 0 };
  if (!time_opening (times, error))
    return FALSE;
  for (int size = 0; size < FS_BACKEND_N_SIZES; size++)
    if (!time_size (times, size, largest_px >> (FS_BACKEND_N_SIZES - 1 - size), progress, error))
      return FALSE;
  g_autofree char *key = fs_backend_times_key ();
  g_strlcpy (times->key, key, sizeof times->key);
  return TRUE;
}

/* --- The file --- */

static gboolean
read_list (GKeyFile *file, const char *name, gint64 *number)
{
  gsize n = 0;
  g_auto (GStrv) words = g_key_file_get_string_list (file, GROUP, name, &n, NULL);
  if (!words || n != FS_BACKEND_N_SIZES)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_string_to_signed (words[i], 10, 1, G_MAXINT32, &number[i], NULL))
      return FALSE;
  return TRUE;
}

/* In the order of FsBackendTime. */
static const char *const KINDS[] = { "cold", "edit", "preview", "frame" };
enum { N_KINDS = sizeof (FsBackendTime) / sizeof (gint64) };
G_STATIC_ASSERT (N_KINDS == G_N_ELEMENTS (KINDS));

static char *
list_name (const char *backend, int kind)
{
  return g_strconcat (backend, "-", KINDS[kind], "-us", NULL);
}

static gboolean
read_times (GKeyFile *file, const char *backend, FsBackendTime *time)
{
  gint64 us[N_KINDS][FS_BACKEND_N_SIZES];
  for (int kind = 0; kind < N_KINDS; kind++) {
    g_autofree char *name = list_name (backend, kind);
    if (!read_list (file, name, us[kind]))
      return FALSE;
  }
  for (int i = 0; i < FS_BACKEND_N_SIZES; i++)
    time[i] = (FsBackendTime){ us[0][i], us[1][i], us[2][i], us[3][i] };
  return TRUE;
}

gboolean
fs_backend_times_read (FsBackendTimes *times, const char *path)
{
  g_return_val_if_fail (times && path, FALSE);
  *times = (FsBackendTimes){ 0 };
  g_autoptr (GKeyFile) file = g_key_file_new ();
  /* Opening a FIFO would wait for a writer for ever. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return FALSE;
  g_autofree char *key = g_key_file_get_string (file, GROUP, "key", NULL);
  times->open_us = g_key_file_get_int64 (file, GROUP, "open-us", NULL);
  if (!key || g_strlcpy (times->key, key, sizeof times->key) >= sizeof times->key
      || times->open_us <= 0 || times->open_us > G_MAXINT32)
    return FALSE;
  return read_list (file, "pixels", times->n_pixels) && times->n_pixels[0] < times->n_pixels[1]
         && times->n_pixels[1] < times->n_pixels[2] && read_times (file, "cpu", times->cpu)
         && read_times (file, "cuda", times->cuda);
}

static void
write_list (GKeyFile *file, const char *name, const gint64 *first, gsize stride)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (gsize i = 0; i < FS_BACKEND_N_SIZES; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT ";", first[i * stride]);
  g_key_file_set_value (file, GROUP, name, text->str);
}

static void
write_times (GKeyFile *file, const char *backend, const FsBackendTime *time)
{
  for (int kind = 0; kind < N_KINDS; kind++) {
    g_autofree char *name = list_name (backend, kind);
    write_list (file, name, &time->cold_us + kind, N_KINDS);
  }
}

gboolean
fs_backend_times_write (const FsBackendTimes *times, const char *path, GError **error)
{
  g_return_val_if_fail (times && path, FALSE);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_key_file_set_string (file, GROUP, "key", times->key);
  g_key_file_set_int64 (file, GROUP, "open-us", times->open_us);
  write_list (file, "pixels", times->n_pixels, 1);
  write_times (file, "cpu", times->cpu);
  write_times (file, "cuda", times->cuda);
  g_autofree char *folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  return g_key_file_save_to_file (file, path, error);
}

/* --- What they come to --- */

static double
work_us (const FsBackendTime *time, FsWork work)
{
  switch (work) {
  case FS_WORK_LIVE:
    return (double)time->cold_us + (double)time->edit_us * EDITS_A_SITTING;
  case FS_WORK_PREVIEW:
    return (double)time->preview_us;
  case FS_WORK_FRAMES:
    return (double)time->frame_us * FRAMES_A_SEQUENCE;
  default:
    return (double)time->cold_us;
  }
}

static double
between (const FsBackendTimes *times, const FsBackendTime *time, FsWork work, double n)
{
  int i = n < (double)times->n_pixels[1] ? 0 : 1;
  double from = (double)times->n_pixels[i], to = (double)times->n_pixels[i + 1];
  double share = (n - from) / (to - from);
  return work_us (&time[i], work) * (1 - share) + work_us (&time[i + 1], work) * share;
}

static double
times_for (const FsBackendTimes *times, const FsBackendTime *time, FsWork work, double n,
           gboolean proportional_below)
{
  const int last = FS_BACKEND_N_SIZES - 1;
  if (n >= (double)times->n_pixels[last])
    return work_us (&time[last], work) * n / (double)times->n_pixels[last];
  if (n >= (double)times->n_pixels[0])
    return between (times, time, work, n);
  return work_us (&time[0], work) * (proportional_below ? n / (double)times->n_pixels[0] : 1.0);
}

gint64
fs_backend_times_cpu (const FsBackendTimes *times, FsWork work, size_t n_pixels)
{
  return (gint64)times_for (times, times->cpu, work, (double)n_pixels, TRUE);
}

gint64
fs_backend_times_cuda (const FsBackendTimes *times, FsWork work, size_t n_pixels)
{
  return (gint64)times_for (times, times->cuda, work, (double)n_pixels, FALSE)
         + (work == FS_WORK_LIVE ? 0 : times->open_us);
}
