/* SPDX-License-Identifier: MIT */
#include "app/live/document.h"

#include "cut/multi_object_cut.h"
#include "app/live/document_private.h"
#include "solver/solver.h"

#include <glib/gi18n.h>

/* The mask of a state of the history. */
typedef enum { NOT_FINAL, FINAL_SAVED, FINAL_DROPPED } MaskState;

enum { PROP_CAN_UNDO = 1, PROP_CAN_REDO, PROP_BUSY, N_PROPS };
enum { EDITED, MARKS_UPDATED, MASK_UPDATED, EDGE_CHANGED, STATUS_CHANGED, FAILED, N_SIGNALS };

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (FsDocument, fs_document, G_TYPE_OBJECT)

static void
set_busy (FsDocument *self, gboolean busy)
{
  if (self->busy == busy)
    return;
  self->busy = busy;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
}

/* --- masks in ------------------------------------------------------------------------------- */

static int
tile_columns (FsDocument *self)
{
  return (self->image->width + FS_MASK_TILE - 1) / FS_MASK_TILE;
}

static int
tile_rows (FsDocument *self)
{
  return (self->image->height + FS_MASK_TILE - 1) / FS_MASK_TILE;
}

/* Neighbouring tiles of a row become one rectangle. */
static void
list_rects (FsDocument *self)
{
  int columns = tile_columns (self), rows = tile_rows (self);
  g_array_set_size (self->rects, 0);
  for (int ty = 0; ty < rows; ty++)
    for (int tx = 0; tx < columns; tx++) {
      if (!self->tiles[ty * columns + tx])
        continue;
      int first = tx;
      while (tx + 1 < columns && self->tiles[ty * columns + tx + 1])
        tx++;
      FsRect r = { first * FS_MASK_TILE, ty * FS_MASK_TILE,
                   MIN ((tx + 1) * FS_MASK_TILE, self->image->width),
                   MIN ((ty + 1) * FS_MASK_TILE, self->image->height) };
      g_array_append_val (self->rects, r);
    }
}

/* --- state in --------------------------------------------------------------------------------- */

static void
take_state (FsDocument *self, const FsLiveState *state)
{
  gint64 now = g_get_monotonic_time ();
  self->status = (FsDocumentStatus){
    .generation = state->generation,
    .has_mask = state->has_mask,
    .exact = state->exact,
    .is_final = state->is_final && state->generation == self->generation,
    .energy = state->energy,
    .bound = state->bound,
    .models_generation = state->models_generation,
    .filtered = state->filtered,
    .refined = state->refined,
    .solve_us = state->solve_us,
    .cut_us = state->cut_us,
    .model_us = state->model_us,
    .energy_us = state->energy_us,
    .latency_us = state->oldest_edit_us ? now - state->oldest_edit_us : 0,
    .edit_us = state->oldest_edit_us,
    .backend = state->backend,
    .device = state->device,
  };
}

/* Records the final mask that the next stroke may have as previous mask. There is none while a
 * stroke grows. */
static void
note_final (FsDocument *self, const FsLiveState *state)
{
  guint n = fs_history_get_n_strokes (self->history);
  if (!self->status.is_final || fs_history_is_drawing (self->history) || n == 0)
    return;
  if (self->final_masks->len < n)
    g_array_set_size (self->final_masks, n);
  g_array_index (self->final_masks, uint8_t, n - 1) = state->saved ? FINAL_SAVED : FINAL_DROPPED;
}

static void
on_wake (gpointer user_data)
{
  g_autoptr (FsDocument) self = g_object_ref (FS_DOCUMENT (user_data));
  g_autoptr (GError) error = NULL;
  FsLiveState state;
  gboolean fine = fs_live_collect (self->live, self->mask, self->tiles, &state, &error);
  take_state (self, &state);
  note_final (self, &state);
  list_rects (self);
  if (self->rects->len > 0)
    g_signal_emit (self, signals[MASK_UPDATED], 0, self->rects->data, self->rects->len);
  set_busy (self, fine && !self->status.is_final);
  g_signal_emit (self, signals[STATUS_CHANGED], 0);
  if (!fine)
    g_signal_emit (self, signals[FAILED], 0, error);
  if (error && state.failed_at == self->generation)
    fs_final_waiters_fail (&self->waiters, error);
  fs_final_waiters_answer (&self->waiters);
}

