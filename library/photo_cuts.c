/* SPDX-License-Identifier: MIT */
#include "cut/multi_object_cut.h"
#include "library/photo.h"
#include "solver/multilevel/preview.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* --- Checks --- */

static fretsaw_status
check_evidence (const fretsaw_photo *photo, fretsaw_error *error)
{
  gboolean is_empty =
      photo->seeds->n_seeds[FS_SEED_NONE] == (int64_t)fs_library_count_pixels (photo);
  return !is_empty || photo->guess
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "nothing is painted: every label is 0, and there is no guess");
}

static fretsaw_status
check_proof (const FsPhotoCut *cut, gboolean verify, fretsaw_error *error)
{
  FsCertificate certificate;
  GError *failure = NULL;
  if (!cut->solution.exact)
    return fs_library_fail (error, FRETSAW_UNPROVEN, "the cut could not be proven minimal");
  if (!verify)
    return FRETSAW_OK;
  if (!fs_photo_cut_certify (cut, &certificate, &failure))
    return fs_library_take_error (error, failure);
  return certificate.holds
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_UNPROVEN, "the certificate does not hold");
}

/* --- Cuts of all objects together --- */

static gboolean
has_guessed_objects (const fretsaw_photo *photo)
{
  return photo->guess && fs_guess_get_numbers (photo->guess);
}

static FsPhotoCut
describe_cut (fretsaw_photo *photo)
{
  return (FsPhotoCut){ .image = photo->image,
                       .settings = &photo->settings.settings,
                       .seeds = photo->seeds,
                       .guess = photo->guess,
                       .backend = photo->object.context->backend,
                       .mask = photo->mask,
                       .is_verified = photo->settings.verify };
}

static void
number_pixels (fretsaw_photo *photo, int x0, int y0, int x1, int y1)
{
  uint8_t number = photo->number;
  for (int y = y0; y < y1; y++) {
    size_t row = (size_t)y * (size_t)photo->image->width;
    for (size_t p = row + (size_t)x0; p < row + (size_t)x1; p++)
      photo->numbers[p] = photo->mask[p] ? number : FS_SEED_BACKGROUND;
  }
}

static void
note_result (fretsaw_photo *photo, FsResultKind kind)
{
  photo->result = kind;
  photo->are_labels_newer = FALSE;
  photo->is_model_newer = FALSE;
}

static gboolean
is_side_new (fretsaw_photo *photo, uint8_t side)
{
  const FsSeedMap *seeds = photo->seeds;
  int64_t n_painted = side == FS_SEED_BACKGROUND
                          ? seeds->n_seeds[side]
                          : (int64_t)fs_library_count_pixels (photo) - seeds->n_seeds[FS_SEED_NONE]
                                - seeds->n_seeds[FS_SEED_BACKGROUND];
  return n_painted > 0 && !fs_energy_knows (photo->live.energy, side);
}

/* The links of the present labels, with a new fit where there is need. */
static gboolean
update_live (fretsaw_photo *photo, gboolean wants_fit, GError **error)
{
  gboolean done;
  gboolean is_first = !photo->live.energy;
  gboolean fits = is_first || wants_fit || photo->is_fit_stale
                  || is_side_new (photo, FS_SEED_BACKGROUND) || is_side_new (photo, FS_SEED_OBJECT);
  photo->live.guess = photo->guess;
  photo->is_model_newer |= fits;
  if (is_first) {
    FsPhotoCut cut = describe_cut (photo);
    cut.is_live = TRUE;
    cut.progress = photo->live.progress;
    photo->live = cut;
    done = fs_photo_cut_prepare (&photo->live, error);
  } else if (fits)
    done = fs_photo_cut_refit (&photo->live, error);
  else
    done = fs_photo_cut_extend (&photo->live, (const uint32_t *)(gpointer)photo->waiting->data,
                                photo->waiting->len, error);
  if (done) {
    g_array_set_size (photo->waiting, 0);
    photo->is_fit_stale = FALSE;
  } else {
    photo->is_fit_stale = TRUE;
    if (!photo->live.solver)
      fs_photo_cut_clear (&photo->live);
  }
  return done;
}

