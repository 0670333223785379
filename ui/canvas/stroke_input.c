/* SPDX-License-Identifier: MIT */
#include "ui/canvas/stroke_input.h"

#include "app/live/document_edge.h"
#include "ui/canvas/stroke_smoothing.h"

struct _FsStrokeInput {
  FsDocument *document; /* set during a stroke */
  FsStrokeStart start;
  guint32 start_ms;
  GArray *samples; /* of FsSample */
  FsSample before; /* the last but one sample of a motion */
  gboolean has_before;
  guint n_flushed;
};

FsStrokeInput *
fs_stroke_input_new (void)
{
  FsStrokeInput *input = g_new0 (FsStrokeInput, 1);
  input->samples = g_array_sized_new (FALSE, FALSE, sizeof (FsSample), 4096);
  return input;
}

void
fs_stroke_input_free (FsStrokeInput *input)
{
  if (input == NULL)
    return;
  fs_stroke_input_cancel (input);
  g_array_unref (input->samples);
  g_free (input);
}

static gboolean
begin_stroke (FsDocument *document, const FsStrokeStart *start)
{
  if (start->trail == FS_TRAIL_LASSO || start->trail == FS_TRAIL_BOX)
    return fs_document_begin_shape (document, FS_STROKE_OUTLINE, FS_SEED_BACKGROUND, 1, 0);
  FsStrokeShape shape = start->trail == FS_TRAIL_PEN ? FS_STROKE_PEN : FS_STROKE_BRUSH;
  if (start->is_zone)
    return fs_document_begin_zone (document, shape, (FsEdgeZone)start->label, start->radius_px);
  return fs_document_begin_shape (document, shape, start->label, start->radius_px,
                                  fs_document_get_newest_final (document));
}

gboolean
fs_stroke_input_begin (FsStrokeInput *input, FsDocument *document, const FsStrokeStart *start,
                       guint32 time_ms)
{
  g_return_val_if_fail (input->document == NULL, FALSE);
  if (!begin_stroke (document, start))
    return FALSE;
  input->document = g_object_ref (document);
  input->start = *start;
  input->start_ms = time_ms;
  input->n_flushed = 0;
  input->has_before = FALSE;
  g_array_set_size (input->samples, 0);
  return TRUE;
}

static void
append_smoothly (FsStrokeInput *input, const FsSample *sample)
{
  guint n = input->samples->len;
  FsSample last = n > 0 ? g_array_index (input->samples, FsSample, n - 1) : *sample;
  fs_stroke_smoothing_append (input->samples, input->has_before ? &input->before : NULL, sample,
                              input->start.tolerance_px);
  input->has_before = n > 0;
  input->before = last;
}

void
fs_stroke_input_append (FsStrokeInput *input, double x, double y, double pressure, guint32 time_ms)
{
  if (input->document == NULL)
    return;
  FsSample sample = {
    .x = (float)x,
    .y = (float)y,
    .pressure = (float)CLAMP (pressure, 0, 1),
    .time_ms = time_ms - input->start_ms,
  };
  if (input->start.trail == FS_TRAIL_BOX)
    g_array_set_size (input->samples, MIN (input->samples->len, 1));
  if (input->start.trail <= FS_TRAIL_PEN)
    append_smoothly (input, &sample);
  else
    g_array_append_val (input->samples, sample);
}

void
fs_stroke_input_flush (FsStrokeInput *input)
{
  guint n = input->samples->len - input->n_flushed;
  if (input->document == NULL || n == 0 || input->start.trail == FS_TRAIL_BOX)
    return;
  const FsSample *samples = &g_array_index (input->samples, FsSample, input->n_flushed);
  input->n_flushed = input->samples->len;
  fs_document_extend_stroke (input->document, samples, n);
}

static void
draw_box (FsStrokeInput *input)
{
  if (input->samples->len < 2)
    return;
  FsSample a = g_array_index (input->samples, FsSample, 0);
  FsSample c = g_array_index (input->samples, FsSample, 1);
  FsSample b = { c.x, a.y, a.pressure, c.time_ms }, d = { a.x, c.y, c.pressure, c.time_ms };
  fs_document_extend_stroke (input->document, (FsSample[]){ a, b, c, d }, 4);
}

void
fs_stroke_input_end (FsStrokeInput *input)
{
  if (input->document == NULL)
    return;
  fs_stroke_input_flush (input);
  if (input->start.trail == FS_TRAIL_BOX)
    draw_box (input);
  g_autoptr (FsDocument) document = g_steal_pointer (&input->document);
  fs_document_end_stroke (document);
}

void
fs_stroke_input_cancel (FsStrokeInput *input)
{
  if (input->document == NULL)
    return;
  g_autoptr (FsDocument) document = g_steal_pointer (&input->document);
  fs_document_cancel_stroke (document);
}

gboolean
fs_stroke_input_is_active (const FsStrokeInput *input)
{
  return input->document != NULL;
}

const FsStrokeStart *
fs_stroke_input_get_start (const FsStrokeInput *input)
{
  return &input->start;
}

const FsSample *
fs_stroke_input_get_samples (const FsStrokeInput *input, guint *n)
{
  *n = input->document != NULL ? input->samples->len : 0;
  return (const FsSample *)(gpointer)input->samples->data;
}
