/* SPDX-License-Identifier: MIT */
/* quality --photo P --truth T --method M START…
 *
 * Cuts one photo from each start and measures the masks. A start is scribbles=FILE, object=FILE,
 * trimap=FILE (start.h), clicks, or stable-clicks (a simulated person, clicks.h, without and with
 * stability), or guess (nothing but --guess). Prints one JSON object a start, in their order.
 *
 * quality --list-methods prints the methods of this build, one a line.
 */
#include "app/finder/guess_file.h"
#include "app/photo/photo.h"
#include "energy/energy.h"
#include "solver/solver.h"
#include "tests/quality/clicks.h"
#include "tests/quality/cutter.h"
#include "tests/quality/pictures.h"
#include "tests/quality/scores.h"

#include <string.h>

enum { MAX_CLICKS = 20 };

/* Nobody goes on clicking on a mask this good. */
#define GOOD_ENOUGH 0.95

static char *photo_path, *truth_path, *guess_path, *method, *picture_folder;
static gboolean list_methods;
static int n_iterations = 5;
static char **starts;

static const GOptionEntry options[] = {
  { "photo", 0, 0, G_OPTION_ARG_FILENAME, &photo_path, "The photo", "FILE" },
  { "truth", 0, 0, G_OPTION_ARG_FILENAME, &truth_path, "0, 128 (ignored), 255", "FILE" },
  { "guess", 0, 0, G_OPTION_ARG_FILENAME, &guess_path, "A first guess", "FILE" },
  { "method", 0, 0, G_OPTION_ARG_STRING, &method, "A model, opencv or opencv-background", "NAME" },
  { "list-methods", 0, 0, G_OPTION_ARG_NONE, &list_methods, "Print what there is", NULL },
  { "iterations", 0, 0, G_OPTION_ARG_INT, &n_iterations, "Of grabCut (5)", "N" },
  { "pictures", 0, 0, G_OPTION_ARG_FILENAME, &picture_folder, "Write pictures there", "FOLDER" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &starts, NULL, "START…" },
  { NULL }
};

typedef struct {
  FsImage *image;
  uint8_t *truth;
  uint8_t *mask;
  size_t n;
  FsGuess *guess; /* NULL for none */
} Subject;

static void
subject_clear (Subject *subject)
{
  g_clear_pointer (&subject->image, fs_image_unref);
  fs_guess_unref (subject->guess);
  g_free (subject->truth);
  g_free (subject->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subject, subject_clear)

static gboolean
load_guess (Subject *subject, GError **error)
{
  if (!guess_path)
    return TRUE;
  subject->guess =
      fs_guess_load_found (guess_path, subject->image->width, subject->image->height, NULL, error);
  return subject->guess != NULL;
}

static gboolean
subject_load (Subject *subject, GError **error)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, error);
  if (!photo)
    return FALSE;
  subject->image = fs_image_ref (photo->image);
  subject->n = (size_t)photo->image->width * (size_t)photo->image->height;
  subject->mask = g_malloc0 (subject->n);
  subject->truth =
      fs_seeds_load (truth_path, photo->image->width, photo->image->height, NULL, error);
  return subject->truth != NULL && load_guess (subject, error);
}

/* The last names of the photo and of the folder that the seeds lie in. */
static char *
picture_prefix (const char *start)
{
  g_autofree char *photo = g_path_get_basename (photo_path);
  char *dot = strrchr (photo, '.');
  if (dot)
    *dot = '\0';
  const char *file = strchr (start, '=');
  g_autofree char *folder = file ? g_path_get_dirname (file + 1) : g_strdup (start);
  g_autofree char *set = g_path_get_basename (folder);
  g_autofree char *kind = g_strndup (start, strcspn (start, "="));
  g_autofree char *name = g_strdup_printf ("%s-%s-%s-%s", method, set, kind, photo);
  return g_build_filename (picture_folder, name, NULL);
}

static gboolean
write_pictures (const Subject *subject, const FsSeedMap *seeds, const char *start, GError **error)
{
  if (!picture_folder)
    return TRUE;
  g_autofree char *prefix = picture_prefix (start);
  QualityPicture picture = { subject->mask, subject->truth, seeds };
  return quality_picture_write (&picture, subject->image, prefix, error);
}

