/* SPDX-License-Identifier: MIT */
#include "app/backend_times.h"

#include "app/backend_problem.h"
#include "solver/cuda.h"

#include <glib/gstdio.h>
#include <string.h>

/* A sitting with the brush: how many edits there are to a cold cut. N_TRIES: the best counts. */
enum { EDITS_A_SITTING = 40, N_EDITS = 6, N_TRIES = 2 };

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

static gboolean
time_backend (const FsBackend *backend, FsBackendProblem *problem, const FsProgress *progress,
              FsBackendTime *time, GError **error)
{
  *time = (FsBackendTime){ G_MAXINT64, G_MAXINT64 };
  for (int i = 0; i < N_TRIES; i++)
    if (!time_once (backend, problem, progress, time, error))
      return FALSE;
  return TRUE;
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
  FsBackendTime time = { G_MAXINT64, G_MAXINT64 };
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

static gboolean
read_times (GKeyFile *file, const char *name, FsBackendTime *time)
{
  g_autofree char *cold = g_strconcat (name, "-cold-us", NULL);
  g_autofree char *edit = g_strconcat (name, "-edit-us", NULL);
  gint64 cold_us[FS_BACKEND_N_SIZES], edit_us[FS_BACKEND_N_SIZES];
  if (!read_list (file, cold, cold_us) || !read_list (file, edit, edit_us))
    return FALSE;
  for (int i = 0; i < FS_BACKEND_N_SIZES; i++)
    time[i] = (FsBackendTime){ cold_us[i], edit_us[i] };
  return TRUE;
}

gboolean
fs_backend_times_read (FsBackendTimes *times, const char *path)
{
  g_return_val_if_fail (times && path, FALSE);
  *times = (FsBackendTimes){ 0 };
  g_autoptr (GKeyFile) file = g_key_file_new ();
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
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

gboolean
fs_backend_times_write (const FsBackendTimes *times, const char *path, GError **error)
{
  g_return_val_if_fail (times && path, FALSE);
  gsize stride = sizeof (FsBackendTime) / sizeof (gint64);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_key_file_set_string (file, GROUP, "key", times->key);
  g_key_file_set_int64 (file, GROUP, "open-us", times->open_us);
  write_list (file, "pixels", times->n_pixels, 1);
  write_list (file, "cpu-cold-us", &times->cpu[0].cold_us, stride);
  write_list (file, "cpu-edit-us", &times->cpu[0].edit_us, stride);
  write_list (file, "cuda-cold-us", &times->cuda[0].cold_us, stride);
  write_list (file, "cuda-edit-us", &times->cuda[0].edit_us, stride);
  g_autofree char *folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  return g_key_file_save_to_file (file, path, error);
}

/* --- What they come to --- */

static double
work_us (const FsBackendTime *time, FsWork work)
{
  return (double)time->cold_us
         + (work == FS_WORK_LIVE ? (double)time->edit_us * EDITS_A_SITTING : 0.0);
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
         + (work == FS_WORK_ONCE ? times->open_us : 0);
}
