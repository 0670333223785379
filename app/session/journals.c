/* SPDX-License-Identifier: MIT */
#include "app/session/journals.h"

#include "app/session/pasted.h"

#include <glib/gstdio.h>
#include <string.h>

#define STALE_S        3600
#define STALE_PASTED_S (7 * 24 * 3600)

char *
fs_journals_folder (void)
{
  const char *state = g_getenv ("XDG_STATE_HOME");
  if (state && g_path_is_absolute (state))
    return g_build_filename (state, "fretsaw", "journals", NULL);
  return g_build_filename (g_get_home_dir (), ".local", "state", "fretsaw", "journals", NULL);
}

void
fs_lost_work_free (FsLostWork *lost)
{
  if (!lost)
    return;
  fs_journal_free (lost->journal);
  fs_journal_content_free (lost->content);
  g_free (lost);
}

static void
remove_stale (const char *path, gint64 age_s)
{
  GStatBuf facts;
  if (g_lstat (path, &facts) == 0 && g_get_real_time () / G_USEC_PER_SEC - facts.st_mtime > age_s)
    g_unlink (path);
}

/* Journals of older versions do not say what objects are called; the session does. */
static void
take_labels (FsJournalContent *content)
{
  if (content->has_labels || !content->session_path)
    return;
  g_autoptr (FsSession) session = fs_session_read (content->session_path, NULL);
  if (!session)
    return;
  fs_session_copy_labels (content->session, session);
  fs_session_complete_labels (content->session);
}

static void
look_at (GPtrArray *found, const char *path)
{
  g_autoptr (FsLostWork) lost = g_new0 (FsLostWork, 1);
  lost->journal = fs_journal_open (path, &lost->content, NULL);
  if (!lost->journal)
    return;
  take_labels (lost->content);
  const FsSession *session = lost->content->session;
  if (session->strokes->len + session->edge->len > 0 || lost->content->damaged)
    g_ptr_array_add (found, g_steal_pointer (&lost));
  else
    fs_journal_remove (g_steal_pointer (&lost->journal));
}

static gint64
changed_at (const FsLostWork *lost)
{
  GStatBuf facts;
  if (g_stat (fs_journal_get_path (lost->journal), &facts) < 0)
    return 0;
  return (gint64)facts.st_mtim.tv_sec * 1000000000 + facts.st_mtim.tv_nsec;
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  gint64 time_a = changed_at (*(FsLostWork *const *)a);
  gint64 time_b = changed_at (*(FsLostWork *const *)b);
  return time_a < time_b ? 1 : time_a > time_b ? -1 : 0;
}

GPtrArray *
fs_journals_find_lost (const char *folder)
{
  g_return_val_if_fail (folder, NULL);

  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_lost_work_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_str_has_suffix (name, FS_JOURNAL_SUFFIX))
      look_at (found, path);
    else if (g_str_has_prefix (name, FS_JOURNAL_NEW_PREFIX))
      /* Another process may be about to publish a young one. */
      remove_stale (path, STALE_S);
  }
  g_ptr_array_sort (found, compare_newest_first);
  return found;
}

/* The damaged ones that were put aside too. */
static guint
count_journals (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;
  while (dir && (name = g_dir_read_name (dir)))
    n += g_str_has_suffix (name, FS_JOURNAL_SUFFIX)
         || g_str_has_suffix (name, FS_JOURNAL_DAMAGED_SUFFIX);
  return n;
}

static gboolean
is_needed (const GPtrArray *lost, const char *path)
{
  for (guint i = 0; i < lost->len; i++)
    if (strcmp (((const FsLostWork *)lost->pdata[i])->content->photo, path) == 0)
      return TRUE;
  return FALSE;
}

void
fs_journals_tidy_pasted (const char *folder, const GPtrArray *lost)
{
  g_return_if_fail (folder && lost);

  if (count_journals (folder) != lost->len)
    return;
  g_autofree char *pasted = fs_pasted_folder ();
  g_autoptr (GDir) dir = g_dir_open (pasted, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (pasted, name, NULL);
    if (!is_needed (lost, path))
      remove_stale (path, STALE_PASTED_S);
  }
}
