/* SPDX-License-Identifier: MIT */
/* What strokes keep, where the mask is not at hand: nobody waited for it, there was no room, memory
 * ended. And the answers to tasks that wait for the final mask. */
#include "app/live/live_cut.h"
#include "app/live/live_cut_internal.h"
#include "app/session/restore.h"
#include "tests/app/live/random_sessions.h"
#include "tests/faults/faults.h"
#include "tests/gui/fresh_cut.h"

#include <stdbool.h>

static const FsSettings stable = { .neighbours = FS_NEIGHBOURS_8,
                                   .smoothness = 1,
                                   .model = FS_MODEL_GEODESIC,
                                   .star = TRUE,
                                   .stability = TRUE };

static FsImage *
make_image (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  return random_image (rand);
}

/* A line of its own for each i; every one keeps the mask before it. */
static FsStroke *
make_stroke (const FsImage *image, guint i)
{
  FsStroke *stroke = fs_stroke_new (i % 2 ? FS_SEED_BACKGROUND : FS_SEED_OBJECT, 1.5f);
  float x = (float)((i * 37 + 11) % (guint)image->width);
  float y = (float)((i * 23 + 7) % (guint)image->height);
  FsSample samples[] = { { x, y, 1, 0 }, { x + 3, y + 2, 1, 5 } };
  g_array_append_vals (stroke->samples, samples, 2);
  stroke->after = i;
  return stroke;
}

static FsSession *
make_session (const FsImage *image, guint n)
{
  FsSession *session = fs_session_new ();
  session->settings = stable;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (session->strokes, make_stroke (image, i));
  return session;
}

static void
paint (FsDocument *document, const FsStroke *stroke)
{
  g_assert_true (fs_document_begin_again (document, stroke));
  fs_document_extend_stroke (document, (const FsSample *)(gconstpointer)stroke->samples->data,
                             stroke->samples->len);
  fs_document_end_stroke (document);
}

/* The mask of the first n strokes of a session. */
static void
assert_mask_of (FsImage *image, const FsSession *session, guint n, const uint8_t *mask)
{
  size_t n_pixels = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *expected = fresh_cut (image, &session->settings, session->strokes, n);
  g_assert_cmpmem (mask, n_pixels, expected, n_pixels);
}

/* --- tasks that wait -------------------------------------------------------------------------- */

typedef struct {
  FsDocument *document;
  const FsSession *session;
  guint n_painted, n_answered, max;
} Chain;

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  Chain *chain = data;
  FsDocument *document = FS_DOCUMENT (source);
  g_assert_true (fs_document_wait_final_finish (document, result, NULL));
  FsDocumentStatus status = fs_document_get_status (document);
  g_assert_true (status.is_final && status.exact && !fs_document_is_drawing (document));
  assert_mask_of (fs_document_get_image (document), chain->session, chain->n_painted,
                  fs_document_get_mask (document));
  chain->n_answered++;
  if (chain->n_painted == chain->max)
    return;
  paint (document, chain->session->strokes->pdata[chain->n_painted++]);
  fs_document_wait_final_async (document, NULL, on_final, chain);
}