static void
print_number (const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_print ("\"%s\": %s, ", key, g_ascii_formatd (text, sizeof text, "%.6f", value));
}

static void
print_cut (const QualityCut *cut)
{
  print_number ("ms", cut->ms);
  g_print ("\"exact\": %s, \"star_violations\": %" G_GINT64_FORMAT "}\n",
           cut->exact ? "true" : "false", cut->n_star_violations);
}

static gboolean
run_static (Subject *subject, QualityStartKind kind, const char *argument, GError **error)
{
  const char *path = strchr (argument, '=') + 1;
  g_autoptr (QualityStart) start =
      quality_start_load (kind, path, subject->image->width, subject->image->height, error);
  if (!start)
    return FALSE;
  QualityRequest request = { .method = method,
                             .image = subject->image,
                             .start = start,
                             .n_iterations = n_iterations,
                             .guess = subject->guess };
  QualityCut cut;
  if (!quality_cut (&request, subject->mask, &cut, error))
    return FALSE;
  QualityScores scores = quality_scores (subject->mask, subject->truth, start->unknown,
                                         subject->image->width, subject->image->height);
  g_print ("{");
  print_number ("error", scores.error);
  print_number ("iou", scores.iou);
  print_number ("boundary", scores.boundary);
  print_cut (&cut);
  return write_pictures (subject, start->seeds, argument, error);
}

static void
print_click (const QualityClick *click, double iou, gboolean first)
{
  char text[2][G_ASCII_DTOSTR_BUF_SIZE];
  g_print ("%s[%d, %d, %s, %d, %s]", first ? "" : ", ", click->x, click->y,
           g_ascii_formatd (text[0], sizeof text[0], "%.2f", click->radius_px), click->label,
           g_ascii_formatd (text[1], sizeof text[1], "%.6f", iou));
}

/* One click and the cut after it; adds to `all` what the cut took and found. */
static gboolean
click_once (Subject *subject, QualityRequest *request, const QualityClick *click, uint8_t *previous,
            uint8_t *stroke, QualityCut *all, GError **error)
{
  QualityCut cut;
  quality_click_paint (click, request->start->seeds, stroke);
  memcpy (previous, subject->mask, subject->n);
  if (!quality_cut (request, subject->mask, &cut, error))
    return FALSE;
  all->ms += cut.ms;
  all->exact = all->exact && cut.exact;
  all->n_star_violations += cut.n_star_violations;
  return TRUE;
}

static void
print_guess_scores (const Subject *subject, const char *iou, const char *boundary,
                    const QualityStart *start, const uint8_t *mask)
{
  QualityScores scores = quality_scores (mask, subject->truth, start->unknown,
                                         subject->image->width, subject->image->height);
  print_number (iou, scores.iou);
  print_number (boundary, scores.boundary);
}

static gboolean
run_clicks (Subject *subject, gboolean stable, const char *argument, GError **error)
{
  int w = subject->image->width, h = subject->image->height;
  g_autoptr (QualityStart) start = quality_start_new_empty (w, h);
  g_autofree uint8_t *previous = g_malloc0 (subject->n), *stroke = g_malloc0 (subject->n);
  QualityRequest request = {
    .method = method, .image = subject->image, .start = start, .n_iterations = n_iterations
  };
  QualityCut all = { .exact = TRUE };
  QualityClick click;
  g_print ("{");
  if (subject->guess) {
    request.guess = subject->guess;
    if (!quality_cut (&request, subject->mask, &all, error))
      return FALSE;
    print_guess_scores (subject, "iou_without_clicks", "boundary_without_clicks", start,
                        subject->mask);
  }
  g_print ("\"clicks\": [");
  memset (subject->mask, 0, subject->n);
  for (int i = 0;
       i < MAX_CLICKS && quality_click_next (subject->mask, subject->truth, w, h, &click); i++) {
    if (stable && i > 0) {
      request.previous = previous;
      request.stroke = stroke;
    }
    if (!click_once (subject, &request, &click, previous, stroke, &all, error))
      return FALSE;
    double iou = quality_iou (subject->mask, subject->truth, subject->n);
    print_click (&click, iou, i == 0);
    if (iou >= GOOD_ENOUGH)
      break;
  }
  g_print ("], ");
  print_cut (&all);
  return write_pictures (subject, start->seeds, argument, error);
}