/* --- edits out ------------------------------------------------------------------------------ */

static void
post (FsDocument *self, const FsEdit *edit)
{
  self->generation = fs_live_post (self->live, edit);
  fs_final_waiters_expect (&self->waiters);
  self->status.is_final = FALSE;
  set_busy (self, TRUE);
}

static void
marks_changed (FsDocument *self, FsRect rect)
{
  if (!fs_rect_is_empty (rect))
    g_signal_emit (self, signals[MARKS_UPDATED], 0, &rect);
}

void
fs_document_notify_undo_redo (FsDocument *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CAN_UNDO]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CAN_REDO]);
}

static void
edited (FsDocument *self, FsDocumentEdit edit)
{
  g_signal_emit (self, signals[EDITED], 0, (int)edit);
}

void
fs_document_history_changed (FsDocument *self, FsDocumentEdit edit)
{
  fs_document_notify_undo_redo (self);
  edited (self, edit);
}

void
fs_document_edge_changed (FsDocument *self, FsRect rect)
{
  g_signal_emit (self, signals[EDGE_CHANGED], 0, &rect);
}

void
fs_document_edge_edited (FsDocument *self, FsDocumentEdit edit)
{
  fs_history_drop_undone (self->history);
  fs_document_history_changed (self, edit);
}

guint
fs_document_get_newest_final (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), 0);

  if (!self->settings.stability)
    return 0;
  guint n = fs_history_get_n_strokes (self->history) - fs_history_is_drawing (self->history);
  guint first = MAX (fs_history_get_newest_base (self->history), 1);
  for (guint i = MIN (n, self->final_masks->len); i >= first; i--)
    if (g_array_index (self->final_masks, uint8_t, i - 1) != NOT_FINAL)
      return g_array_index (self->final_masks, uint8_t, i - 1) == FINAL_SAVED ? i : 0;
  return 0;
}

gboolean
fs_document_begin_stroke (FsDocument *self, uint8_t label, float radius_px)
{
  return fs_document_begin_stroke_after (self, label, radius_px,
                                         fs_document_get_newest_final (self));
}

static gboolean
can_refer_to (FsDocument *self, guint after)
{
  return after == 0
         || (after >= fs_history_get_newest_base (self->history)
             && after <= fs_history_get_n_strokes (self->history));
}

gboolean
fs_document_begin_stroke_after (FsDocument *self, uint8_t label, float radius_px, guint after)
{
  return fs_document_begin_shape (self, FS_STROKE_BRUSH, label, radius_px, after);
}

gboolean
fs_document_begin_shape (FsDocument *self, FsStrokeShape shape, uint8_t label, float radius_px,
                         guint after)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && radius_px > 0 && shape != FS_STROKE_GUESS, FALSE);

  if (fs_document_is_drawing (self) || !can_refer_to (self, after)
      || (shape == FS_STROKE_OUTLINE && after != 0))
    return FALSE;
  if (!self->settings.stability)
    after = 0;
  fs_history_begin_shape (self->history, shape, label, radius_px, after);
  post (self, &(FsEdit){ .kind = FS_EDIT_BEGIN,
                         .shape = shape,
                         .label = label,
                         .radius_px = radius_px,
                         .after = after });
  fs_document_notify_undo_redo (self);
  return TRUE;
}

static void
extend_zone (FsDocument *self, const FsSample *samples, guint n)
{
  FsRect damage = fs_edge_history_extend (self->edge, samples, n);
  if (!fs_rect_is_empty (damage))
    fs_document_edge_changed (self, damage);
}

static void
end_zone (FsDocument *self)
{
  if (fs_edge_history_end (self->edge, fs_document_count_finished (self)))
    fs_document_edge_edited (self, FS_DOCUMENT_EDGE);
  else
    fs_document_notify_undo_redo (self);
}

static void
cancel_zone (FsDocument *self)
{
  FsRect damage = fs_edge_history_cancel (self->edge);
  if (!fs_rect_is_empty (damage))
    fs_document_edge_changed (self, damage);
  fs_document_notify_undo_redo (self);
}

