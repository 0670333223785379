/* SPDX-License-Identifier: MIT */
/* edges --photo P --truth A [--backdrop B] [--method M]… START
 *
 * Finds the alpha of one photo by each method, and measures it against the true one. A start is
 * trimap=FILE or scribbles=FILE (../start.h). With a backdrop the photo is the object's known
 * colours over it, and composites of what the methods find are measured. Prints a JSON object a
 * method.
 */
#include "app/photo/photo.h"
#include "tests/quality/edges/alpha_methods.h"
#include "tests/quality/edges/alpha_scores.h"
#include "tests/quality/edges/foreground.h"

static char *photo_path, *truth_path, *backdrop_path;
static char **starts, **chosen;

static const GOptionEntry options[] = {
  { "photo", 0, 0, G_OPTION_ARG_FILENAME, &photo_path, "The photo", "FILE" },
  { "truth", 0, 0, G_OPTION_ARG_FILENAME, &truth_path, "Its alpha, 0 to 255", "FILE" },
  { "backdrop", 0, 0, G_OPTION_ARG_FILENAME, &backdrop_path, "Put the object on it", "FILE" },
  { "method", 0, 0, G_OPTION_ARG_STRING_ARRAY, &chosen, "This one; all by default", "NAME" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &starts, NULL, "START" },
  { NULL }
};

static void
print_number (const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_print (", \"%s\": %s", key, g_ascii_formatd (text, sizeof text, "%.4f", value));
}

static gboolean
is_chosen (int method)
{
  return !chosen || g_strv_contains ((const char *const *)chosen, alpha_method_name (method));
}

/* ---- Alpha ---- */

static gboolean
measure_alpha (const AlphaCase *c, GError **error)
{
  g_autofree uint8_t *alpha = g_malloc (c->n);
  for (int i = 0; i < alpha_method_count (); i++) {
    const char *name = alpha_method_name (i);
    if (!is_chosen (i))
      continue;
    const gint64 start = g_get_monotonic_time ();
    if (!alpha_method_run (i, c, alpha, NULL, error))
      return FALSE;
    const double seconds = (double)(g_get_monotonic_time () - start) / 1e6;
    const AlphaScores scores =
        alpha_scores (alpha, c->truth, c->unknown, c->image->width, c->image->height);
    g_print ("{\"method\": \"%s\"", name);
    print_number ("sad", scores.sad);
    print_number ("mse", scores.mse);
    print_number ("gradient", scores.gradient);
    print_number ("connectivity", scores.connectivity);
    print_number ("seconds", seconds);
    g_print ("}\n");
  }
  return TRUE;
}

/* ---- Colours ---- */

/* The object's colours where alpha is not 0, spread by Germer's estimate from the true alpha, are
 * taken for known, and put on another photo, mirrored where that is smaller. */
static FsImage *
mix_on_backdrop (const FsImage *image, const uint8_t *truth, const float *object,
                 const FsImage *backdrop)
{
  FsImage *mixed = fs_image_new (image->width, image->height);
  const int w = backdrop->width, h = backdrop->height;
  for (int p = 0; p < image->width * image->height; p++) {
    const int x = p % image->width % (2 * w), y = p / image->width % (2 * h);
    const uint32_t ground =
        backdrop->pixels[(y < h ? y : 2 * h - 1 - y) * w + (x < w ? x : 2 * w - 1 - x)];
    uint8_t bytes[3];
    for (int k = 0; k < 3; k++) {
      const double alpha = truth[p] / 255.0, below = ground >> (16 - 8 * k) & 0xff;
      bytes[k] = (uint8_t)(alpha * 255 * (double)object[3 * p + k] + (1 - alpha) * below + 0.5);
    }
    mixed->pixels[p] = FS_PIXEL (255, bytes[0], bytes[1], bytes[2]);
  }
  return mixed;
}

/* Mean squared difference of composites on a colour, times 1000, over the unknown pixels. */
static double
composite_error (const AlphaCase *c, const float *object, const uint8_t *alpha, const float *found,
                 uint32_t ground)
{
  double sum = 0;
  int n = 0;
  for (gsize p = 0; p < c->n; p++) {
    if (!c->unknown[p])
      continue;
    const double a = c->truth[p] / 255.0, b = alpha[p] / 255.0;
    n++;
    for (gsize k = 0; k < 3; k++) {
      const double below = (ground >> (16 - 8 * k) & 0xff) / 255.0;
      const double difference =
          a * (double)object[3 * p + k] - b * (double)found[3 * p + k] + (b - a) * below;
      sum += difference * difference / 3;
    }
  }
  return 1000 * sum / MAX (n, 1);
}

static gboolean
measure_colours (const AlphaCase *c, const float *object, GError **error)
{
  static const struct {
    const char *name;
    uint32_t colour;
  } grounds[] = {
    { "magenta", 0xff00ff }, { "green", 0x00ff00 }, { "black", 0x000000 }, { "white", 0xffffff }
  };
  g_autofree uint8_t *alpha = g_malloc (c->n);
  g_autofree float *colours = g_new (float, 3 * c->n);
  for (int i = 0; i < alpha_method_count (); i++) {
    if (!is_chosen (i) || !alpha_method_has_colours (i))
      continue;
    if (!alpha_method_run (i, c, alpha, colours, error))
      return FALSE;
    g_print ("{\"method\": \"%s\"", alpha_method_name (i));
    for (guint k = 0; k < G_N_ELEMENTS (grounds); k++)
      print_number (grounds[k].name,
                    composite_error (c, object, alpha, colours, grounds[k].colour));
    g_print ("}\n");
  }
  return TRUE;
}

/* ---- The program ---- */

static FsImage *
load_image (const char *path, GError **error)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, error);
  return photo ? fs_image_ref (photo->image) : NULL;
}

static gboolean
measure (const char *start, GError **error)
{
  g_autoptr (FsImage) image = load_image (photo_path, error);
  if (!image)
    return FALSE;
  g_autofree uint8_t *truth = fs_seeds_load (truth_path, image->width, image->height, NULL, error);
  if (!truth)
    return FALSE;
  g_autofree float *object = NULL;
  if (backdrop_path) {
    g_autoptr (FsImage) backdrop = load_image (backdrop_path, error);
    if (!backdrop)
      return FALSE;
    object = foreground_estimate (image, truth);
    FsImage *mixed = mix_on_backdrop (image, truth, object, backdrop);
    fs_image_unref (image);
    image = mixed;
  }
  g_auto (AlphaCase) c = { 0 };
  if (!alpha_case_init (&c, image, truth, start, error))
    return FALSE;
  return object ? measure_colours (&c, object, error) : measure_alpha (&c, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("edges: %s\n", error->message);
    return 2;
  }
  if (!photo_path || !truth_path || !starts || starts[1]) {
    g_printerr ("edges: --photo, --truth and a start are needed\n");
    return 2;
  }
  if (measure (starts[0], &error))
    return 0;
  g_printerr ("edges: %s\n", error->message);
  return 1;
}
