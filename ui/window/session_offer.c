/* SPDX-License-Identifier: MIT */
#include "ui/window/session_offer.h"

#include "app/files/display_name.h"
#include "ui/open/open_files.h"
#include <glib/gi18n.h>

typedef struct {
  GtkWindow *window;
  char *session_path;
} Offer;

/* The window's offer that is not answered yet. */
static const char *const key = "fs-session-offer";

static void
on_offer_answer (FsAnswer answer, gpointer user_data)
{
  Offer *offer = user_data;
  GtkWindow *window = offer->window;
  g_autoptr (GFile) file = g_file_new_for_path (offer->session_path);
  g_object_set_data (G_OBJECT (window), key, NULL);
  g_free (offer->session_path);
  g_free (offer);
  if (answer == FS_ANSWER_ACCEPT)
    fs_open_files (window, &file, 1);
}

void
fs_session_offer_show (GtkWindow *window, FsMessageBar *messages, const char *session_path)
{
  if (g_object_get_data (G_OBJECT (window), key) != NULL)
    fs_message_bar_withdraw (messages);
  if (session_path == NULL || fs_message_bar_get_question (messages) != NULL)
    return;
  Offer *offer = g_new0 (Offer, 1);
  offer->window = window;
  offer->session_path = g_strdup (session_path);
  g_object_set_data (G_OBJECT (window), key, offer);
  g_autofree char *shown = fs_display_name (session_path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text =
      g_strdup_printf (_ ("Strokes on this photo are saved in the same folder, in “%s”."), name);
  fs_message_bar_ask (messages, text, _ ("_Open Them"), _ ("_Begin Anew"), on_offer_answer, offer);
}