/* After an update all tiles but the changed ones are the result's already. */
static void
take_changed_tiles (fretsaw_photo *photo, uint8_t number)
{
  int width = photo->image->width, height = photo->image->height;
  int columns = (width + FS_MASK_TILE - 1) / FS_MASK_TILE,
      rows = (height + FS_MASK_TILE - 1) / FS_MASK_TILE;
  gboolean are_others_valid = photo->result == FS_RESULT_UPDATED && number == photo->number;
  photo->number = number;
  g_autofree uint8_t *tiles = g_malloc ((gsize)columns * (gsize)rows);
  fs_solver_take_changed_tiles (photo->live.solver, tiles);
  for (int i = 0; i < columns * rows; i++) {
    int x0 = i % columns * FS_MASK_TILE, y0 = i / columns * FS_MASK_TILE;
    if (tiles[i] || !are_others_valid)
      number_pixels (photo, x0, y0, MIN (x0 + FS_MASK_TILE, width),
                     MIN (y0 + FS_MASK_TILE, height));
  }
}

static fretsaw_status
number_update (fretsaw_photo *photo, fretsaw_error *error)
{
  uint8_t number = fs_photo_cut_get_number (photo->seeds);
  if (photo->result == FS_RESULT_MAPPED && !photo->are_labels_newer && !photo->is_model_newer)
    return FRETSAW_OK;
  if (fs_cut_count_objects (photo->seeds) > 1 || has_guessed_objects (photo)) {
    fretsaw_status status = fs_library_keep_unmapped (photo, error);
    if (status)
      return status;
    number = FS_SEED_OBJECT;
  } else {
    fs_library_clear_unmapped (photo);
  }
  take_changed_tiles (photo, number);
  note_result (photo, FS_RESULT_UPDATED);
  return FRETSAW_OK;
}

static fretsaw_status
update_objects (fretsaw_photo *photo, FsSolution *solution, fretsaw_error *error)
{
  GError *failure = NULL;
  if (!update_live (photo, FALSE, &failure) || !fs_photo_cut_solve (&photo->live, &failure))
    return fs_library_take_error (error, failure);
  fretsaw_status status = check_proof (&photo->live, photo->settings.verify, error);
  if (!status)
    status = number_update (photo, error);
  if (!status)
    *solution = photo->live.solution;
  return status;
}

static gboolean
solve_and_refine (FsPhotoCut *cut, int n_iterations, GError **error)
{
  gboolean changed = TRUE;
  if (!fs_photo_cut_solve (cut, error))
    return FALSE;
  for (int i = 0; changed && i < n_iterations; i++)
    if (!fs_photo_cut_iterate (cut, &changed, error))
      return FALSE;
  return fs_photo_cut_refine (cut, error);
}

/* On the live cut where there is one, else on one for this time. */
static fretsaw_status
finish_object (fretsaw_photo *photo, const FsProgress *progress, FsSolution *solution,
               fretsaw_error *error)
{
  GError *failure = NULL;
  g_auto (FsPhotoCut) once = describe_cut (photo);
  once.progress = progress;
  gboolean is_live = photo->live.energy != NULL;
  FsPhotoCut *cut = is_live ? &photo->live : &once;
  if (!(is_live ? update_live (photo, TRUE, &failure) : fs_photo_cut_prepare (cut, &failure))
      || !solve_and_refine (cut, photo->settings.n_iterations, &failure))
    return fs_library_take_error (error, failure);
  photo->is_fit_stale = photo->settings.n_iterations > 0; /* the models are those of a mask */
  fretsaw_status status = check_proof (cut, photo->settings.verify, error);
  if (!status && has_guessed_objects (photo))
    status = fs_library_map_mask (photo, photo->seeds, photo->guess, photo->mask, progress, error);
  if (status)
    return status;
  fs_library_clear_unmapped (photo);
  photo->number = fs_photo_cut_get_number (photo->seeds);
  if (!has_guessed_objects (photo))
    number_pixels (photo, 0, 0, photo->image->width, photo->image->height);
  *solution = cut->solution;
  if (is_live)
    fs_refine_cut_clear (&photo->live.refined);
  note_result (photo, FS_RESULT_FINISHED);
  return FRETSAW_OK;
}

/* --- Cuts of several objects from each other --- */