/* Two tasks; each paints as soon as it is answered, and the other one waits for that too. */
static void
test_painting_after_the_answer (void)
{
  g_autoptr (FsImage) image = make_image (1);
  g_autoptr (FsSession) session = make_session (image, 9);
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  Chain chain = { document, session, 0, 0, session->strokes->len };
  fs_document_wait_final_async (document, NULL, on_final, &chain);
  fs_document_wait_final_async (document, NULL, on_final, &chain);
  while (chain.n_answered < chain.max + 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (chain.n_painted, ==, chain.max);
}

static gboolean
ask_and_paint (gpointer data)
{
  Chain *chain = data;
  if (!fs_document_get_status (chain->document).is_final)
    return G_SOURCE_CONTINUE;
  chain->max = chain->n_painted + 1;
  fs_document_wait_final_async (chain->document, NULL, on_final, chain);
  paint (chain->document, chain->session->strokes->pdata[chain->n_painted++]);
  return G_SOURCE_REMOVE;
}

/* What is painted between the question and the answer is in the mask. */
static void
test_painted_after_the_question (void)
{
  g_autoptr (FsImage) image = make_image (2);
  g_autoptr (FsSession) session = make_session (image, 5);
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  Chain chain = { .document = document, .session = session };
  for (guint i = 0; i < session->strokes->len; i++) {
    g_idle_add (ask_and_paint, &chain);
    while (chain.n_answered <= i)
      g_main_context_iteration (NULL, TRUE);
  }
}

static gboolean
paint_next (gpointer data)
{
  Chain *chain = data;
  paint (chain->document, chain->session->strokes->pdata[chain->n_painted++]);
  return G_SOURCE_REMOVE;
}

static gboolean
ask_when_final (gpointer data)
{
  Chain *chain = data;
  if (!fs_document_get_status (chain->document).is_final)
    return G_SOURCE_CONTINUE;
  fs_document_wait_final_async (chain->document, NULL, on_final, chain);
  g_idle_add_full (G_PRIORITY_HIGH, paint_next, chain, NULL);
  return G_SOURCE_REMOVE;
}

/* Waits in the iteration of the main loop that answers another task, and paints before the next. */
static void
test_painted_before_the_answer (void)
{
  g_autoptr (FsImage) image = make_image (2);
  g_autoptr (FsSession) session = make_session (image, 6);
  for (guint i = 0; i < session->strokes->len; i++) {
    Chain chain = { .session = session, .n_painted = i, .max = i };
    g_idle_add_full (G_PRIORITY_DEFAULT, ask_when_final, &chain, NULL);
    g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
    chain.document = document;
    for (guint k = 0; k < i; k++)
      paint (document, session->strokes->pdata[k]);
    fs_document_wait_final_async (document, NULL, on_final, &chain);
    while (chain.n_answered == 0)
      g_main_context_iteration (NULL, TRUE);
    chain.max = i + 1;
    while (chain.n_answered < 2)
      g_main_context_iteration (NULL, TRUE);
  }
}

/* The mask of half a stroke is nobody's. */
static void
test_no_answer_during_a_stroke (void)
{
  g_autoptr (FsImage) image = make_image (3);
  g_autoptr (FsSession) session = make_session (image, 3);
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  for (guint i = 0; i < 2; i++)
    paint (document, session->strokes->pdata[i]);
  wait_for_final (document);
  const FsStroke *stroke = session->strokes->pdata[2];
  const FsSample *samples = (const FsSample *)(gconstpointer)stroke->samples->data;
  Chain chain = { document, session, 3, 0, 3 };
  g_assert_true (fs_document_begin_again (document, stroke));
  fs_document_extend_stroke (document, samples, 1);
  fs_document_wait_final_async (document, NULL, on_final, &chain);
  while (!fs_document_get_status (document).is_final)
    g_main_context_iteration (NULL, TRUE);
  for (int i = 0; i < 50; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (chain.n_answered, ==, 0);
  fs_document_extend_stroke (document, samples + 1, 1);
  fs_document_end_stroke (document);
  while (chain.n_answered == 0)
    g_main_context_iteration (NULL, TRUE);
}

/* --- room ------------------------------------------------------------------------------------- */

typedef struct {
  FsLiveCut *cut;
  FsLiveInterrupt interrupt;
  FsMailbox *mailbox;
  guint64 generation;
  uint8_t *mask, *tiles;
  atomic_bool fitted;
} Loop;

static void
on_wake (gpointer data)
{
}

static void
on_fit_done (gpointer data)
{
  atomic_store (&((Loop *)data)->fitted, true);
}

static void
loop_init (Loop *loop, FsImage *image, gsize n_bytes_max)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  *loop = (Loop){ .mask = g_malloc0 (n), .tiles = g_malloc0 (n) };
  loop->cut = fs_live_cut_new (image, &stable, on_fit_done, loop);
  loop->cut->final_masks.n_bytes_max = n_bytes_max;
  loop->mailbox = fs_mailbox_new (image->width, image->height, on_wake, NULL);
  g_assert_true (fs_live_cut_is_ready (loop->cut));
}

static void
loop_clear (Loop *loop)
{
  fs_live_cut_free (loop->cut);
  fs_mailbox_free (loop->mailbox);
  g_free (loop->mask);
  g_free (loop->tiles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loop, loop_clear)

static void
apply (Loop *loop, FsEdit edit)
{
  fs_live_cut_apply (loop->cut, &edit, ++loop->generation, g_get_monotonic_time ());
}

static void
apply_stroke (Loop *loop, const FsStroke *stroke)
{
  apply (loop, (FsEdit){ .kind = FS_EDIT_BEGIN,
                         .label = stroke->label,
                         .radius_px = stroke->radius_px,
                         .after = stroke->after });
  apply (loop, (FsEdit){ .kind = FS_EDIT_EXTEND,
                         .samples = (const FsSample *)(gconstpointer)stroke->samples->data,
                         .n_samples = stroke->samples->len });
  apply (loop, (FsEdit){ .kind = FS_EDIT_END });
}

static FsLiveState
finish_loop (Loop *loop)
{
  FsLiveState state = { 0 };
  g_autoptr (GError) error = NULL;
  for (gboolean has_final = FALSE; !has_final;) {
    if (fs_live_cut_has_work (loop->cut))
      fs_live_cut_step (loop->cut, &loop->interrupt, loop->mailbox, &error);
    else
      g_usleep (200);
    g_assert_no_error (error);
    g_assert_true (fs_mailbox_collect (loop->mailbox, loop->mask, loop->tiles, &state, &error));
    has_final = state.is_final && state.generation == loop->generation;
  }
  return state;
}

/* With room for a few masks those that strokes keep take the place of others; with none each is
 * made again. */
static void
test_capacity (void)
{
  static const gsize rooms[] = { FS_FINAL_MASKS_MAX_BYTES, 700, 0 };
  g_autoptr (FsImage) image = make_image (4);
  g_autoptr (FsSession) session = make_session (image, 10);
  guint n = session->strokes->len;
  for (guint i = 4; i < n; i++) /* some masks are kept by no stroke */
    ((FsStroke *)session->strokes->pdata[i])->after = i / 4 * 4;
  for (guint r = 0; r < G_N_ELEMENTS (rooms); r++) {
    g_auto (Loop) loop;
    loop_init (&loop, image, rooms[r]);
    for (guint i = 0; i < n; i++) {
      apply_stroke (&loop, session->strokes->pdata[i]);
      FsLiveState state = finish_loop (&loop);
      g_assert_cmpint (state.saved, ==, rooms[r] > 0);
      g_assert_cmpuint (loop.cut->final_masks.n_bytes, <=, rooms[r]);
      assert_mask_of (image, session, i + 1, loop.mask);
    }
    g_assert_cmpint (fs_final_masks_get (&loop.cut->final_masks, 4) != NULL, ==, rooms[r] > 0);
    g_assert_cmpint (fs_final_masks_get (&loop.cut->final_masks, 5) != NULL, ==, r == 0);
    for (guint i = n - 1; i > 0; i--) {
      apply (&loop, (FsEdit){ .kind = FS_EDIT_UNDO });
      finish_loop (&loop);
      assert_mask_of (image, session, i, loop.mask);
    }
  }
}

/* --- memory ----------------------------------------------------------------------------------- */

typedef struct {
  guint n_failed;
  gboolean is_painted;
} Restoring;

static void
on_failed (FsDocument *document, const GError *error, gpointer data)
{
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  ((Restoring *)data)->n_failed++;
}

static void
on_painted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_true (fs_restore_finish (result, NULL));
  ((Restoring *)data)->is_painted = TRUE;
}

/* Memory that is short for a while costs no stroke, and none of them what it keeps. */
static guint
restore_with_little_memory (FsImage *image, const FsSession *session, int n_more)
{
  Restoring restoring = { 0 };
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  g_signal_connect (document, "failed", G_CALLBACK (on_failed), &restoring);
  wait_for_final (document);
  fault_memory_after (n_more, TRUE);
  fs_restore_async (document, session, 0, NULL, NULL, on_painted, &restoring);
  while (!restoring.is_painted)
    g_main_context_iteration (NULL, TRUE);
  fault_memory_after (-1, FALSE);
  guint n = session->strokes->len;
  g_assert_cmpuint (fs_document_get_n_strokes (document), ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (fs_document_get_stroke (document, i)->after, ==, i);
  fs_document_undo (document);
  fs_document_redo (document);
  wait_for_final (document); /* a failure from before is none of what is there now */
  assert_mask_of (image, session, n, fs_document_get_mask (document));
  return restoring.n_failed;
}

static void
on_refused (GObject *source, GAsyncResult *result, gpointer data)
{
  fs_document_wait_final_finish (FS_DOCUMENT (source), result, data);
}

/* Without a mask to come every task fails, until the next edit. */
static void
test_asked_after_a_failure (void)
{
  g_autoptr (FsImage) image = make_image (6);
  g_autoptr (FsSession) session = make_session (image, 2);
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  Restoring restoring = { 0 };
  g_signal_connect (document, "failed", G_CALLBACK (on_failed), &restoring);
  wait_for_final (document);
  fault_memory_after (0, TRUE);
  paint (document, session->strokes->pdata[0]);
  while (fs_document_get_status (document).generation < 3 && restoring.n_failed == 0)
    g_main_context_iteration (NULL, TRUE);
  for (int i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;
    fs_document_wait_final_async (document, NULL, on_refused, &error);
    for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
         !error && g_get_monotonic_time () < end; g_usleep (100))
      g_main_context_iteration (NULL, FALSE);
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  }
  fault_memory_after (-1, FALSE);
  paint (document, session->strokes->pdata[1]);
  wait_for_final (document);
  assert_mask_of (image, session, 2, fs_document_get_mask (document));
}

static guint
run_with_little_memory (FsImage *image, const FsSession *session, int n_more)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDocument) document = fs_document_new (image, &stable, NULL);
  wait_for_final (document);
  fault_memory_after (n_more, TRUE);
  gboolean done = fs_restore_run (document, session, &error);
  fault_memory_after (-1, FALSE);
  if (done)
    assert_mask_of (image, session, session->strokes->len, fs_document_get_mask (document));
  else
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  return !done;
}