void
fs_document_extend_stroke (FsDocument *self, const FsSample *samples, guint n)
{
  g_return_if_fail (FS_IS_DOCUMENT (self) && fs_document_is_drawing (self));

  if (n == 0)
    return;
  if (fs_edge_history_is_drawing (self->edge)) {
    extend_zone (self, samples, n);
    return;
  }
  FsRect damage = fs_history_extend (self->history, samples, n, NULL);
  post (self, &(FsEdit){ .kind = FS_EDIT_EXTEND, .samples = samples, .n_samples = n });
  marks_changed (self, damage);
}

void
fs_document_end_stroke (FsDocument *self)
{
  g_return_if_fail (FS_IS_DOCUMENT (self) && fs_document_is_drawing (self));

  if (fs_edge_history_is_drawing (self->edge)) {
    end_zone (self);
    return;
  }
  guint before = fs_history_get_n_strokes (self->history) - 1;
  FsRect damage = fs_history_end (self->history);
  if (fs_history_get_n_strokes (self->history) > before && self->final_masks->len > before)
    g_array_set_size (self->final_masks, before);
  post (self, &(FsEdit){ .kind = FS_EDIT_END });
  marks_changed (self, damage);
  if (fs_history_get_n_strokes (self->history) == before) {
    fs_document_notify_undo_redo (self);
    return;
  }
  fs_edge_history_drop_undone (self->edge);
  fs_document_history_changed (self, FS_DOCUMENT_STROKE);
}

void
fs_document_cancel_stroke (FsDocument *self)
{
  g_return_if_fail (FS_IS_DOCUMENT (self) && fs_document_is_drawing (self));

  if (fs_edge_history_is_drawing (self->edge)) {
    cancel_zone (self);
    return;
  }
  FsRect damage = fs_history_cancel (self->history, NULL);
  post (self, &(FsEdit){ .kind = FS_EDIT_CANCEL });
  marks_changed (self, damage);
  fs_document_notify_undo_redo (self);
}

static gboolean
undo_edge (FsDocument *self)
{
  FsRect damage;
  if (fs_document_is_drawing (self)
      || !fs_edge_history_undo (self->edge, fs_document_count_finished (self), &damage))
    return FALSE;
  fs_document_edge_changed (self, damage);
  fs_document_history_changed (self, FS_DOCUMENT_UNDO);
  return TRUE;
}

static gboolean
redo_edge (FsDocument *self)
{
  FsRect damage;
  if (fs_document_is_drawing (self)
      || !fs_edge_history_redo (self->edge, fs_document_count_finished (self), &damage))
    return FALSE;
  fs_document_edge_changed (self, damage);
  fs_document_history_changed (self, FS_DOCUMENT_REDO);
  return TRUE;
}

gboolean
fs_document_undo (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), FALSE);

  FsRect damage;
  if (undo_edge (self))
    return TRUE;
  if (fs_document_is_drawing (self) || !fs_history_undo (self->history, NULL, &damage))
    return FALSE;
  post (self, &(FsEdit){ .kind = FS_EDIT_UNDO });
  marks_changed (self, damage);
  fs_document_history_changed (self, FS_DOCUMENT_UNDO);
  return TRUE;
}

gboolean
fs_document_redo (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), FALSE);

  FsRect damage;
  if (redo_edge (self))
    return TRUE;
  if (fs_document_is_drawing (self) || !fs_history_redo (self->history, NULL, &damage))
    return FALSE;
  post (self, &(FsEdit){ .kind = FS_EDIT_REDO });
  marks_changed (self, damage);
  fs_document_history_changed (self, FS_DOCUMENT_REDO);
  return TRUE;
}

static void
add_guess (FsDocument *self, FsGuess *guess, const char *name)
{
  guint before = fs_history_get_n_strokes (self->history);
  fs_history_set_guess (self->history, guess, name);
  if (self->final_masks->len > before)
    g_array_set_size (self->final_masks, before);
  fs_edge_history_drop_undone (self->edge);
  post (self, &(FsEdit){ .kind = FS_EDIT_GUESS, .guess = guess });
  fs_document_history_changed (self, FS_DOCUMENT_GUESS);
}

