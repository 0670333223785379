/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/frame_strokes.h"

#include "app/backend/backend_choice.h"
#include "cut/refine_cut.h"
#include "app/photo/input/photo_error.h"
#include "app/replay/replay.h"
#include "app/session/restore.h"
#include "app/session/session_photo.h"
#include "app/strokes/history.h"
#include "energy/colour/skin.h"

#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean
load_seeds (FsFrameStrokes *strokes, const char *path, const FsImage *image, GError **error)
{
  g_autofree uint8_t *labels = fs_seeds_load (path, image->width, image->height, NULL, error);
  if (!labels || !fs_seeds_check_hard (path, labels, image->width, image->height, error))
    return FALSE;
  size_t n = (size_t)image->width * (size_t)image->height;
  for (size_t p = 0; p < n; p++)
    labels[p] = MIN (labels[p], FS_SEED_OBJECT);
  strokes->seeds = fs_seed_map_new (image->width, image->height);
  if (!strokes->seeds)
    return fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, path, "not enough memory");
  fs_seed_map_set (strokes->seeds, labels);
  return strokes->seeds->n_seeds[FS_SEED_NONE] < (int64_t)n
         || fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, path, "no seeds: every pixel is 0");
}

/* All frames have one size, so the name must also be that of the session's photo. */
static gboolean
has_name (const FsSession *session, const FsFrame *frame)
{
  g_autofree char *photo = fs_session_photo_path (session, "");
  g_autofree char *painted = g_path_get_basename (photo);
  g_autofree char *name = g_path_get_basename (frame->path);
  return strcmp (painted, name) == 0;
}

/* The frame is what was painted on. */
static gboolean
check_photo (FsFrameStrokes *strokes, const FsFrame *frame, const FsImage *image, GError **error)
{
  GError *unread = NULL;
  FsSessionFit fit = fs_session_fit_photo (strokes->session, frame->path, image, NULL, &unread);
  if (fit == FS_SESSION_FIT_SIZE && !has_name (strokes->session, frame))
    fit = FS_SESSION_FIT_CHANGED;
  if (unread)
    g_propagate_error (error, unread);
  else if (fit < FS_SESSION_FIT_SIZE)
    fs_session_photo_refuse (frame->path, fit, error);
  else
    strokes->note =
        fs_session_photo_note (&(FsSessionPhoto){ .path = (char *)frame->path, .fit = fit });
  return !unread && fit >= FS_SESSION_FIT_SIZE;
}

static gboolean
load_session (FsFrameStrokes *strokes, const char *path, const FsFrame *frame, const FsImage *image,
              const char *photo, GError **error)
{
  g_auto (FsSessionPhoto) found = { 0 };
  strokes->session = fs_session_read (path, error);
  const FsSession *session = strokes->session;
  if (!session)
    return FALSE;
  if (session->strokes->len == 0)
    return fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, path, "no strokes in it");
  if (session->width != image->width || session->height != image->height)
    return fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, path,
                           "its photo has %d × %d pixels, the frame %d × %d", session->width,
                           session->height, image->width, image->height);
  if (photo)
    return fs_session_photo_find (session, path, photo, FS_SESSION_FIT_SIZE, &found, NULL, error);
  return frame->image || check_photo (strokes, frame, image, error);
}

FsFrameStrokes *
fs_frame_strokes_load_seeds (const char *path, const FsImage *image, GError **error)
{
  g_return_val_if_fail (path && image, NULL);
  g_autoptr (FsFrameStrokes) strokes = g_new0 (FsFrameStrokes, 1);
  return load_seeds (strokes, path, image, error) ? g_steal_pointer (&strokes) : NULL;
}

FsFrameStrokes *
fs_frame_strokes_load_session (const char *path, const FsFrame *frame, const FsImage *image,
                               const char *photo, GError **error)
{
  g_return_val_if_fail (path && frame && image, NULL);
  g_autoptr (FsFrameStrokes) strokes = g_new0 (FsFrameStrokes, 1);
  return load_session (strokes, path, frame, image, photo, error) ? g_steal_pointer (&strokes)
                                                                  : NULL;
}

void
fs_frame_strokes_free (FsFrameStrokes *strokes)
{
  if (!strokes)
    return;
  fs_seed_map_free (strokes->seeds);
  fs_session_free (strokes->session);
  g_free (strokes->note);
  g_free (strokes);
}

/* --- by themselves ---------------------------------------------------------------------------- */

static gboolean
check_exact (gboolean exact, GError **error)
{
  if (!exact)
    g_set_error_literal (error, FS_REPLAY_ERROR, FS_REPLAY_ERROR_NOT_EXACT,
                         "the cut could not be proven minimal; nothing was written");
  return exact;
}

/* The first cut of an energy whose grid is filled. */
static gboolean
cut_grid (FsEnergy *energy, const FsBackend *backend, uint8_t *mask, GError **error)
{
  const FsGrid *grid = fs_energy_get_grid (energy);
  int width = grid->width, height = grid->height;
  FsSolution solution;
  g_autoptr (FsSolver) solver = fs_solver_new (backend, fs_energy_get_grid (energy), error);
  if (!solver || !fs_solver_solve (solver, NULL, &solution, error)
      || !check_exact (solution.exact, error))
    return FALSE;
  fs_solver_read_mask (solver, 0, 0, width, height, mask, (size_t)width);
  return TRUE;
}