static void
test_memory_is_short_for_a_while (void)
{
  g_autoptr (FsImage) image = make_image (5);
  g_autoptr (FsSession) session = make_session (image, 4);
  guint n_failed = 0, n_run = 0, n_refused = 0;
  for (int n_more = 0; n_more < 700; n_more += 83, n_run++) {
    n_failed += restore_with_little_memory (image, session, n_more);
    n_refused += run_with_little_memory (image, session, n_more);
  }
  g_assert_cmpuint (n_failed, >, 2);
  g_assert_cmpuint (n_refused, >, 2);
  g_test_message ("%u of %u were refused", n_refused, n_run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_energy_set_threads (1); /* more take long to begin, on photos so small */
  g_test_add_func ("/final-masks/painting-after-the-answer", test_painting_after_the_answer);
  g_test_add_func ("/final-masks/painted-after-the-question", test_painted_after_the_question);
  g_test_add_func ("/final-masks/painted-before-the-answer", test_painted_before_the_answer);
  g_test_add_func ("/final-masks/no-answer-during-a-stroke", test_no_answer_during_a_stroke);
  g_test_add_func ("/final-masks/capacity", test_capacity);
  g_test_add_func ("/final-masks/asked-after-a-failure", test_asked_after_a_failure);
  g_test_add_func ("/final-masks/memory-is-short-for-a-while", test_memory_is_short_for_a_while);
  return g_test_run ();
}
