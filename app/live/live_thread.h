/* SPDX-License-Identifier: MIT */
/* The live loop: edits in, exact masks out, on a thread of its own.   Layer: app.
 *
 * The thread owns the energy, the solver and a history of its own. It takes all waiting edits,
 * computes the t-links of the pixels whose label changed, solves from the last flow, and puts the
 * changed tiles of the mask into a mailbox; the owner is woken and copies them out.
 *
 * While a stroke grows the colour models stay as they are (live_step.h has the exception). After a
 * stroke, undo or redo they are fitted to the seed map. So the final mask is a function of the seed
 * map alone; with stability, of the strokes and their previous masks (docs/decisions/stability.md).
 *
 * A mask is published with its generation, the number of edits that it holds. Generations never
 * fall. A result that an undo, redo, cancel or change of settings has overtaken is not published.
 *
 * Threads: made, posted to, collected from and freed on one thread, the owner's. No call blocks for
 * long: freeing cancels the thread and does not wait for its end.
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

/* Starts the thread, which makes the n-links at once. `wake` is called on `context` whenever there
 * is something to collect. NULL where memory for a mask is short. If the thread cannot be started,
 * fs_live_collect gives the error. */
FsLive *fs_live_new (FsImage *image, const FsSettings *settings, GMainContext *context,
                     void (*wake) (gpointer user_data), gpointer user_data);
void fs_live_free (FsLive *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLive, fs_live_free)

/* Blocks until the threads of all freed live loops have ended: usually a third of a second, five
 * seconds at most. Returns how many have not. To be called before a program exits, because a thread
 * that frees device memory while the GPU's driver shuts down would crash. */
guint fs_live_wait_for_threads (void);

/* Hands an edit over and returns its generation: 1 for the first. */
guint64 fs_live_post (FsLive *live, const FsEdit *edit);

/* The stage of its threads' work, and how much of that is done, 0 … 1; 0 also where unknown. */
FsStage fs_live_get_stage (FsLive *live, double *fraction);

/* Copies the tiles that changed since the last call into `mask` (W·H bytes, 0 or 1) and marks them
 * in `tiles` (as fs_solver_take_changed_tiles). FALSE with `error` set where the thread has failed
 * since the last call: no edit is lost, and the next one makes it try again. */
gboolean fs_live_collect (FsLive *live, uint8_t *mask, uint8_t *tiles, FsLiveState *state,
                          GError **error);

G_END_DECLS

#endif
