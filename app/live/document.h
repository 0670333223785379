/* SPDX-License-Identifier: MIT */
/* Document: a photo with its strokes, undo, settings and mask, as a GObject.   Layer: app.
 *
 * Widgets talk to no other object. An edit is applied to the marks at once and posted to the live
 * loop (live_thread.h), whose thread updates the exact cut. Masks arrive on the main context in the
 * order of their generations and are merged tile by tile before "mask-updated" is emitted.
 *
 * Properties (read only, notify): "can-undo", "can-redo", "busy" (boolean; the mask of some edit is
 * not there yet).
 *
 * Signals:
 *   "edited"        (int edit)                      an FsDocumentEdit is done
 *   "marks-updated" (gpointer const FsRect *rect)   the seed map changed inside rect
 *   "mask-updated"  (gpointer const FsRect *rects, guint n_rects)   the mask changed inside these
 * tiles "status-changed" ()                             fs_document_get_status() says something new
 *   "edge-changed"  (gpointer const FsRect *rect)   zones of the edge changed inside rect; or,
 * where that is empty, its settings (document_edge.h) "failed" (const GError *error) the solver
 * failed; no stroke is lost
 *
 * Threads: the thread that made it (its thread-default main context receives the masks). No call
 * blocks.
 */
#ifndef FS_APP_LIVE_DOCUMENT_H
#define FS_APP_LIVE_DOCUMENT_H

#include "app/live/live_stage.h"
#include "app/live/live_types.h"
#include "app/strokes/history.h"
#include "energy/image/image.h"
#include "energy/image/settings.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_TYPE_DOCUMENT (fs_document_get_type ())
G_DECLARE_FINAL_TYPE (FsDocument, fs_document, FS, DOCUMENT, GObject)

/* Takes a reference to the image and starts the solver thread, which builds the n-links at once.
 * Failures of the thread arrive by "failed". `settings` may be NULL for the defaults. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
FsDocument *fs_document_new (FsImage *image, const FsSettings *settings, GError **error);

/* Strokes that are not undone, guesses and the growing one included; owned by the document, until
 * it changes.
 */
guint fs_document_get_n_strokes (FsDocument *self);
const FsStroke *fs_document_get_stroke (FsDocument *self, guint i);
/* The same without the growing one. */
guint fs_document_get_n_finished (FsDocument *self);
/* Those that redo can bring back, the next one first; the same rules. */
guint fs_document_get_n_undone (FsDocument *self);
const FsStroke *fs_document_get_undone (FsDocument *self, guint i);

FsImage *fs_document_get_image (FsDocument *self);
/* The seed map as painted, also while a stroke grows: width·height labels. */
const uint8_t *fs_document_get_marks (FsDocument *self);
/* The number of objects that they, or an imported guess, name. */
int fs_document_count_objects (FsDocument *self);
/* The same without what an outline fixes: what is to be shown as painted. Until the next edit. */
const uint8_t *fs_document_get_brushed (FsDocument *self);
/* The newest outline that is not undone, growing or not; NULL without one. */
const FsStroke *fs_document_get_outline (FsDocument *self);
/* The newest mask, width·height bytes, 0 or 1; all 0 until the first one. Changes only on
 * "mask-updated". */
const uint8_t *fs_document_get_mask (FsDocument *self);
FsDocumentStatus fs_document_get_status (FsDocument *self);
/* The stage of the work while no mask is final, and its progress, 0 … 1. */
FsStage fs_document_get_stage (FsDocument *self, double *fraction);
FsSettings fs_document_get_settings (FsDocument *self);

/* Painting. `label` 0 erases, FS_SEED_BACKGROUND, FS_SEED_OBJECT, …. Edits while a stroke grows
 * (undo, redo, begin) are ignored and return FALSE. */
gboolean fs_document_begin_stroke (FsDocument *self, uint8_t label, float radius_px);
/* The same for a stroke whose previous mask is the final one of the first `after` strokes (0:
 * none). A mask that is not there is computed, which takes longer. Without stability, and where
 * these strokes leave no seeds, it has no effect. FALSE also where there are not so many strokes,
 * or an outline or a guess comes after them. */
gboolean fs_document_begin_stroke_after (FsDocument *self, uint8_t label, float radius_px,
                                         guint after);
/* The same for a stroke of any shape (stroke.h). An outline has no previous mask, and no stroke
 * has one from before an outline. */
gboolean fs_document_begin_shape (FsDocument *self, FsStrokeShape shape, uint8_t label,
                                  float radius_px, guint after);
/* One that was painted before, with its own `after`, or without where that is not valid any more. A
 * guess is set, or dismissed, and nothing grows then. FALSE only while a stroke grows. */
gboolean fs_document_begin_again (FsDocument *self, const FsStroke *stroke);
/* `after` of a stroke that begins now: the number of strokes, not undone, of the newest final mask;
 * 0 for none, and always without stability. */
guint fs_document_get_newest_final (FsDocument *self);
void fs_document_extend_stroke (FsDocument *self, const FsSample *samples, guint n);
void fs_document_end_stroke (FsDocument *self);
void fs_document_cancel_stroke (FsDocument *self);
gboolean fs_document_is_drawing (FsDocument *self);

gboolean fs_document_undo (FsDocument *self);
gboolean fs_document_redo (FsDocument *self);
gboolean fs_document_can_undo (FsDocument *self);
gboolean fs_document_can_redo (FsDocument *self);

/* Sets a first guess (energy/guess/guess.h), of the photo's size, in place of the one before, or
 * with NULL dismisses it: one edit, which undo takes back in its turn among the strokes. `name` is
 * the name that people see, one line of UTF-8, or NULL. Until models are fitted to it the mask
 * stays as it was. Strokes say how far it is trusted (energy/guess/opinion.h); with strokes of
 * several objects its object side is that of all together, and shared out as the mask is, unless
 * the guess has objects of its own. FALSE, and nothing is done, while a stroke grows, and where
 * that guess, or none, is there already. Takes a reference; cheap. */
gboolean fs_document_set_guess (FsDocument *self, FsGuess *guess, const char *name);
/* The present one and its name; NULL where there is none, or it has none. Until the next edit. */
FsGuess *fs_document_get_guess (FsDocument *self);
const char *fs_document_get_guess_name (FsDocument *self);

void fs_document_set_settings (FsDocument *self, const FsSettings *settings);

/* Calls back once, in another turn of the main loop, when no edit waits any more and no stroke
 * grows: whatever has been painted meanwhile, what is found then is the mask of the present
 * strokes, so that a file always holds that. Errors: G_IO_ERROR_CANCELLED, or the solver's, with
 * which no mask comes before the next edit. */
void fs_document_wait_final_async (FsDocument *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
gboolean fs_document_wait_final_finish (FsDocument *self, GAsyncResult *result, GError **error);

G_END_DECLS

#endif