static gboolean
cut_seeds (const FsSeedMap *seeds, FsGuess *guess, FsImage *image, uint8_t *mask, GError **error)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  const FsBackend *backend =
      fs_backend_choice_pick (FS_WORK_ONCE, (size_t)image->width * (size_t)image->height);
  g_auto (FsRefineCut) refined = { 0 };
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, error);
  if (!energy || !fs_energy_set_guess (energy, guess, error))
    return FALSE;
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);
  if (!cut_grid (energy, backend, mask, error))
    return FALSE;
  gboolean done = !fs_energy_wants_refinement (energy)
                  || fs_refine_cut_run (&refined, energy, seeds, backend, mask, NULL, error);
  done = done && check_exact (!refined.solver || refined.solution.exact, error);
  /* It borrows the energy. */
  fs_refine_cut_clear (&refined);
  return done;
}

/* Paints the strokes and waits for the mask, in the thread-default context. */
static gboolean
restore_mask (const FsSession *session, FsImage *image, uint8_t *mask, GError **error)
{
  g_autoptr (FsDocument) document = fs_document_new (image, &session->settings, error);
  if (!document || !fs_restore_run (document, session, error))
    return FALSE;
  FsDocumentStatus status = fs_document_get_status (document);
  memcpy (mask, fs_document_get_mask (document), (size_t)image->width * (size_t)image->height);
  return check_exact (status.exact && status.is_final, error);
}

static gboolean
cut_session (const FsSession *session, FsImage *image, uint8_t *mask, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  gboolean done = restore_mask (session, image, mask, error);
  g_main_context_pop_thread_default (context);
  return done;
}

static void
fail_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory");
}

static uint8_t *
mask_new (const FsImage *image, GError **error)
{
  uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!mask)
    fail_memory (error);
  return mask;
}

uint8_t *
fs_frame_strokes_cut (const FsFrameStrokes *strokes, FsGuess *guess, FsImage *image, GError **error)
{
  g_return_val_if_fail ((strokes || guess) && image, NULL);
  g_autofree uint8_t *mask = mask_new (image, error);
  g_autoptr (FsSeedMap) none =
      mask && !strokes ? fs_seed_map_new (image->width, image->height) : NULL;
  const FsSeedMap *seeds = strokes ? strokes->seeds : none;
  if (mask && !strokes && !none)
    fail_memory (error);
  gboolean done = mask && (strokes || none)
                  && (seeds ? cut_seeds (seeds, guess, image, mask, error)
                            : cut_session (strokes->session, image, mask, error));
  return done ? g_steal_pointer (&mask) : NULL;
}

FsEnergy *
fs_frame_cut_skin_energy (FsImage *image, uint8_t *mask, GError **error)
{
  g_return_val_if_fail (image && mask, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = FS_MODEL_GMM;
  const FsBackend *backend =
      fs_backend_choice_pick (FS_WORK_ONCE, (size_t)image->width * (size_t)image->height);
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, error);
  g_autoptr (FsSeedMap) seeds = energy ? fs_seed_map_new (image->width, image->height) : NULL;
  if (energy && !seeds)
    fail_memory (error);
  if (!seeds)
    return NULL;
  fs_energy_fill_grid (energy, seeds);
  fs_skin_add_tlinks (image, seeds, fs_energy_get_grid (energy)->tlink);
  return cut_grid (energy, backend, mask, error) ? g_steal_pointer (&energy) : NULL;
}

uint8_t *
fs_frame_cut_skin (FsImage *image, GError **error)
{
  g_return_val_if_fail (image, NULL);
  g_autofree uint8_t *mask = mask_new (image, error);
  g_autoptr (FsEnergy) energy = mask ? fs_frame_cut_skin_energy (image, mask, error) : NULL;
  return energy ? g_steal_pointer (&mask) : NULL;
}

/* --- what is painted -------------------------------------------------------------------------- */

static uint8_t *
copy_labels (const FsSeedMap *seeds)
{
  const gsize n = (gsize)seeds->width * (gsize)seeds->height;
  uint8_t *labels = g_try_malloc (n);
  return labels ? memcpy (labels, seeds->label, n) : NULL;
}

static void
play_stroke (FsHistory *history, const FsStroke *stroke)
{
  fs_history_begin_shape (history, stroke->shape, stroke->label, stroke->radius_px, 0);
  fs_history_extend (history, (const FsSample *)(gpointer)stroke->samples->data,
                     stroke->samples->len, NULL);
  fs_history_end (history);
}

uint8_t *
fs_frame_strokes_paint (const FsFrameStrokes *strokes, const FsImage *image)
{
  g_return_val_if_fail (strokes && image, NULL);
  if (strokes->seeds)
    return copy_labels (strokes->seeds);
  g_autoptr (FsHistory) history = fs_history_new (image->width, image->height, NULL);
  if (!history)
    return NULL;
  for (guint i = 0; i < strokes->session->strokes->len; i++)
    play_stroke (history, strokes->session->strokes->pdata[i]);
  return copy_labels (fs_history_get_seeds (history));
}

uint8_t *
fs_frame_strokes_paint_zones (const FsFrameStrokes *strokes, const FsImage *image)
{
  g_return_val_if_fail (strokes && strokes->session && image, NULL);
  g_autoptr (FsHistory) history = fs_history_new (image->width, image->height, NULL);
  if (!history)
    return NULL;
  const GPtrArray *edits = strokes->session->edge;
  for (guint i = 0; i < edits->len; i++) {
    const FsEdgeEdit *edit = edits->pdata[i];
    if (edit->zone)
      play_stroke (history, edit->zone);
  }
  return copy_labels (fs_history_get_seeds (history));
}
