/* SPDX-License-Identifier: MIT */
#include "subject/model_input.h"

#include "app/files/display_name.h"
#include "app/finder/finder_settings.h"
#include "energy/image/image.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  int side;
  gboolean ends_in_sigmoid, must_not;
  double divide, mean[3], deviation[3];
} KnownNetwork;

#define IMAGENET_MEAN                                                                              \
  {                                                                                                \
    0.485, 0.456, 0.406                                                                            \
  }
#define IMAGENET_DEVIATION                                                                         \
  {                                                                                                \
    0.229, 0.224, 0.225                                                                            \
  }

/* Normalisation as in the authors' own programs. BiRefNet's output is before the sigmoid. */
static const KnownNetwork known_networks[] = {
  { "U²-Net", 320, FALSE, FALSE, 0, IMAGENET_MEAN, IMAGENET_DEVIATION },
  { "IS-Net", 1024, TRUE, FALSE, 256, { 0.5, 0.5, 0.5 }, { 1, 1, 1 } },
  { "BiRefNet", 1024, FALSE, TRUE, 255, IMAGENET_MEAN, IMAGENET_DEVIATION },
};

#define GROUP "model"

static gboolean
refuse_model (const char *path, GError **error, const char *reason)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_MODEL, "%s: %s", name, reason);
  return FALSE;
}

