/* SPDX-License-Identifier: MIT */
/* Mailbox of masks, from the solver thread to the main loop.   Layer: app.
 *
 * It has one plane, a bitmap of the changed tiles, and the state of the newest mask. However many
 * masks are published before the main loop collects, each changed tile is copied out once. Nothing
 * is allocated per mask.
 *
 * Threads: one publishes, one collects; a lock is held while tiles are copied.
 */
#ifndef FS_APP_LIVE_MAILBOX_H
#define FS_APP_LIVE_MAILBOX_H

#include "app/live/live_types.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct _FsMailbox FsMailbox;

/* `wake` is called, on the publishing thread, whenever there is something new to collect. NULL when
 * memory for the plane is short. */
FsMailbox *fs_mailbox_new (int width, int height, void (*wake) (gpointer user_data),
                           gpointer user_data);
void fs_mailbox_free (FsMailbox *mailbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMailbox, fs_mailbox_free)

/* Publishes the solver's changed tiles with `state`; state->generation must not fall. `whole`:
 * every tile, as after a new solver or an empty mask. `solver` NULL: an empty mask. */
void fs_mailbox_publish (FsMailbox *mailbox, FsSolver *solver, gboolean whole,
                         const FsLiveState *state);
/* Publishes a mask of W·H bytes; the next publication of a solver's mask must be whole. */
void fs_mailbox_publish_plane (FsMailbox *mailbox, const uint8_t *mask, const FsLiveState *state);
/* Publishes an error in place of the mask of that generation. */
void fs_mailbox_post_error (FsMailbox *mailbox, const GError *error, guint64 generation);

/* See fs_live_collect. */
gboolean fs_mailbox_collect (FsMailbox *mailbox, uint8_t *mask, uint8_t *tiles, FsLiveState *state,
                             GError **error);

G_END_DECLS

#endif
