/* SPDX-License-Identifier: MIT */
#include "app/backend/backend_choice.h"

#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* MIN_US: what a faster backend could save below that is not felt. MEAN_OF: about so many cuts
 * count. */
enum { MIN_US = 20000, FRAMES_A_SEQUENCE = 50, MEAN_OF = 4, WARM_UP_PX = 32 };

typedef enum { WANT_ENVIRONMENT, WANT_AUTO, WANT_CPU, WANT_CUDA } Want;
enum { CPU, CUDA }; /* within each kind */
enum { CUT, FRAME = 2, N_TIMES = 4 };

typedef struct {
  double ns[N_TIMES]; /* a pixel; 0: not timed yet */
  double open_us;     /* until the device is ready for its first cut */
} Times;

static struct {
  GMutex mutex;
  Want want;
  gboolean is_read, is_ready;    /* the file; the device */
  gboolean is_device_wanted;     /* by its number */
  Times times, stored;           /* stored: those of the file */
  const char *notice, *reported; /* to be reported; the last one that was */
} choice;

static const char *const NAMES[N_TIMES] = { "cpu-cut", "cuda-cut", "cpu-frame", "cuda-frame" };
#define GROUP "nanoseconds a pixel"

static gboolean
find_want (const char *name, Want *want)
{
  static const char *const names[] = { "auto", "cpu", "cuda" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0) {
      *want = (Want)(WANT_AUTO + i);
      return TRUE;
    }
  return FALSE;
}

gboolean
fs_backend_choice_want (const char *name)
{
  Want want = WANT_ENVIRONMENT;
  if (name && !find_want (name, &want))
    return FALSE;
  g_mutex_lock (&choice.mutex);
  choice.want = want;
  g_mutex_unlock (&choice.mutex);
  return TRUE;
}

/* --- The file --- */

char *
fs_backend_choice_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fretsaw", "backends", NULL);
}

/* The key of the stored times, without opening a driver. A home folder may be on several machines.
 */
static char *
make_key (void)
{
  g_autofree char *driver = fs_cuda_driver_version ();
  return g_strdup_printf ("%s; %s, %u processors; fretsaw %s, engine %d; %s", g_get_host_name (),
                          fs_backend_cpu.device (), g_get_num_processors (), FS_VERSION,
                          FS_ENGINE_VERSION, driver);
}

static double
read_time (GKeyFile *file, const char *name)
{
  double number = g_key_file_get_double (file, GROUP, name, NULL);
  return number > 0 && number < 1e12 ? number : 0;
}

/* With the lock held. Opening a FIFO would wait for a writer for ever. */
static void
read_times (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = fs_backend_choice_path (), *key = make_key (), *found = NULL;
  if (choice.is_read)
    return;
  choice.is_read = TRUE;
  choice.times = (Times){ 0 };
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR)
      && g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    found = g_key_file_get_string (file, GROUP, "key", NULL);
  if (g_strcmp0 (found, key) == 0) {
    choice.times.open_us = read_time (file, "open");
    for (int i = 0; i < N_TIMES; i++)
      choice.times.ns[i] = read_time (file, NAMES[i]);
  }
  choice.stored = choice.times;
}

/* On failure the times are measured again. */
static void
write_file (const Times *times)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = fs_backend_choice_path (), *folder = g_path_get_dirname (path);
  g_autofree char *key = make_key ();
  g_key_file_set_string (file, GROUP, "key", key);
  g_key_file_set_double (file, GROUP, "open", times->open_us);
  for (int i = 0; i < N_TIMES; i++)
    g_key_file_set_double (file, GROUP, NAMES[i], times->ns[i]);
  g_mkdir_with_parents (folder, 0700);
  g_key_file_save_to_file (file, path, NULL);
}

/* --- With the lock held --- */

/* Takes the text. */
static void
set_notice (char *text)
{
  choice.notice = g_intern_string (text);
  g_free (text);
}

static Want
get_want (void)
{
  if (choice.want != WANT_ENVIRONMENT)
    return choice.want;
  const char *name = g_getenv ("FRETSAW_BACKEND");
  Want want = WANT_AUTO;
  if (name && !find_want (name, &want))
    set_notice (g_strdup_printf (_ ("FRETSAW_BACKEND takes auto, cpu or cuda, not “%s”"), name));
  return want;
}

static double *
find_times (FsWork work)
{
  return choice.times.ns + (work == FS_WORK_FRAMES ? FRAME : CUT);
}

static double
estimate_us (FsWork work, int processor, size_t n_pixels)
{
  double us = find_times (work)[processor] * (double)n_pixels / 1e3;
  gboolean opens = processor == CUDA && work != FS_WORK_LIVE && !choice.is_ready;
  return (work == FS_WORK_FRAMES ? us * FRAMES_A_SEQUENCE : us)
         + (opens ? choice.times.open_us : 0);
}

static gboolean
may_use_device (void)
{
  if (get_want () != WANT_AUTO || !fs_cuda_may_be_there () || fs_cuda_notice ())
    return FALSE;
  read_times ();
  return TRUE;
}

/* TRUE also where the device is not timed yet. */
static gboolean
is_device_faster (FsWork work, size_t n_pixels)
{
  if (!may_use_device () || find_times (work)[CPU] == 0)
    return FALSE;
  double cpu_us = estimate_us (work, CPU, n_pixels);
  return cpu_us >= MIN_US
         && (find_times (work)[CUDA] == 0 || estimate_us (work, CUDA, n_pixels) < cpu_us);
}

/* A device that has failed counts as twice as slow as the CPU, so that it is not tried each time.
 */
