/* SPDX-License-Identifier: MIT */
/* What the window says of the device that cuts. The kernels' twin on the host stands in for one. */
#include "solver/backend.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"

#include "app/backend/backend_choice.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "ui/status/status_line.h"

static void
find_text (GtkWidget *widget, gpointer data)
{
  const char **text = data; /* what is looked for; NULL once it is found */
  if (GTK_IS_LABEL (widget) && gtk_widget_is_visible (widget)
      && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), *text) == 0)
    *text = NULL;
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), find_text, data);
}

static gboolean
is_shown (Stage *stage, const char *text)
{
  find_text (GTK_WIDGET (stage->window), &text);
  return text == NULL;
}

static void
test_device (void)
{
  fs_cuda_use_table (fs_engine_host ());
  fs_backend_choice_forget ();
  g_assert_true (fs_backend_choice_want ("cuda"));
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_assert_fresh (stage);
  g_assert_true (is_shown (stage, fs_backend_cuda.device ()));
  g_assert_null (fs_message_bar_get_text (fs_window_get_messages (stage->window)));
}

static void
test_device_is_lost (void)
{
  fs_cuda_use_table (fs_engine_host ());
  fs_backend_choice_forget ();
  g_assert_true (fs_backend_choice_want ("cuda"));
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_open_scene (stage);
  g_assert_true (fs_cuda_is_available (NULL)); /* opened now: what fails comes after */
  fs_engine_host_fail_after (0, TRUE, FS_ENGINE_FAILED);
  stage_paint_both (stage);
  stage_assert_fresh (stage);
  g_assert_true (is_shown (stage, fs_backend_cpu.device ()));
  g_assert_cmpstr (fs_message_bar_get_text (messages), ==, fs_cuda_notice ());

  fs_message_bar_clear (messages);
  stage_stroke (stage, 3, SCENE_WIDTH - 20, 20, SCENE_WIDTH - 20, SCENE_HEIGHT - 20, 6);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  g_assert_null (fs_message_bar_get_text (messages));
  fs_engine_host_fail_after (-1, FALSE, 0);
}

static void
test_no_device (void)
{
  g_setenv ("FRETSAW_CUDA_MODULE", "/nowhere/fretsaw-cuda.so", TRUE);
  fs_cuda_use_table (NULL);
  fs_backend_choice_forget ();
  g_assert_true (fs_backend_choice_want ("cuda"));
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_assert_fresh (stage);
  g_assert_true (is_shown (stage, fs_backend_cpu.device ()));
  g_assert_cmpstr (fs_message_bar_get_text (messages), ==,
                   "the CUDA backend cannot be used: its module is not installed; "
                   "using the CPU");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device/named", test_device);
  g_test_add_func ("/device/lost", test_device_is_lost);
  g_test_add_func ("/device/none", test_no_device);
  return g_test_run ();
}