gboolean
fs_document_set_guess (FsDocument *self, FsGuess *guess, const char *name)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), FALSE);

  if (fs_document_is_drawing (self) || guess == fs_document_get_guess (self))
    return FALSE;
  add_guess (self, guess, name);
  return TRUE;
}

gboolean
fs_document_begin_again (FsDocument *self, const FsStroke *stroke)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && stroke, FALSE);

  if (stroke->shape == FS_STROKE_GUESS && fs_document_is_drawing (self))
    return FALSE;
  if (stroke->shape == FS_STROKE_GUESS) {
    add_guess (self, stroke->guess, stroke->name);
    return TRUE;
  }
  gboolean has_previous = stroke->shape != FS_STROKE_OUTLINE && can_refer_to (self, stroke->after);
  return fs_document_begin_shape (self, stroke->shape, stroke->label, stroke->radius_px,
                                  has_previous ? stroke->after : 0);
}

void
fs_document_set_settings (FsDocument *self, const FsSettings *settings)
{
  g_return_if_fail (FS_IS_DOCUMENT (self) && settings);

  if (fs_settings_equal (settings, &self->settings))
    return;
  self->settings = *settings;
  fs_history_forget_masks (self->history);
  g_array_set_size (self->final_masks, 0);
  post (self, &(FsEdit){ .kind = FS_EDIT_SETTINGS, .settings = *settings });
  edited (self, FS_DOCUMENT_SETTINGS);
}

void
fs_document_wait_final_async (FsDocument *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FS_IS_DOCUMENT (self));

  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_document_wait_final_async);
  fs_final_waiters_add (&self->waiters, task);
}

gboolean
fs_document_wait_final_finish (FsDocument *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- what it is ----------------------------------------------------------------------------- */

FsImage *
fs_document_get_image (FsDocument *self)
{
  return self->image;
}

guint
fs_document_get_n_finished (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), 0);
  return fs_document_count_finished (self);
}

guint
fs_document_get_n_strokes (FsDocument *self)
{
  return fs_history_get_n_strokes (self->history);
}

const FsStroke *
fs_document_get_stroke (FsDocument *self, guint i)
{
  return fs_history_get_stroke (self->history, i);
}

guint
fs_document_get_n_undone (FsDocument *self)
{
  return fs_history_get_n_undone (self->history);
}

const FsStroke *
fs_document_get_undone (FsDocument *self, guint i)
{
  return fs_history_get_undone (self->history, i);
}

const uint8_t *
fs_document_get_marks (FsDocument *self)
{
  return fs_history_get_seeds (self->history)->label;
}

int
fs_document_count_objects (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), 0);
  const FsSeedMap *seeds = fs_history_get_seeds (self->history);
  const FsGuess *guess = fs_document_get_guess (self);
  int n = 0;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    n +=
        seeds->n_seeds[number] > 0 || (guess && fs_guess_count_object (guess, (uint8_t)number) > 0);
  return n;
}

const uint8_t *
fs_document_get_brushed (FsDocument *self)
{
  return fs_history_get_brushed (self->history)->label;
}

const FsStroke *
fs_document_get_outline (FsDocument *self)
{
  guint n = fs_history_get_n_strokes (self->history);
  const FsStroke *last = n > 0 ? fs_history_get_stroke (self->history, n - 1) : NULL;
  if (last && last->shape == FS_STROKE_OUTLINE)
    return last;
  guint outlined = fs_history_get_outlined (self->history);
  return outlined > 0 ? fs_history_get_stroke (self->history, outlined - 1) : NULL;
}

FsGuess *
fs_document_get_guess (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), NULL);
  const FsStroke *stroke = fs_history_get_guess (self->history);
  return stroke ? stroke->guess : NULL;
}

const char *
fs_document_get_guess_name (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), NULL);
  const FsStroke *stroke = fs_history_get_guess (self->history);
  return stroke ? stroke->name : NULL;
}

const uint8_t *
fs_document_get_mask (FsDocument *self)
{
  return self->mask;
}

