/* SPDX-License-Identifier: MIT */
/* fretsaw-subject: guess of a photo's subject by a segmentation network, as a grey picture. */
#include "app/commands/command_line.h"
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/process_limits.h"
#include "app/photo/photo.h"
#include "subject/model_input.h"
#include "subject/network.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

static const char summary[] =
    "Finds the subject of PHOTO with the network MODEL and writes MASK, a grey picture as large "
    "as\n"
    "the network's output: 255 where it is sure of the subject, 0 where of the background.";

static const char description[] =
    "MODEL is an ONNX file, or the name of one in ~/.local/share/fretsaw/models, with .onnx or\n"
    "without. None comes with Fretsaw. Known by the size of their input are\n"
    "  U²-Net    320 × 320     github.com/xuebinqin/U-2-Net       Apache-2.0\n"
    "  IS-Net    1024 × 1024   github.com/xuebinqin/DIS           Apache-2.0\n"
    "  BiRefNet  1024 × 1024   github.com/ZhengPeng7/BiRefNet     MIT\n"
    "of which rembg's releases have ONNX files. Each model has a licence of its own: that of "
    "RMBG,\n"
    "for one, is for non-commercial use. Weights must be 32-bit floats.\n"
    "\n"
    "A text file beside the model, NAME.ini for NAME.onnx, describes any other:\n"
    "  input, output       names, where they are not the first\n"
    "  width, height       of the input, where the model leaves them open\n"
    "  divide = 255        or another number, or max: the photo's brightest value\n"
    "  mean = 0.5 0.5 0.5  subtracted then; and deviation, by which is divided at last\n"
    "  activation = none   or sigmoid, where the network gives log-odds\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage.";

typedef struct {
  gboolean help, version;
  char **names;
} Options;

static int
fail (int code, const char *message)
{
  fprintf (stderr, "fretsaw-subject: %s\n", message);
  return code;
}

static gboolean
parse (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &o->version, "Show the version, and OpenCV's", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->names, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("MODEL PHOTO MASK");
  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  *help = g_option_context_get_help (context, FALSE, NULL);
  if (!g_option_context_parse (context, &argc, &argv, error))
    return FALSE;
  return o->help || o->version || (o->names && g_strv_length (o->names) == 3)
         || fs_command_usage (error, "takes a model, a photo and the name of a mask");
}

/* The probabilities as bytes. Values outside [0, 1], of a network that lacks its last sigmoid, are
 * an error. */
static guint8 *
to_bytes (const FsNetworkPlane *plane, const FsModelInput *input, const char *model, GError **error)
{
  const float slack = 1e-3f;
  const gsize n = (gsize)plane->width * (gsize)plane->height;
  g_autofree char *name = fs_display_name (model);
  g_autofree guint8 *bytes = g_try_malloc (n);
  float least = G_MAXFLOAT, greatest = -G_MAXFLOAT;
  for (gsize i = 0; bytes && i < n; i++) {
    const float value = input->has_sigmoid ? 1 / (1 + expf (-plane->values[i])) : plane->values[i];
    if (!isfinite (value)) {
      g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_RUN,
                   "%s: its output has values that are no numbers", name);
      return NULL;
    }
    least = MIN (least, value);
    greatest = MAX (greatest, value);
    bytes[i] = (guint8)(CLAMP (value, 0, 1) * 255 + 0.5f);
  }
  if (!bytes)
    g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_RUN, "%s: not enough memory", name);
  else if (least < -slack || greatest > 1 + slack)
    g_set_error (
        error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_RUN,
        "%s: its output goes from %.3g to %.3g, not from 0 to 1; where these are log-odds, "
        "activation = sigmoid in its .ini says so",
        name, (double)least, (double)greatest);
  else
    return g_steal_pointer (&bytes);
  return NULL;
}

static gboolean
run_network (const char *model, const FsModelInput *input, const FsImage *photo,
             FsNetworkPlane *plane, GError **error)
{
  const gsize n = (gsize)input->width * (gsize)input->height;
  g_autofree guint32 *pixels = g_try_new (guint32, n);
  g_autofree float *samples = g_try_new (float, 3 * n);
  if (!pixels || !samples) {
    g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_RUN, "not enough memory");
    return FALSE;
  }
  if (!fs_network_scale_photo (photo, input->width, input->height, pixels, error))
    return FALSE;
  fs_model_input_fill (input, pixels, samples);
  g_autoptr (FsNetwork) network = fs_network_open (model, error);
  return network
         && fs_network_run (network, input->input, input->output, samples, input->width,
                            input->height, plane, error);
}

static gboolean
find_subject (const char *model, const char *photo_name, const char *mask, GError **error)
{
  FsNetworkPlane plane = { 0 };
  g_autoptr (FsModelInput) input = fs_model_input_read (model, error);
  if (!input || !fs_export_can_write (&mask, 1, error))
    return FALSE;
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_name, NULL, NULL, error);
  if (!photo)
    return FALSE;
  if (photo->warning)
    fprintf (stderr, "fretsaw-subject: %s\n", photo->warning);
  if (!run_network (model, input, photo->image, &plane, error))
    return FALSE;
  g_autofree guint8 *bytes = to_bytes (&plane, input, model, error);
  g_free (plane.values);
  if (!bytes)
    return FALSE;
  FsImage size = { .width = plane.width, .height = plane.height };
  const FsExport grey = { .image = &size, .mask = bytes, .kind = FS_EXPORT_GREY };
  return fs_export_write (&grey, mask, NULL, NULL, NULL, error);
}

static int
run_program (char **names)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *model = fs_model_find (names[0], &error);
  const char *const files[] = { model, names[1], names[2] };
  if (!model)
    return fail (FS_EXIT_FAILED, error->message);
  if (!fs_command_check_files (files, 3, 2, &error))
    return fail (FS_EXIT_USAGE, error->message);
  return find_subject (model, names[1], names[2], &error) ? FS_EXIT_DONE
                                                          : fail (FS_EXIT_FAILED, error->message);
}

int
main (int argc, char **argv)
{
  Options o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  int code = FS_EXIT_DONE;
  fs_process_limits_prepare ();
  setlocale (LC_ALL, "");
  g_set_prgname ("fretsaw-subject");
  if (!parse (&o, argc, argv, &help, &error)) {
    g_autofree char *reason = fs_display_name (error->message);
    g_autofree char *message = g_strdup_printf ("%s; see fretsaw-subject --help", reason);
    code = fail (FS_EXIT_USAGE, message);
  } else if (o.help) {
    fputs (help, stdout);
  } else if (o.version) {
    printf ("fretsaw-subject %s (OpenCV %s)\n", FS_VERSION, fs_network_get_version ());
  } else {
    code = run_program (o.names);
  }
  g_strfreev (o.names);
  return fs_command_finish (code);
}
