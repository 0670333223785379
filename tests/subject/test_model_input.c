/* SPDX-License-Identifier: MIT */
/* What a model takes, from its own words, from the table and from the file beside it. */
#include "subject/model_input.h"
#include "tests/subject/made_model.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static const MadeModel u2net = { 320, 320, "Sigmoid", 1, FALSE };

typedef struct {
  char *folder, *model, *sidecar;
} Files;

static void
files_init (Files *files)
{
  files->folder = g_dir_make_tmp ("fretsaw-model-XXXXXX", NULL);
  files->model = g_build_filename (files->folder, "made.onnx", NULL);
  files->sidecar = g_build_filename (files->folder, "made.ini", NULL);
}

static void
files_clear (Files *files)
{
  g_remove (files->model);
  g_remove (files->sidecar);
  g_rmdir (files->folder);
  g_free (files->folder);
  g_free (files->model);
  g_free (files->sidecar);
}

static void
write_bytes (const char *path, const void *bytes, gsize n)
{
  FILE *file = fopen (path, "wb");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, n, file), ==, n);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
write_model (const Files *files, const MadeModel *model)
{
  GByteArray *bytes = made_model_new (model);
  write_bytes (files->model, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

static void
test_signature (void)
{
  Files files;
  const MadeModel old = { 0, 40, "Clip", 10, TRUE };
  files_init (&files);
  write_model (&files, &old);
  g_autoptr (FsOnnxSignature) signature = fs_onnx_signature_read (files.model, NULL);
  g_assert_nonnull (signature);
  g_assert_cmpuint (signature->inputs->len, ==, 1);
  g_assert_cmpuint (signature->outputs->len, ==, 2);
  const FsOnnxValue *photo = &g_array_index (signature->inputs, FsOnnxValue, 0);
  const FsOnnxValue *mask = &g_array_index (signature->outputs, FsOnnxValue, 0);
  const int dims[4] = { 1, 3, 40, 0 };
  g_assert_cmpstr (photo->name, ==, "photo");
  g_assert_cmpint (photo->type, ==, FS_ONNX_FLOAT);
  g_assert_cmpmem (photo->dims, sizeof dims, dims, sizeof dims);
  g_assert_cmpint (photo->n_dims, ==, 4);
  g_assert_cmpstr (mask->name, ==, "mask");
  g_assert_cmpstr (mask->operation, ==, "Clip");
  g_assert_true (signature->has_half_weights);
  files_clear (&files);
}

/* A model that ends early is none, wherever that is: its graph has the rest of the file. */
static void
test_cut_short (void)
{
  Files files;
  g_autoptr (GByteArray) bytes = made_model_new (&u2net);
  files_init (&files);
  for (guint n = 0; n < bytes->len; n++) {
    g_autoptr (GError) error = NULL;
    write_bytes (files.model, bytes->data, n);
    g_assert_null (fs_onnx_signature_read (files.model, &error));
    g_assert_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_MODEL);
    g_assert_nonnull (strstr (error->message, "made.onnx: "));
  }
  files_clear (&files);
}

/* Damage anywhere, in a message within another too, is refused or changes what is declared. */
static void
test_damaged (void)
{
  Files files;
  g_autoptr (GByteArray) bytes = made_model_new (&u2net);
  files_init (&files);
  for (guint i = 0; i < bytes->len; i++) {
    g_autoptr (GError) error = NULL;
    const guint8 was = bytes->data[i];
    bytes->data[i] = 0xff;
    write_bytes (files.model, bytes->data, bytes->len);
    bytes->data[i] = was;
    g_autoptr (FsModelInput) input = fs_model_input_read (files.model, &error);
    g_assert_true ((input == NULL) == (error != NULL));
    g_assert_true (input == NULL || input->width == 320);
  }
  files_clear (&files);
}

/* An input whose name is no name, and whose type breaks off. */
static void
test_nameless (void)
{
  static const char named[] = "\x0a\x05photo\x12";
  Files files;
  g_autoptr (GByteArray) bytes = made_model_new (&u2net);
  g_autoptr (GError) error = NULL;
  guint8 *at = memmem (bytes->data, bytes->len, named, strlen (named)); /* of the first node */
  g_assert_nonnull (at);
  at = memmem (at + 1, (gsize)(bytes->data + bytes->len - at - 1), named, strlen (named));
  g_assert_nonnull (at);
  at[0] = 0x1a;
  at[strlen (named) + 1] = 0xff;
  files_init (&files);
  write_bytes (files.model, bytes->data, bytes->len);
  g_assert_null (fs_onnx_signature_read (files.model, &error));
  g_assert_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_MODEL);
  files_clear (&files);
}

static void
test_known (void)
{
  static const struct {
    MadeModel model;
    const char *network;
    double divide, mean;
    gboolean has_sigmoid;
  } cases[] = {
    { { 320, 320, "Sigmoid", 1, FALSE }, "U²-Net", 0, 0.485, FALSE },
    { { 1024, 1024, "Sigmoid", 1, FALSE }, "IS-Net", 256, 0.5, FALSE },
    { { 1024, 1024, "Conv", 1, FALSE }, "BiRefNet", 255, 0.485, TRUE },
  };
  Files files;
  files_init (&files);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    write_model (&files, &cases[i].model);
    g_autoptr (FsModelInput) input = fs_model_input_read (files.model, NULL);
    g_assert_nonnull (input);
    g_assert_cmpstr (input->network, ==, cases[i].network);
    g_assert_cmpfloat (input->divide, ==, cases[i].divide);
    g_assert_cmpfloat (input->mean[0], ==, cases[i].mean);
    g_assert_cmpint (input->has_sigmoid, ==, cases[i].has_sigmoid);
  }
  files_clear (&files);
}

static void
test_sidecar (void)
{
  static const char text[] = "# half of it\nmean = 0.25\n divide = max \nactivation=sigmoid\n"
                             "output = other\n";
  Files files;
  files_init (&files);
  write_model (&files, &u2net);
  write_bytes (files.sidecar, text, strlen (text));
  g_autoptr (FsModelInput) input = fs_model_input_read (files.model, NULL);
  g_assert_nonnull (input);
  g_assert_cmpfloat (input->mean[2], ==, 0.25);
  g_assert_cmpfloat (input->deviation[2], ==, 0.225);
  g_assert_cmpfloat (input->divide, ==, 0);
  g_assert_true (input->has_sigmoid);
  g_assert_cmpstr (input->output, ==, "other");
  files_clear (&files);
}

static void
test_fill (void)
{
  const guint32 pixels[2] = { 0xff643214, 0x00000000 };
  float samples[6];
  FsModelInput input = { .width = 2, .height = 1, .mean = { 0, 0.5, 1 }, .deviation = { 1, 2, 4 } };
  fs_model_input_fill (&input, pixels, samples);
  const float by_max[6] = { 1, 0, 0, -0.25f, -0.2f, -0.25f };
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (samples[i], by_max[i], 1e-6);
  input.divide = 50;
  fs_model_input_fill (&input, pixels, samples);
  const float by_50[6] = { 2, 0, 0.25f, -0.25f, -0.15f, -0.25f };
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (samples[i], by_50[i], 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-input/signature", test_signature);
  g_test_add_func ("/model-input/cut-short", test_cut_short);
  g_test_add_func ("/model-input/damaged", test_damaged);
  g_test_add_func ("/model-input/nameless", test_nameless);
  g_test_add_func ("/model-input/known", test_known);
  g_test_add_func ("/model-input/sidecar", test_sidecar);
  g_test_add_func ("/model-input/fill", test_fill);
  return g_test_run ();
}
