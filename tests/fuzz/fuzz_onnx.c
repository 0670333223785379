/* SPDX-License-Identifier: MIT */
/* ONNX files from anywhere: what a model takes, within the limits of model_input.h, or one
 * sentence. Every output that is named has a name. */
#include "subject/model_input.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"
#include "tests/subject/made_model.h"

#include <math.h>
#include <unistd.h>

static void
check_input (const FsModelInput *input)
{
  g_assert_nonnull (input->network); /* no text file says what an unknown one takes */
  g_assert_true (input->width == 320 || input->width == 1024);
  g_assert_cmpint (input->height, ==, input->width);
  g_assert_nonnull (input->input);
  g_assert_nonnull (input->output);
  for (int c = 0; c < 3; c++)
    g_assert_true (input->deviation[c] > 0 && isfinite (input->mean[c]));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsModelInput) input = fs_model_input_read (path, &error);
  g_assert_true ((input != NULL) == (error == NULL));
  if (input == NULL && !photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  if (input != NULL)
    check_input (input);
  close (fd);
  return 0;
}

GPtrArray *
fuzz_corpus (void)
{
  static const MadeModel models[] = {
    { 320, 320, "Sigmoid", 1, FALSE }, { 1024, 1024, "Conv", 1, TRUE },
    { 0, 0, "Sigmoid", 10, FALSE },    { 512, 320, "Clip", 1, TRUE },
    { 90000, 4, "Relu", 1, FALSE },
  };
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    g_ptr_array_add (corpus, made_model_new (&models[i]));
  return corpus;
}
