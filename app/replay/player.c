/* SPDX-License-Identifier: MIT */
#include "app/replay/player.h"

typedef struct {
  FsDocument *document;
  const FsSession *session;
  const FsPlayerWatch *watch; /* or NULL */
  FsPlayerTimes *times;
  GMainLoop *loop;
  GSource *timer;
  GError *error;
  gboolean awaits_final; /* on_final will come                 */
  gboolean resting;      /* between two strokes: the timer ends it */

  guint n_strokes; /* begun */
  guint n_played;  /* samples of the present stroke */
  GArray *due_us;  /* of gint64: when each sample of the present stroke is due */
  gint64 ended_us; /* when the stroke's end was due, until its mask is final; else 0 */
  gint64 idle_us;  /* when the watch had seen the last mask: nothing could be on time before */
  GArray
      *edits_us; /* of gint64: for generation i + 1, when it was due; 0 where no mask can follow */
  guint64 n_shown, n_shown_exact; /* generations that have been seen in a mask, an exact one */
} Player;

void
fs_player_times_init (FsPlayerTimes *times)
{
  fs_latencies_init (&times->masks);
  fs_latencies_init (&times->previews);
  fs_latencies_init (&times->exact);
  fs_latencies_init (&times->final);
}

void
fs_player_times_clear (FsPlayerTimes *times)
{
  fs_latencies_clear (&times->masks);
  fs_latencies_clear (&times->previews);
  fs_latencies_clear (&times->exact);
  fs_latencies_clear (&times->final);
}

/* With an error or, at the end, without. What the document still owes is waited for. */
static void
stop_playing (Player *player, GError *error)
{
  if (player->error)
    g_clear_error (&error);
  else
    player->error = error;
  g_source_set_ready_time (player->timer, -1);
  if (!player->awaits_final)
    g_main_loop_quit (player->loop);
}

/* --- strokes out ------------------------------------------------------------------------------ */

static void wait_until_final (Player *player);

static const FsStroke *
present_stroke (Player *player)
{
  return player->session->strokes->pdata[player->n_strokes - 1];
}

static void
note_edit (Player *player, const FsEdit *edit, gint64 due_us)
{
  if (due_us != 0)
    due_us = MAX (due_us, player->idle_us);
  g_array_append_val (player->edits_us, due_us);
  GError *error = NULL;
  if (player->watch && !player->watch->edit (player->document, edit, player->watch->data, &error))
    stop_playing (player, error);
}

static gint64
due_us (Player *player, guint sample)
{
  return g_array_index (player->due_us, gint64, sample);
}

static void
plan_samples (Player *player, const GArray *samples)
{
  gint64 due = g_get_monotonic_time ();
  g_array_set_size (player->due_us, 0);
  for (guint i = 0; i < samples->len; i++) {
    gint64 time_ms = g_array_index (samples, FsSample, i).time_ms;
    gint64 before_ms = i > 0 ? g_array_index (samples, FsSample, i - 1).time_ms : time_ms;
    due += CLAMP (time_ms - before_ms, 0, FS_PLAYER_MAX_PAUSE_MS) * 1000;
    g_array_append_val (player->due_us, due);
  }
}

static void play_on (Player *player);

static void
play_guess (Player *player, const FsStroke *stroke)
{
  player->ended_us = g_get_monotonic_time ();
  note_edit (player, &(FsEdit){ .kind = FS_EDIT_GUESS, .guess = stroke->guess }, player->ended_us);
  fs_document_begin_again (player->document, stroke);
  play_on (player);
}

static void
begin_stroke (Player *player)
{
  player->resting = FALSE;
  player->ended_us = 0;
  player->n_strokes++;
  player->n_played = 0;
  const FsStroke *stroke = present_stroke (player);
  if (stroke->shape == FS_STROKE_GUESS) {
    play_guess (player, stroke);
    return;
  }
  plan_samples (player, stroke->samples);
  fs_document_begin_again (player->document, stroke);
  const FsStroke *begun = fs_document_get_stroke (player->document, player->n_strokes - 1);
  note_edit (player,
             &(FsEdit){ .kind = FS_EDIT_BEGIN,
                        .shape = begun->shape,
                        .label = begun->label,
                        .radius_px = begun->radius_px,
                        .after = begun->after },
             0);
  g_source_set_ready_time (player->timer, due_us (player, 0));
}

/* Returns whether a later stroke has the mask of those played so far as its previous one. */
static gboolean
has_base (Player *player)
{
  const FsSession *session = player->session;
  for (guint i = player->n_strokes; session->settings.stability && i < session->strokes->len; i++)
    if (((const FsStroke *)session->strokes->pdata[i])->after == player->n_strokes)
      return TRUE;
  return FALSE;
}

static void
play_on (Player *player)
{
  if (player->n_strokes == player->session->strokes->len || player->watch || has_base (player)) {
    wait_until_final (player);
    return;
  }
  /* The mask may be final sooner. */
  player->resting = TRUE;
  g_source_set_ready_time (player->timer, g_get_monotonic_time () + FS_PLAYER_MAX_REST_MS * 1000);
}

static void
end_stroke (Player *player)
{
  player->ended_us = MAX (due_us (player, player->n_played - 1), player->idle_us);
  note_edit (player, &(FsEdit){ .kind = FS_EDIT_END }, player->ended_us);
  fs_document_end_stroke (player->document);
  play_on (player);
}

/* Hands over what is due. Samples that became due together, because this thread was busy, go
 * together, as they would from a window. */