FsDocumentStatus
fs_document_get_status (FsDocument *self)
{
  return self->status;
}

FsStage
fs_document_get_stage (FsDocument *self, double *fraction)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && fraction, FS_STAGE_IDLE);

  FsStage stage = fs_live_get_stage (self->live, fraction);
  return self->status.is_final ? FS_STAGE_IDLE : stage;
}

FsSettings
fs_document_get_settings (FsDocument *self)
{
  return self->settings;
}

gboolean
fs_document_is_drawing (FsDocument *self)
{
  return fs_history_is_drawing (self->history) || fs_edge_history_is_drawing (self->edge);
}

gboolean
fs_document_can_undo (FsDocument *self)
{
  return !fs_document_is_drawing (self)
         && (fs_history_get_n_strokes (self->history) > 0
             || fs_edge_history_get_n_done (self->edge) > 0);
}

gboolean
fs_document_can_redo (FsDocument *self)
{
  return !fs_document_is_drawing (self)
         && (fs_history_get_n_undone (self->history) > 0
             || fs_edge_history_get_n_done (self->edge)
                    < fs_edge_history_get_edits (self->edge)->len);
}

FsDocument *
fs_document_new (FsImage *image, const FsSettings *settings, GError **error)
{
  g_return_val_if_fail (image, NULL);

  g_autoptr (FsDocument) self = g_object_new (FS_TYPE_DOCUMENT, NULL);
  self->image = fs_image_ref (image);
  self->settings = settings ? *settings : FS_SETTINGS_DEFAULT;
  self->history = fs_history_new (image->width, image->height, NULL);
  self->edge = fs_edge_history_new (image->width, image->height);
  self->mask = g_try_malloc0 ((gsize)image->width * (gsize)image->height);
  self->tiles = g_malloc0 ((gsize)tile_columns (self) * (gsize)tile_rows (self));
  if (self->history && self->mask)
    self->live = fs_live_new (image, &self->settings, NULL, on_wake, self);
  if (self->live)
    return g_steal_pointer (&self);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               _ ("there is not enough memory for its %llu × %llu pixels"),
               (unsigned long long)image->width, (unsigned long long)image->height);
  return NULL;
}

static void
fs_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FsDocument *self = FS_DOCUMENT (object);
  switch (id) {
  case PROP_CAN_UNDO:
    g_value_set_boolean (value, fs_document_can_undo (self));
    break;
  case PROP_CAN_REDO:
    g_value_set_boolean (value, fs_document_can_redo (self));
    break;
  case PROP_BUSY:
    g_value_set_boolean (value, self->busy);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
fs_document_finalize (GObject *object)
{
  FsDocument *self = FS_DOCUMENT (object);
  fs_live_free (self->live);
  fs_final_waiters_clear (&self->waiters);
  fs_history_free (self->history);
  fs_edge_history_free (self->edge);
  fs_image_unref (self->image);
  g_free (self->mask);
  g_free (self->tiles);
  g_array_unref (self->rects);
  g_array_unref (self->final_masks);
  G_OBJECT_CLASS (fs_document_parent_class)->finalize (object);
}

static void
fs_document_class_init (FsDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->get_property = fs_document_get_property;
  object_class->finalize = fs_document_finalize;

  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  props[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  props[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  GType type = G_TYPE_FROM_CLASS (klass);
  signals[EDITED] = g_signal_new ("edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_INT);
  signals[MARKS_UPDATED] = g_signal_new ("marks-updated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[MASK_UPDATED] = g_signal_new ("mask-updated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
  signals[EDGE_CHANGED] = g_signal_new ("edge-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[STATUS_CHANGED] =
      g_signal_new ("status-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static gboolean
is_final (gpointer document)
{
  FsDocument *self = document;
  return self->status.is_final && !fs_history_is_drawing (self->history);
}

static void
fs_document_init (FsDocument *self)
{
  self->rects = g_array_new (FALSE, FALSE, sizeof (FsRect));
  self->final_masks = g_array_new (FALSE, TRUE, sizeof (uint8_t));
  fs_final_waiters_init (&self->waiters, G_OBJECT (self), is_final);
}
