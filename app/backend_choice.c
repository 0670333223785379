/* SPDX-License-Identifier: MIT */
#include "app/backend_choice.h"

#include "solver/cuda.h"
#include "solver/graph_cuda.h"

#include <glib/gi18n.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

typedef enum { WANT_ENVIRONMENT, WANT_AUTO, WANT_CPU, WANT_CUDA } Want;

static struct {
  GMutex mutex; /* of all but the last two */
  Want want;
  gboolean is_read, holds; /* the file was looked for; it is there and may be believed */
  FsBackendTimes times;
  const char *notice, *told; /* to be told; the last one that was */
  GThread *beside;
  atomic_bool stop;
} choice;

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

char *
fs_backend_choice_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fretsaw", "backends", NULL);
}

/* --- With the lock held --- */

/* Takes the text. */
static void
note (char *text)
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
    note (g_strdup_printf (_ ("FRETSAW_BACKEND takes auto, cpu or cuda, not “%s”"), name));
  return want;
}

static void
read_file (void)
{
  if (choice.is_read)
    return;
  g_autofree char *path = fs_backend_choice_path ();
  choice.is_read = TRUE;
  choice.holds = fs_backend_times_read (&choice.times, path);
}

static gboolean
is_faster (FsWork work, size_t n_pixels)
{
  read_file ();
  return choice.holds && !fs_cuda_notice ()
         && fs_backend_times_cuda (&choice.times, work, n_pixels)
                < fs_backend_times_cpu (&choice.times, work, n_pixels);
}

/* --- Opening the driver, which takes a moment: nobody waits for the lock meanwhile --- */

/* The file may be of another device, driver or version. */
static gboolean
still_holds (void)
{
  g_autofree char *key = fs_cuda_is_available (NULL) ? fs_backend_times_key () : NULL;
  g_mutex_lock (&choice.mutex);
  gboolean holds = choice.holds && key && strcmp (key, choice.times.key) == 0;
  choice.holds = holds;
  g_mutex_unlock (&choice.mutex);
  return holds;
}

/* Whether the wanted device is there; else notes why it is not. */
static gboolean
has_wanted (gboolean (*is_available) (GError **error))
{
  g_autoptr (GError) error = NULL;
  if (is_available (&error))
    return TRUE;
  g_mutex_lock (&choice.mutex);
  note (g_strdup_printf (_ ("%s; the processor cuts"), error->message));
  g_mutex_unlock (&choice.mutex);
  return FALSE;
}

const FsBackend *
fs_backend_choice_pick (FsWork work, size_t n_pixels)
{
  g_mutex_lock (&choice.mutex);
  Want want = get_want ();
  gboolean worth = want == WANT_AUTO && is_faster (work, n_pixels);
  g_mutex_unlock (&choice.mutex);
  if (want == WANT_CUDA)
    return has_wanted (fs_cuda_is_available) ? &fs_backend_cuda : &fs_backend_cpu;
  return worth && still_holds () ? &fs_backend_cuda : &fs_backend_cpu;
}

const FsGraphBackend *
fs_backend_choice_pick_graph (const FsGraph *graph)
{
  g_mutex_lock (&choice.mutex);
  Want want = get_want ();
  gboolean worth = want == WANT_AUTO && fs_graph_cuda_is_worth (graph->n_nodes, graph->n_edges);
  if (worth)
    read_file ();
  worth = worth && choice.holds && !fs_cuda_notice ();
  g_mutex_unlock (&choice.mutex);
  if (want == WANT_CUDA)
    return has_wanted (fs_graph_cuda_is_available) ? &fs_graph_backend_cuda : &fs_graph_backend_cpu;
  return worth && still_holds () && fs_graph_cuda_is_available (NULL) ? &fs_graph_backend_cuda
                                                                      : &fs_graph_backend_cpu;
}

/* --- Notices --- */

const char *
fs_backend_choice_take_notice (void)
{
  const char *failure = fs_cuda_notice ();
  g_mutex_lock (&choice.mutex);
  const char *notice = failure ? failure : choice.notice;
  if (notice == choice.told)
    notice = NULL;
  else
    choice.told = notice;
  g_mutex_unlock (&choice.mutex);
  return notice;
}

void
fs_backend_choice_forget (void)
{
  g_mutex_lock (&choice.mutex);
  choice.want = WANT_ENVIRONMENT;
  choice.is_read = choice.holds = FALSE;
  choice.notice = choice.told = NULL;
  g_mutex_unlock (&choice.mutex);
}

/* --- Measuring --- */

static gboolean
measure_and_keep (FsBackendTimes *times, const FsProgress *progress, GError **error)
{
  g_autofree char *path = fs_backend_choice_path ();
  if (!fs_backend_times_measure (times, FS_BACKEND_LARGEST_PX, progress, error)
      || !fs_backend_times_write (times, path, error))
    return FALSE;
  g_mutex_lock (&choice.mutex);
  choice.times = *times;
  choice.is_read = choice.holds = TRUE;
  g_mutex_unlock (&choice.mutex);
  return TRUE;
}

gboolean
fs_backend_choice_measure (FsBackendTimes *times, GError **error)
{
  return measure_and_keep (times, NULL, error);
}

static gboolean
is_wanting (void)
{
  g_mutex_lock (&choice.mutex);
  gboolean is_auto = get_want () == WANT_AUTO;
  read_file ();
  g_mutex_unlock (&choice.mutex);
  return is_auto && fs_cuda_is_available (NULL) && !still_holds ();
}

static gpointer
measure_beside (gpointer data)
{
  FsBackendTimes times;
  FsProgress progress = { .cancel = &choice.stop };
  if (is_wanting ())
    measure_and_keep (&times, &progress, NULL);
  return NULL;
}

void
fs_backend_choice_measure_beside (void)
{
  static gboolean is_begun;
  if (is_begun)
    return;
  is_begun = TRUE;
  choice.beside = g_thread_try_new ("measure", measure_beside, NULL, NULL);
}

void
fs_backend_choice_stop (void)
{
  atomic_store (&choice.stop, true);
  g_clear_pointer (&choice.beside, g_thread_join);
}
