/* SPDX-License-Identifier: MIT */
#include "tests/gui/sample_strokes.h"

#include "app/session/session.h"

#include <math.h>

#define SAMPLE_MS 8 /* between two samples: a pause of the hand shows nothing */

static void
paint (Stage *stage, const FsStroke *stroke)
{
  const guint button =
      stroke->label == FS_SEED_BACKGROUND ? GDK_BUTTON_SECONDARY : GDK_BUTTON_PRIMARY;
  const double zoom = fs_canvas_get_transform (stage_canvas (stage))->zoom;
  double x = 0, y = 0;
  fs_tools_set_brush_size (fs_window_get_tools (stage->window),
                           (int)lround (2 * stroke->radius_px * zoom));
  for (guint i = 0; i < stroke->samples->len; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    stage_to_widget (stage, sample->x, sample->y, &x, &y);
    if (i == 0)
      stage_press (stage, button, x, y);
    else
      stage_move (stage, x, y);
    stage_pause (SAMPLE_MS);
  }
  stage_release (stage, button, x, y);
}

static void
play (Stage *stage, const char *name)
{
  const char *source = g_getenv ("FRETSAW_SOURCE");
  g_autofree char *path =
      g_build_filename (source != NULL ? source : ".", "data", "sessions", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < session->strokes->len; i++) {
    FsStroke *stroke = g_ptr_array_index (session->strokes, i);
    if (stroke->shape != FS_STROKE_GUESS)
      paint (stage, stroke);
    else
      g_assert_true (fs_document_set_guess (stage_document (stage), stroke->guess, stroke->name));
    stage_wait_for_final (stage);
  }
}

void
sample_strokes_play (Stage *stage)
{
  play (stage, "sample-few.fretsaw");
}

void
sample_guess_play (Stage *stage)
{
  play (stage, "sample-guess.fretsaw");
}
