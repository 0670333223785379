/* SPDX-License-Identifier: MIT */
/* Queue of tasks that wait for the final mask of a document (document.h).   Layer: app.
 *
 * They are answered in order, in turns of the main loop. A caller that is answered may paint and
 * wait again, for the next mask. If there will be no mask before the next edit all fail, also those
 * that are added until then.
 *
 * Threads: the one whose thread-default main context it was made in.
 */
#ifndef FS_APP_LIVE_FINAL_WAITERS_H
#define FS_APP_LIVE_FINAL_WAITERS_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  GObject *owner; /* that holds this, and is held while tasks are answered */
  gboolean (*is_final) (gpointer owner);
  GQueue waiting;     /* of Waiter */
  GSource *answering; /* ready where the first of them can be answered */
  GError *failure;    /* of the present generation, or NULL */
} FsFinalWaiters;

/* `is_final` says whether the owner's mask is that of all that was painted. */
void fs_final_waiters_init (FsFinalWaiters *waiters, GObject *owner,
                            gboolean (*is_final) (gpointer owner));
void fs_final_waiters_clear (FsFinalWaiters *waiters);

/* Takes the task, which returns TRUE when the mask is final, or an error. */
void fs_final_waiters_add (FsFinalWaiters *waiters, GTask *task);

/* No mask of the present strokes comes until the next edit. */
void fs_final_waiters_fail (FsFinalWaiters *waiters, const GError *error);
/* There is a new edit, so that a mask may come again. */
void fs_final_waiters_expect (FsFinalWaiters *waiters);

/* To be called when the mask may have become final. */
void fs_final_waiters_answer (FsFinalWaiters *waiters);

G_END_DECLS

#endif