static void
play_samples (Player *player)
{
  const GArray *samples = present_stroke (player)->samples;
  gint64 now = g_get_monotonic_time ();
  guint first = player->n_played, n = first;
  while (n < samples->len && due_us (player, n) <= now)
    n++;
  if (n > first) {
    FsEdit extend = { .kind = FS_EDIT_EXTEND,
                      .samples = &g_array_index (samples, FsSample, first),
                      .n_samples = n - first };
    note_edit (player, &extend, due_us (player, first));
    fs_document_extend_stroke (player->document, extend.samples, extend.n_samples);
    player->n_played = n;
  }
  if (n < samples->len)
    g_source_set_ready_time (player->timer, due_us (player, n));
  else
    end_stroke (player);
}

static gboolean
on_timer (gpointer data)
{
  Player *player = data;
  if (player->resting)
    begin_stroke (player);
  else
    play_samples (player);
  return G_SOURCE_CONTINUE;
}

static void
on_player_final (GObject *source, GAsyncResult *result, gpointer data)
{
  Player *player = data;
  GError *error = NULL;
  player->awaits_final = FALSE;
  gboolean final = fs_document_wait_final_finish (player->document, result, &error);
  if (final && !player->error && player->n_strokes < player->session->strokes->len)
    begin_stroke (player);
  else
    stop_playing (player, error);
}

static void
wait_until_final (Player *player)
{
  player->awaits_final = TRUE;
  fs_document_wait_final_async (player->document, NULL, on_player_final, player);
}

/* --- masks in --------------------------------------------------------------------------------- */

/* When the oldest edit after generation `shown` and up to `generation` was due; 0 where there is
 * none that a mask can follow. */
static gint64
oldest_edit (Player *player, guint64 shown, guint64 generation)
{
  for (guint64 i = shown; i < generation; i++) {
    gint64 edit_us = g_array_index (player->edits_us, gint64, i);
    if (edit_us != 0)
      return edit_us;
  }
  return 0;
}

static void
note_mask (FsLatencies *latencies, gint64 edit_us)
{
  if (edit_us != 0)
    fs_latencies_add (latencies, g_get_monotonic_time () - edit_us);
}

static void
note_masks (Player *player, const FsDocumentStatus *status)
{
  guint64 generation = status->generation;
  gint64 edit_us = oldest_edit (player, player->n_shown, generation);
  note_mask (&player->times->masks, edit_us);
  if (status->exact) {
    note_mask (&player->times->exact, oldest_edit (player, player->n_shown_exact, generation));
    player->n_shown_exact = MAX (player->n_shown_exact, generation);
  } else {
    gboolean only_models = edit_us == 0 && generation > 0;
    if (only_models)
      edit_us = oldest_edit (player, generation - 1, generation);
    note_mask (&player->times->previews, edit_us);
  }
  player->n_shown = MAX (player->n_shown, generation);
}

static void
note_final (Player *player)
{
  if (player->ended_us == 0)
    return;
  fs_latencies_add (&player->times->final, g_get_monotonic_time () - player->ended_us);
  player->ended_us = 0;
  if (player->resting)
    g_source_set_ready_time (player->timer, 0);
}

static void
on_player_status (FsDocument *document, gpointer data)
{
  Player *player = data;
  FsDocumentStatus status = fs_document_get_status (document);
  note_masks (player, &status);
  if (status.is_final && !fs_document_is_drawing (document))
    note_final (player);

  GError *error = NULL;
  if (!player->watch || player->error)
    return;
  if (!player->watch->mask (document, player->watch->data, &error))
    stop_playing (player, error);
  player->idle_us = g_get_monotonic_time ();
}

static void
on_failed (FsDocument *document, const GError *error, gpointer data)
{
  stop_playing (data, g_error_copy (error));
}

/* --- the whole -------------------------------------------------------------------------------- */

static gboolean
dispatch_timer (GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time (source, -1);
  return callback (data);
}

static GSource *
timer_new (Player *player)
{
  static GSourceFuncs funcs = { .dispatch = dispatch_timer };
  GSource *timer = g_source_new (&funcs, sizeof (GSource));
  g_source_set_static_name (timer, "fretsaw player");
  g_source_set_callback (timer, on_timer, player, NULL);
  g_source_attach (timer, g_main_context_get_thread_default ());
  return timer;
}

static void
player_clear (Player *player)
{
  g_signal_handlers_disconnect_by_data (player->document, player);
  g_source_destroy (player->timer);
  g_source_unref (player->timer);
  g_main_loop_unref (player->loop);
  g_array_unref (player->due_us);
  g_array_unref (player->edits_us);
}

gboolean
fs_player_play (FsDocument *document, const FsSession *session, const FsPlayerWatch *watch,
                FsPlayerTimes *times, GError **error)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (document) && session && times, FALSE);

  Player player = { .document = document, .session = session, .watch = watch, .times = times };
  player.loop = g_main_loop_new (g_main_context_get_thread_default (), FALSE);
  player.due_us = g_array_new (FALSE, FALSE, sizeof (gint64));
  player.edits_us = g_array_new (FALSE, FALSE, sizeof (gint64));
  player.timer = timer_new (&player);
  g_signal_connect (document, "status-changed", G_CALLBACK (on_player_status), &player);
  g_signal_connect (document, "failed", G_CALLBACK (on_failed), &player);
  wait_until_final (&player);
  g_main_loop_run (player.loop);
  player_clear (&player);
  if (player.error)
    g_propagate_error (error, player.error);
  return player.error == NULL;
}