/* The mask's plane becomes the numbers'. */
static fretsaw_status
finish_objects (fretsaw_photo *photo, const FsProgress *progress, FsSolution *solution,
                fretsaw_error *error)
{
  GError *failure = NULL;
  if (photo->settings.n_iterations > 0)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "labels name several objects; n_iterations is for one");
  FsObjectsCut cut = { .backend = photo->object.context->backend,
                       .progress = progress,
                       .verify = photo->settings.verify };
  if (!fs_cut_objects (photo->image, &photo->settings.settings, photo->seeds, photo->guess, &cut,
                       photo->mask, &failure))
    return fs_library_take_error (error, failure);
  fs_library_clear_unmapped (photo);
  uint8_t *numbers = photo->mask;
  photo->mask = photo->live.mask = photo->numbers;
  photo->numbers = numbers;
  *solution = (FsSolution){ cut.energy, cut.bound, cut.energy == cut.bound };
  note_result (photo, FS_RESULT_FINISHED);
  return FRETSAW_OK;
}

/* --- Calls --- */

static fretsaw_status
cut_photo (fretsaw_photo *photo, gboolean is_update, const fretsaw_progress *progress,
           fretsaw_solution *solution, fretsaw_error *error)
{
  FsProgress own;
  FsSolution found;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_solve (&call, photo, "photo", &own, progress, solution, error);
  if (!status)
    status = check_evidence (photo, error);
  if (status)
    return status;
  photo->live.progress = &own;
  if (is_update)
    status = update_objects (photo, &found, error);
  else if (fs_cut_count_objects (photo->seeds) > 1 && !has_guessed_objects (photo))
    status = finish_objects (photo, &own, &found, error);
  else
    status = finish_object (photo, &own, &found, error);
  photo->live.progress = NULL;
  if (!status)
    fs_library_give_solution (solution, &found, 0);
  return status;
}

fretsaw_status
fretsaw_photo_update (fretsaw_photo *photo, const fretsaw_progress *progress,
                      fretsaw_solution *solution, fretsaw_error *error)
{
  return cut_photo (photo, TRUE, progress, solution, error);
}

fretsaw_status
fretsaw_photo_finish (fretsaw_photo *photo, const fretsaw_progress *progress,
                      fretsaw_solution *solution, fretsaw_error *error)
{
  return cut_photo (photo, FALSE, progress, solution, error);
}

static fretsaw_status
preview_objects (fretsaw_photo *photo, const FsProgress *progress, fretsaw_error *error)
{
  GError *failure = NULL;
  photo->live.progress = progress;
  gboolean done = update_live (photo, FALSE, &failure);
  photo->live.progress = NULL;
  if (!done)
    return fs_library_take_error (error, failure);
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  options.soft_tlink = fs_energy_get_soft_tlink (photo->live.energy);
  g_autoptr (FsPreview) preview =
      fs_preview_new (fs_energy_get_grid (photo->live.energy), &options, progress, &failure);
  if (!preview || !fs_preview_solve (preview, progress, photo->mask, NULL, &failure))
    return fs_library_take_error (error, failure);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_photo_preview (fretsaw_photo *photo, const fretsaw_progress *progress, uint8_t *mask,
                       ptrdiff_t stride, fretsaw_error *error)
{
  FsProgress own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (!status)
    status = fs_library_take_progress (&own, progress, error);
  if (!status)
    status = fs_library_check_plane (mask, &stride, (size_t)photo->image->width, "mask", error);
  if (!status)
    status = check_evidence (photo, error);
  if (status)
    return status;
  status = preview_objects (photo, &own, error);
  size_t width = (size_t)photo->image->width;
  for (int y = 0; !status && y < photo->image->height; y++)
    memcpy (mask + y * stride, photo->mask + (size_t)y * width, width);
  return status;
}

/* --- The one call --- */

fretsaw_status
fretsaw_cut_photo (fretsaw_context *context, const fretsaw_image *image, const uint8_t *labels,
                   ptrdiff_t labels_stride, const fretsaw_guess *guess,
                   const fretsaw_photo_options *options, const fretsaw_progress *progress,
                   uint8_t *result, ptrdiff_t result_stride, fretsaw_solution *solution,
                   fretsaw_error *error)
{
  fretsaw_photo *photo = NULL;
  fretsaw_status status = fretsaw_photo_new (context, image, options, &photo, error);
  if (!status) /* before the work, not after it */
    status = fs_library_check_plane (result, &result_stride, (size_t)photo->image->width, "result",
                                     error);
  if (!status && labels)
    status = fretsaw_photo_set_labels (photo, labels, labels_stride, error);
  if (!status && guess)
    status = fretsaw_photo_set_guess (photo, guess, error);
  if (!status)
    status = fretsaw_photo_finish (photo, progress, solution, error);
  if (!status)
    status = fretsaw_photo_get_labels (photo, result, result_stride, error);
  fretsaw_photo_free (photo);
  return status;
}