/* The guess stretched as the program does, and cut at a half. */
static void
threshold_guess (const Subject *subject, uint8_t *mask)
{
  const uint16_t *plane = fs_guess_get_probability (subject->guess);
  int w = fs_guess_get_width (subject->guess), h = fs_guess_get_height (subject->guess);
  int width = subject->image->width, height = subject->image->height;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double u = CLAMP ((x + 0.5) * w / width - 0.5, 0, w - 1);
      double v = CLAMP ((y + 0.5) * h / height - 0.5, 0, h - 1);
      int left = (int)u, top = (int)v, right = MIN (left + 1, w - 1), below = MIN (top + 1, h - 1);
      double upper = plane[top * w + left] * (left + 1 - u) + plane[top * w + right] * (u - left);
      double lower =
          plane[below * w + left] * (left + 1 - u) + plane[below * w + right] * (u - left);
      mask[(size_t)y * (size_t)width + (size_t)x] =
          upper * (top + 1 - v) + lower * (v - top) > UINT16_MAX / 2.0;
    }
}

/* Nothing but the guess: what is made of it, and what it says itself. */
static gboolean
run_guess (Subject *subject, const char *argument, GError **error)
{
  g_autoptr (QualityStart) start =
      quality_start_new_empty (subject->image->width, subject->image->height);
  g_autofree uint8_t *itself = g_malloc (subject->n);
  QualityRequest request = {
    .method = method, .image = subject->image, .start = start, .guess = subject->guess
  };
  QualityCut cut;
  if (!quality_cut (&request, subject->mask, &cut, error))
    return FALSE;
  threshold_guess (subject, itself);
  g_print ("{");
  print_guess_scores (subject, "iou", "boundary", start, subject->mask);
  print_guess_scores (subject, "iou_itself", "boundary_itself", start, itself);
  print_cut (&cut);
  return write_pictures (subject, start->seeds, argument, error);
}

static gboolean
run (Subject *subject, const char *start, GError **error)
{
  if (strcmp (start, "clicks") == 0 || strcmp (start, "stable-clicks") == 0)
    return run_clicks (subject, start[0] == 's', start, error);
  if (strcmp (start, "guess") == 0 && subject->guess)
    return run_guess (subject, start, error);
  if (g_str_has_prefix (start, "scribbles="))
    return run_static (subject, QUALITY_SCRIBBLES, start, error);
  if (g_str_has_prefix (start, "object="))
    return run_static (subject, QUALITY_OBJECT_STROKES, start, error);
  if (g_str_has_prefix (start, "trimap="))
    return run_static (subject, QUALITY_TRIMAP, start, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "no start “%s”", start);
  return FALSE;
}

static gboolean
run_all (GError **error)
{
  g_auto (Subject) subject = { 0 };
  if (!quality_method_check (method, error) || !subject_load (&subject, error))
    return FALSE;
  for (char **start = starts; *start; start++)
    if (!run (&subject, *start, error))
      return FALSE;
  return TRUE;
}

static void
print_methods (void)
{
  for (FsModelKind model = 0; model < FS_N_MODELS; model++)
    g_print ("%s\n", fs_model_name (model));
  if (quality_method_check ("opencv", NULL))
    g_print ("opencv\nopencv-background\n");
}

static gboolean
is_complete (void)
{
  return list_methods || (photo_path && truth_path && method && starts);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error) || !is_complete ()) {
    g_printerr ("quality: %s\n", error ? error->message : "photo, truth, method or start missing");
    return 2;
  }
  if (list_methods) {
    print_methods ();
    return 0;
  }
  fs_solver_set_threads (1);
  fs_energy_set_threads (1);
  if (run_all (&error))
    return 0;
  g_printerr ("quality: %s\n", error->message);
  return 1;
}