static void
update_times (FsWork work, int processor, double ns)
{
  double *times = find_times (work);
  if (processor == CUDA && fs_cuda_notice ())
    times[CUDA] = MAX (ns, 2 * times[CPU]);
  else
    times[processor] += times[processor] == 0 ? ns : (ns - times[processor]) / MEAN_OF;
}

/* Returns whether a number has changed by more than a fourth since the file was written. */
static gboolean
has_changed (void)
{
  for (int i = 0; i < N_TIMES; i++)
    if (fabs (choice.times.ns[i] - choice.stored.ns[i]) > choice.stored.ns[i] / 4)
      return TRUE;
  return FALSE;
}

/* --- Picking: opening the driver takes a moment, and nobody waits for the lock meanwhile --- */

/* The first cut of a program waits for context and kernels. */
static gboolean
warm_up (void)
{
  enum { N = WARM_UP_PX * WARM_UP_PX };
  static const uint16_t nlink[N];
  int32_t tlink[N] = { 0 };
  FsGrid grid = {
    .width = WARM_UP_PX, .height = WARM_UP_PX, .neighbours = FS_NEIGHBOURS_4, .tlink = tlink
  };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid.nlink[d] = nlink;
  FsSolution solution;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &grid, NULL);
  return solver && fs_solver_solve (solver, NULL, &solution, NULL) && !fs_cuda_notice ();
}

/* Returns whether the wanted device is there; else notes why it is not. */
static gboolean
has_wanted (gboolean (*is_available) (GError **error))
{
  g_autoptr (GError) error = NULL;
  if (is_available (&error))
    return TRUE;
  g_mutex_lock (&choice.mutex);
  set_notice (g_strdup_printf (_ ("%s; using the CPU"), error->message));
  g_mutex_unlock (&choice.mutex);
  return FALSE;
}

void
fs_backend_choice_want_device (void)
{
  g_mutex_lock (&choice.mutex);
  const gboolean is_wanted = choice.is_device_wanted = get_want () != WANT_CPU;
  g_mutex_unlock (&choice.mutex);
  if (is_wanted && !fs_cuda_may_be_there ())
    has_wanted (fs_cuda_is_available);
}

/* Makes the device ready, and notes how long that takes. */
static gboolean
ready_device (FsWork work, size_t n_pixels)
{
  gint64 start = g_get_monotonic_time ();
  g_mutex_lock (&choice.mutex);
  const gboolean is_wanted = choice.is_device_wanted;
  g_mutex_unlock (&choice.mutex);
  if (is_wanted ? !has_wanted (fs_cuda_is_available) : !fs_cuda_is_available (NULL))
    return FALSE;
  gboolean works = warm_up ();
  g_mutex_lock (&choice.mutex);
  if (works && !choice.is_ready)
    choice.times.open_us = (double)(g_get_monotonic_time () - start);
  choice.is_ready = works;
  g_mutex_unlock (&choice.mutex);
  if (!works)
    fs_backend_choice_note (work, &fs_backend_cuda, n_pixels, 0);
  return works;
}

const FsBackend *
fs_backend_choice_pick (FsWork work, size_t n_pixels)
{
  g_mutex_lock (&choice.mutex);
  Want want = get_want ();
  gboolean is_faster = is_device_faster (work, n_pixels), is_ready = choice.is_ready;
  g_mutex_unlock (&choice.mutex);
  if (want == WANT_CUDA)
    return has_wanted (fs_cuda_is_available) ? &fs_backend_cuda : &fs_backend_cpu;
  return is_faster && (is_ready || ready_device (work, n_pixels)) ? &fs_backend_cuda
                                                                  : &fs_backend_cpu;
}

void
fs_backend_choice_note (FsWork work, const FsBackend *picked, size_t n_pixels, gint64 us)
{
  g_return_if_fail (picked && n_pixels > 0);
  g_mutex_lock (&choice.mutex);
  gboolean is_stored = FALSE;
  if (get_want () == WANT_AUTO && fs_cuda_may_be_there ()) {
    read_times ();
    update_times (work, picked == &fs_backend_cuda ? CUDA : CPU,
                  (double)MAX (us, 1) * 1e3 / (double)n_pixels);
    is_stored = has_changed ();
    if (is_stored)
      choice.stored = choice.times;
  }
  Times times = choice.times;
  g_mutex_unlock (&choice.mutex);
  if (is_stored)
    write_file (&times);
}

const FsGraphBackend *
fs_backend_choice_pick_graph (const FsGraph *graph)
{
  g_mutex_lock (&choice.mutex);
  Want want = get_want ();
  const double *ns = choice.times.ns + CUT;
  gboolean worth = fs_graph_cuda_is_worth (graph->n_nodes, graph->n_edges) && may_use_device ()
                   && ns[CUDA] > 0 && ns[CUDA] < ns[CPU];
  g_mutex_unlock (&choice.mutex);
  if (want == WANT_CUDA)
    return has_wanted (fs_graph_cuda_is_available) ? &fs_graph_backend_cuda : &fs_graph_backend_cpu;
  return worth && fs_graph_cuda_is_available (NULL) ? &fs_graph_backend_cuda
                                                    : &fs_graph_backend_cpu;
}

/* --- Notices --- */

const char *
fs_backend_choice_take_notice (void)
{
  const char *failure = fs_cuda_notice ();
  g_mutex_lock (&choice.mutex);
  const char *notice = failure ? failure : choice.notice;
  if (notice == choice.reported)
    notice = NULL;
  else
    choice.reported = notice;
  g_mutex_unlock (&choice.mutex);
  return notice;
}

void
fs_backend_choice_forget (void)
{
  g_mutex_lock (&choice.mutex);
  choice.want = WANT_ENVIRONMENT;
  choice.is_read = choice.is_ready = choice.is_device_wanted = FALSE;
  choice.notice = choice.reported = NULL;
  g_mutex_unlock (&choice.mutex);
}
