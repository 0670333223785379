/* SPDX-License-Identifier: MIT */
/* The live loop: edits in, exact masks out, on a thread of its own.   Layer: app.
 *
 * The thread owns the energy, the solver and a history of its own. It drains every waiting edit,
 * turns them into the t-links of the pixels that really changed, solves from the last flow, and
 * puts the changed tiles of the mask into a mailbox; the owner is woken and copies them out. While
 * a stroke grows the colour models stand still, except that a side's first stroke needs a model at
 * once; when it has ended, and after undo and redo, they are fitted again to the seed map, so that
 * the final mask is a function of the seed map alone; with stability, of the strokes and their
 * previous masks (docs/decisions/stability.md).
 *
 * A mask is published with the generation (number of edits) that it was computed for. Generations
 * never fall. A result that an undo, redo, cancel or change of settings has overtaken is dropped
 * before it is published.
 *
 * Threads: made, posted to, collected from and freed on one thread, the owner's. No call blocks for
 * long: freeing cancels the thread and leaves it to end by itself.
 */
#ifndef FS_APP_LIVE_LIVE_THREAD_H
#define FS_APP_LIVE_LIVE_THREAD_H

#include "app/live/live_stage.h"
#include "app/live/live_types.h"
#include "app/strokes/stroke.h"
#include "energy/energy.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _FsLive FsLive;

/* Starts the thread; it makes the n-links at once. `wake` is called on `context` whenever there is
 * something to collect. NULL where memory for a mask is short; where it is short for the thread
 * fs_live_collect says so. */
FsLive *fs_live_new (FsImage *image, const FsSettings *settings, GMainContext *context,
                     void (*wake) (gpointer user_data), gpointer user_data);
void fs_live_free (FsLive *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLive, fs_live_free)

/* Blocks until the threads of all live loops that were freed have ended, within a third of a second
 * as a rule, five at most; returns how many have not. For a program that is about to exit: a GPU's
 * driver is torn down then, and a thread that still gives its memory back would crash in it. */
guint fs_live_wait_for_threads (void);

/* Hands an edit over and returns its generation: 1 for the first. */
guint64 fs_live_post (FsLive *live, const FsEdit *edit);

/* What its threads are at, and how much of that is done, 0 … 1; 0 also where that is not known. */
FsStage fs_live_get_stage (FsLive *live, double *fraction);

/* Copies the tiles that changed since the last call into `mask` (W·H bytes, 0 or 1) and marks them
 * in `tiles` (as fs_solver_take_changed_tiles). FALSE with `error` set when the thread failed since
 * the last call: the edits are kept and the next one makes it try again. */
gboolean fs_live_collect (FsLive *live, uint8_t *mask, uint8_t *tiles, FsLiveState *state,
                          GError **error);

G_END_DECLS

#endif
