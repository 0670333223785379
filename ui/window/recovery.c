/* SPDX-License-Identifier: MIT */
#include "ui/window/recovery.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/session/journals.h"
#include "app/session/pasted.h"
#include <glib/gi18n.h>

typedef struct {
  GtkApplication *application; /* not owned: the application owns this */
  GPtrArray *lost;             /* of FsLostWork, the next one first */
} Recovery;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;
  g_ptr_array_unref (recovery->lost);
  g_free (recovery);
}

/* The work that is being offered; it owns its journal. */
typedef struct {
  Recovery *recovery;
  FsWindow *window;
  FsLostWork *lost;
} Offer;

static void offer_next (Recovery *recovery, FsWindow *window);

static void
recover_lost_work (const Offer *offer, FsLostWork *lost)
{
  FsWindow *window = offer->window;
  if (!fs_window_is_free (window))
    window = fs_window_new (offer->recovery->application);
  fs_window_recover (window, lost);
  gtk_window_present (GTK_WINDOW (window));
}

static void
discard_lost_work (FsLostWork *lost)
{
  fs_journal_remove (g_steal_pointer (&lost->journal));
  if (!lost->content->damaged)
    fs_pasted_remove (lost->content->photo);
  fs_lost_work_free (lost);
}

static void
on_recovery_answer (FsAnswer answer, gpointer user_data)
{
  Offer *offer = user_data;
  Recovery *recovery = offer->recovery;
  FsWindow *window = offer->window;
  if (answer == FS_ANSWER_ACCEPT)
    recover_lost_work (offer, g_steal_pointer (&offer->lost));
  else if (answer == FS_ANSWER_REJECT)
    discard_lost_work (g_steal_pointer (&offer->lost));
  fs_lost_work_free (offer->lost);
  g_free (offer);
  if (answer != FS_ANSWER_NONE)
    offer_next (recovery, window);
}

static char *
describe_strokes (const FsLostWork *lost)
{
  const FsJournalContent *content = lost->content;
  const GPtrArray *strokes = content->session->strokes;
  guint n = 0;
  for (guint i = 0; i < strokes->len - content->n_undone; i++)
    n += ((const FsStroke *)strokes->pdata[i])->shape != FS_STROKE_GUESS;
  g_autofree char *path =
      fs_display_name (content->session_path != NULL ? content->session_path : content->photo);
  g_autofree char *name = g_path_get_basename (path);
  if (n == 0)
    return g_strdup_printf (
        _ ("Fretsaw ended before your work on “%s” was saved: it can be recovered."), name);
  return g_strdup_printf (
      ngettext ("Fretsaw ended before your work on “%s” was saved: %u stroke can be recovered.",
                "Fretsaw ended before your work on “%s” was saved: %u strokes can be recovered.",
                n),
      name, n);
}

/* A damaged journal is kept with either answer. */
static char *
describe_question (const FsLostWork *lost)
{
  g_autofree char *strokes = describe_strokes (lost);
  g_autofree char *aside = fs_journal_get_path_aside (lost->journal);
  if (aside == NULL)
    return g_steal_pointer (&strokes);
  g_autofree char *shown = fs_display_name (aside);
  /* Translators: the first %s is the sentence "Fretsaw ended before your work …" */
  return g_strdup_printf (_ ("%s Some of it cannot be read; the whole file stays in %s."), strokes,
                          shown);
}

/* Renames the unreadable journal, so that it is reported only once. */
static void
report_unreadable (FsWindow *window, FsLostWork *taken)
{
  g_autoptr (FsLostWork) lost = taken;
  g_autofree char *aside = fs_journal_get_path_aside (lost->journal);
  g_autofree char *shown = fs_display_name (aside);
  g_autofree char *text = g_strdup_printf (_ ("Fretsaw ended before your work was saved, and none "
                                              "of its strokes can be read. The file stays in %s."),
                                           shown);
  fs_message_bar_show (fs_window_get_messages (window), GTK_MESSAGE_WARNING, text);
  fs_journal_remove (g_steal_pointer (&lost->journal));
}

static void
offer_next (Recovery *recovery, FsWindow *window)
{
  while (recovery->lost->len > 0
         && ((const FsLostWork *)recovery->lost->pdata[0])->content->session->strokes->len == 0)
    report_unreadable (window, g_ptr_array_steal_index (recovery->lost, 0));
  if (recovery->lost->len == 0)
    return;
  Offer *offer = g_new0 (Offer, 1);
  offer->recovery = recovery;
  offer->window = window;
  offer->lost = g_ptr_array_steal_index (recovery->lost, 0);
  g_autofree char *text = describe_question (offer->lost);
  fs_message_bar_ask (fs_window_get_messages (window), text, _ ("_Recover"), _ ("_Discard"),
                      on_recovery_answer, offer);
}

/* The lost work, which is looked for at the first call; `is_new` says whether this was it. */
static Recovery *
get_recovery (GtkApplication *application, gboolean *is_new)
{
  static const char *const key = "fs-recovery";
  Recovery *recovery = g_object_get_data (G_OBJECT (application), key);
  *is_new = recovery == NULL;
  if (recovery != NULL)
    return recovery;
  g_autofree char *folder = fs_journals_folder ();
  recovery = g_new0 (Recovery, 1);
  recovery->application = application;
  recovery->lost = fs_journals_find_lost (folder);
  fs_journals_tidy_pasted (folder, recovery->lost);
  g_object_set_data_full (G_OBJECT (application), key, recovery, recovery_free);
  return recovery;
}

void
fs_recovery_offer (GtkApplication *application, FsWindow *window)
{
  gboolean is_new;
  Recovery *recovery = get_recovery (application, &is_new);
  if (is_new)
    offer_next (recovery, window);
}

gboolean
fs_recovery_take (GtkApplication *application, FsWindow *window, const char *folder)
{
  gboolean is_new;
  Recovery *recovery = get_recovery (application, &is_new);
  FsLostWork *taken = NULL;
  for (guint i = 0; is_new && taken == NULL && i < recovery->lost->len; i++) {
    const FsLostWork *lost = recovery->lost->pdata[i];
    g_autofree char *other = g_path_get_dirname (lost->content->photo);
    if (!lost->content->damaged && fs_same_file (other, folder))
      taken = g_ptr_array_steal_index (recovery->lost, i);
  }
  if (taken != NULL)
    fs_window_recover (window, taken);
  if (is_new)
    offer_next (recovery, window);
  return taken != NULL;
}
