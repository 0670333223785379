/* SPDX-License-Identifier: MIT */
/* The offer to open the session that is saved beside a photo.   Layer: ui.
 * Threads: the main one. */
#ifndef FS_UI_WINDOW_SESSION_OFFER_H
#define FS_UI_WINDOW_SESSION_OFFER_H

#include "ui/status/message_bar.h"

G_BEGIN_DECLS

/* Asks in the window's message bar, unless something else is asked there; NULL takes back what was
 * asked about a photo before. Where strokes were painted meanwhile the session comes in another
 * window. */
void fs_session_offer_show (GtkWindow *window, FsMessageBar *messages, const char *session_path);

G_END_DECLS

#endif
