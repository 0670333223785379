/* SPDX-License-Identifier: MIT */
/* History: strokes with undo and redo, and the seed map that they paint.   Layer: app.
 *
 * The seed map is a function of the strokes that are not undone, painted in order: later strokes
 * overwrite earlier ones, erasers clear, undo restores. Only the newest outline (stroke.h) counts:
 * what was painted before it outside of it becomes background. Undo repaints, within the undone
 * stroke's bounds, the strokes that intersect them; it stores no snapshots, so there is no
 * practical limit. Where an outline is added or removed the whole map may change, and no pixels are
 * listed.
 *
 * A first guess is one of the strokes, and the newest one counts. It paints nothing.
 *
 * Threads: one thread at a time. The document and the solver thread each keep a history of their
 * own and play the same edits into it.
 */
#ifndef FS_APP_STROKES_HISTORY_H
#define FS_APP_STROKES_HISTORY_H

#include "app/strokes/stroke.h"
#include "energy/image/settings.h"

G_BEGIN_DECLS

typedef struct _FsHistory FsHistory;

/* NULL where memory is short. `start` (may be NULL) is a plane of labels below all strokes. */
FsHistory *fs_history_new (int width, int height, const uint8_t *start);
/* A copy of the first n finished strokes of another history. */
FsHistory *fs_history_new_of_first (FsHistory *history, guint n);
void fs_history_free (FsHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsHistory, fs_history_free)

const FsSeedMap *fs_history_get_seeds (FsHistory *history);
/* The seeds without those of an outline, for display. Valid until the next edit. With an outline it
 * is a second map, made by the first call. */
const FsSeedMap *fs_history_get_brushed (FsHistory *history);

/* Strokes that are not undone, finished or growing; and those that redo can bring back. */
guint fs_history_get_n_strokes (FsHistory *history);
guint fs_history_get_n_undone (FsHistory *history);
const FsStroke *fs_history_get_stroke (FsHistory *history, guint i);
/* A stroke that redo can bring back, the next one first. */
const FsStroke *fs_history_get_undone (FsHistory *history, guint i);
gboolean fs_history_is_drawing (FsHistory *history);

/* Starts a stroke. Only while no stroke grows. */
void fs_history_begin (FsHistory *history, uint8_t label, float radius_px);
/* The same for one whose previous mask is the final one of the first `after` strokes: 0, for none,
 * up to the number of finished strokes. */
void fs_history_begin_after (FsHistory *history, uint8_t label, float radius_px, guint after);
/* The same for a stroke of any shape. */
void fs_history_begin_shape (FsHistory *history, FsStrokeShape shape, uint8_t label,
                             float radius_px, guint after);
/* The number of finished strokes up to the newest outline, itself included; 0 without one. */
guint fs_history_get_outlined (FsHistory *history);
/* The guess that counts, with its name; NULL where there is none. */
const FsStroke *fs_history_get_guess (FsHistory *history);
/* The number of finished strokes up to the newest outline or guess, set or dismissed, itself
 * included; 0 without one. No stroke has a previous mask from before. */
guint fs_history_get_newest_base (FsHistory *history);
/* The settings with the changes that strokes make: with an outline there is no star. */
FsSettings fs_history_refine_settings (FsHistory *history, const FsSettings *settings);
/* Appends samples and paints them; an outline paints nothing before it ends. Pixels whose label
 * changed go to `changed` (may be NULL); returns the rectangle that may have changed. Samples that
 * are not finite are dropped. */
FsRect fs_history_extend (FsHistory *history, const FsSample *samples, guint n,
                          FsPixelList *changed);
/* Ends the stroke and drops what redo could bring back. A stroke without samples, or an outline of
 * fewer than three, is removed. Returns the rectangle that may have changed: empty except for
 * outlines. */
FsRect fs_history_end (FsHistory *history);
/* Adds a guess, or with NULL dismisses it (fs_stroke_new_guess), and drops what redo could bring
 * back. Only while no stroke grows. */
void fs_history_set_guess (FsHistory *history, FsGuess *guess, const char *name);
/* Removes the growing stroke, as if it had never begun. */
FsRect fs_history_cancel (FsHistory *history, FsPixelList *changed);

/* Drops what redo could bring back. */
void fs_history_drop_undone (FsHistory *history);

/* Removes the previous masks of all strokes, those that redo can bring back included. */
void fs_history_forget_masks (FsHistory *history);

/* Appends the pixels that the strokes after the first `after` paint, the growing one included, each
 * once. There is no outline among them. FALSE where memory is short. */
gboolean fs_history_list_painted (FsHistory *history, guint after, FsPixelList *painted);

/* FALSE when there is nothing to undo or redo, or a stroke is growing. `damage` may be NULL. */
gboolean fs_history_undo (FsHistory *history, FsPixelList *changed, FsRect *damage);
gboolean fs_history_redo (FsHistory *history, FsPixelList *changed, FsRect *damage);

G_END_DECLS

#endif