char *
fs_model_find (const char *name, GError **error)
{
  g_autofree char *folder = fs_finder_models_folder ();
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *longer = g_strconcat (path, ".onnx", NULL);
  if (strchr (name, G_DIR_SEPARATOR) || g_file_test (name, G_FILE_TEST_IS_REGULAR))
    return g_strdup (name);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  if (g_file_test (longer, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&longer);
  g_autofree char *shown = fs_display_name (folder);
  g_autofree char *reason = g_strdup_printf ("no such model, neither here nor in %s", shown);
  refuse_model (name, error, reason);
  return NULL;
}

/* ---- The model's signature ---- */

static const FsOnnxValue *
find_value (GArray *values, const char *name)
{
  for (guint i = 0; i < values->len; i++) {
    const FsOnnxValue *value = &g_array_index (values, FsOnnxValue, i);
    if (!name || strcmp (value->name, name) == 0)
      return value;
  }
  return NULL;
}

static void
apply_known (FsModelInput *input, const FsOnnxValue *output)
{
  const gboolean is_sigmoid = g_strcmp0 (output->operation, "Sigmoid") == 0;
  for (guint i = 0; i < G_N_ELEMENTS (known_networks); i++) {
    const KnownNetwork *known = &known_networks[i];
    if (input->width != known->side || input->height != known->side
        || (known->ends_in_sigmoid && !is_sigmoid) || (known->must_not && is_sigmoid))
      continue;
    input->network = known->name;
    input->divide = known->divide;
    memcpy (input->mean, known->mean, sizeof input->mean);
    memcpy (input->deviation, known->deviation, sizeof input->deviation);
    input->has_sigmoid = known->must_not;
    return;
  }
}

/* Sets the size that the model's shape declares. Another size in the .ini is an error. */
static gboolean
take_shape (FsModelInput *input, const char *path, const FsOnnxValue *value, GError **error)
{
  g_autofree char *reason = NULL;
  const int *dims = value->dims;
  if (value->type != FS_ONNX_FLOAT)
    return refuse_model (path, error, "its input is not of 32-bit floats, which OpenCV takes");
  if (value->n_dims != 4 || dims[0] > 1 || (dims[1] != 3 && dims[1] != 0))
    return refuse_model (path, error,
                         "its input is no picture: not of the shape 1 × 3 × height × width");
  if ((dims[2] && input->height && dims[2] != input->height)
      || (dims[3] && input->width && dims[3] != input->width)) {
    reason = g_strdup_printf ("takes %d × %d pixels, not the %d × %d of its .ini", dims[3], dims[2],
                              input->width, input->height);
    return refuse_model (path, error, reason);
  }
  input->height = dims[2] ? dims[2] : input->height;
  input->width = dims[3] ? dims[3] : input->width;
  if (input->width == 0 || input->height == 0)
    return refuse_model (path, error,
                         "leaves the size of its input open: width and height in its .ini say it");
  if (MIN (input->width, input->height) < FS_MODEL_SIDE_MIN
      || MAX (input->width, input->height) > FS_MODEL_SIDE_MAX) {
    reason = g_strdup_printf ("takes %d × %d pixels; a side may have %d to %d", input->width,
                              input->height, FS_MODEL_SIDE_MIN, FS_MODEL_SIDE_MAX);
    return refuse_model (path, error, reason);
  }
  return TRUE;
}

/* ---- The .ini file ---- */

typedef struct {
  const char *path;
  GKeyFile *keys; /* NULL: there is none */
} Sidecar;

static gboolean
refuse_key (const Sidecar *sidecar, const char *key, const char *wanted, GError **error)
{
  g_autofree char *reason = g_strdup_printf ("%s takes %s", key, wanted);
  return refuse_model (sidecar->path, error, reason);
}

static char *
get_string (const Sidecar *sidecar, const char *key)
{
  char *value = sidecar->keys ? g_key_file_get_value (sidecar->keys, GROUP, key, NULL) : NULL;
  return value ? g_strstrip (value) : NULL;
}

/* Reads one number, or three; without the key `values` does not change. */
static gboolean
get_numbers (const Sidecar *sidecar, const char *key, double values[3], GError **error)
{
  g_autofree char *text = get_string (sidecar, key);
  g_auto (GStrv) words = g_strsplit_set (text ? text : "", " ,;\t", -1);
  int n = 0;
  if (!text)
    return TRUE;
  for (char **word = words; *word; word++) {
    char *end;
    if (**word == '\0')
      continue;
    const double value = g_ascii_strtod (*word, &end);
    if (*end != '\0' || !isfinite (value) || n == 3)
      return refuse_key (sidecar, key, "one number or three", error);
    values[n++] = value;
  }
  if (n != 1 && n != 3)
    return refuse_key (sidecar, key, "one number or three", error);
  if (n == 1)
    values[1] = values[2] = values[0];
  return TRUE;
}

static gboolean
get_side (const Sidecar *sidecar, const char *key, int *side, GError **error)
{
  g_autofree char *text = get_string (sidecar, key);
  guint64 value;
  if (text
      && !g_ascii_string_to_unsigned (text, 10, FS_MODEL_SIDE_MIN, FS_MODEL_SIDE_MAX, &value, NULL))
    return refuse_key (sidecar, key, "a whole number from 8 to 4096", error);
  *side = text ? (int)value : 0;
  return TRUE;
}

static gboolean
get_range (const Sidecar *sidecar, FsModelInput *input, GError **error)
{
  g_autofree char *divide = get_string (sidecar, "divide");
  g_autofree char *activation = get_string (sidecar, "activation");
  double numbers[3] = { input->divide, input->divide, input->divide };
  if (!get_numbers (sidecar, "mean", input->mean, error)
      || !get_numbers (sidecar, "deviation", input->deviation, error))
    return FALSE;
  for (int c = 0; c < 3; c++)
    if (!(input->deviation[c] > 0))
      return refuse_key (sidecar, "deviation", "numbers above 0", error);
  if (g_strcmp0 (divide, "max") == 0)
    numbers[0] = 0;
  else if (!get_numbers (sidecar, "divide", numbers, NULL) || numbers[0] != numbers[1]
           || numbers[0] != numbers[2] || (divide && !(numbers[0] > 0)))
    return refuse_key (sidecar, "divide", "one number above 0, or max", error);
  input->divide = numbers[0];
  if (activation && strcmp (activation, "none") != 0 && strcmp (activation, "sigmoid") != 0)
    return refuse_key (sidecar, "activation", "none or sigmoid", error);
  if (activation)
    input->has_sigmoid = strcmp (activation, "sigmoid") == 0;
  return TRUE;
}

static gboolean
check_keys (const Sidecar *sidecar, GError **error)
{
  static const char *const known[] = { "input", "output",    "width",      "height", "divide",
                                       "mean",  "deviation", "activation", NULL };
  g_auto (GStrv) groups = g_key_file_get_groups (sidecar->keys, NULL);
  g_auto (GStrv) keys = g_key_file_get_keys (sidecar->keys, GROUP, NULL, NULL);
  if (g_strv_length (groups) != 1)
    return refuse_model (sidecar->path, error, "has groups; it takes lines \"key = value\" alone");
  for (char **key = keys; keys && *key; key++)
    if (!g_strv_contains (known, *key)) {
      g_autofree char *shown = fs_display_name (*key);
      g_autofree char *reason = g_strdup_printf ("does not know the key %s", shown);
      return refuse_model (sidecar->path, error, reason);
    }
  return TRUE;
}

#define SIDECAR_BYTES_MAX 65536

static gboolean
open_sidecar (Sidecar *sidecar, GError **error)
{
  g_autofree char *text = NULL, *whole = NULL;
  g_autoptr (GError) cause = NULL;
  gsize n_bytes;
  if (!g_file_test (sidecar->path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!g_file_test (sidecar->path, G_FILE_TEST_IS_REGULAR))
    return refuse_model (sidecar->path, error, "is not a regular file");
  if (!g_file_get_contents (sidecar->path, &text, &n_bytes, NULL))
    return refuse_model (sidecar->path, error, "cannot be read");
  if (n_bytes > SIDECAR_BYTES_MAX || strlen (text) != n_bytes)
    return refuse_model (sidecar->path, error, "is no text of lines \"key = value\"");
  sidecar->keys = g_key_file_new ();
  whole = g_strconcat ("[" GROUP "]\n", text, NULL);
  if (!g_key_file_load_from_data (sidecar->keys, whole, (gsize)-1, G_KEY_FILE_NONE, &cause))
    return refuse_model (sidecar->path, error, "is no text of lines \"key = value\"");
  return check_keys (sidecar, error);
}

static gboolean
complete (FsModelInput *input, const Sidecar *sidecar, const char *path,
          const FsOnnxSignature *signature, GError **error)
{
  g_autofree char *input_name = get_string (sidecar, "input");
  g_autofree char *output_name = get_string (sidecar, "output");
  const FsOnnxValue *from = find_value (signature->inputs, input_name);
  const FsOnnxValue *to = find_value (signature->outputs, output_name);
  if (!from)
    return refuse_model (sidecar->path, error, "names an input that the model has not");
  if (!to)
    return refuse_model (sidecar->path, error, "names an output that the model has not");
  if (signature->inputs->len > 1)
    return refuse_model (path, error, "has more than one input: it wants more than a photo");
  if (signature->has_half_weights)
    return refuse_model (path, error, "its weights have 16 bits; OpenCV takes those of 32");
  if (!get_side (sidecar, "width", &input->width, error)
      || !get_side (sidecar, "height", &input->height, error)
      || !take_shape (input, path, from, error))
    return FALSE;
  input->input = g_strdup (from->name);
  input->output = g_strdup (to->name);
  apply_known (input, to);
  if (!input->network && !sidecar->keys) {
    g_autofree char *shown = fs_display_name (sidecar->path);
    g_autofree char *reason =
        g_strdup_printf ("takes %d × %d pixels, as no network known here does; %s can say the "
                         "range of its input (see fretsaw-subject --help)",
                         input->width, input->height, shown);
    return refuse_model (path, error, reason);
  }
  return get_range (sidecar, input, error);
}

FsModelInput *
fs_model_input_read (const char *path, GError **error)
{
  g_autoptr (FsOnnxSignature) signature = fs_onnx_signature_read (path, error);
  if (!signature)
    return NULL;
  g_autoptr (FsModelInput) input = g_new0 (FsModelInput, 1);
  *input = (FsModelInput){ .divide = 255, .deviation = { 1, 1, 1 } };
  const gsize n_ending = fs_name_has_ending (path, ".onnx") ? strlen (".onnx") : 0;
  g_autofree char *stem = g_strndup (path, strlen (path) - n_ending);
  g_autofree char *sidecar_path = g_strconcat (stem, ".ini", NULL);
  Sidecar sidecar = { .path = sidecar_path };
  const gboolean is_known =
      open_sidecar (&sidecar, error) && complete (input, &sidecar, path, signature, error);
  g_clear_pointer (&sidecar.keys, g_key_file_unref);
  return is_known ? g_steal_pointer (&input) : NULL;
}

void
fs_model_input_free (FsModelInput *input)
{
  if (!input)
    return;
  g_free (input->input);
  g_free (input->output);
  g_free (input);
}

void
fs_model_input_fill (const FsModelInput *input, const guint32 *pixels, float *samples)
{
  const gsize n = (gsize)input->width * (gsize)input->height;
  int greatest = 0;
  for (gsize i = 0; input->divide == 0 && i < n; i++) {
    const guint32 p = pixels[i];
    greatest = MAX (greatest, MAX (FS_PIXEL_R (p), MAX (FS_PIXEL_G (p), FS_PIXEL_B (p))));
  }
  const double divide = input->divide > 0 ? input->divide : MAX (greatest, 1);
  for (int c = 0; c < 3; c++)
    for (gsize i = 0; i < n; i++) {
      const int value = (guint8)(pixels[i] >> (16 - 8 * c));
      samples[(gsize)c * n + i] = (float)((value / divide - input->mean[c]) / input->deviation[c]);
    }
}
