/* SPDX-License-Identifier: MIT */
#include "ui/stroke_input.h"

struct _FsStrokeInput {
  FsDocument *document; /* set while a stroke grows */
  uint8_t label;
  float radius_px;
  guint32 start_ms;
  GArray *samples; /* of FsSample */
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

gboolean
fs_stroke_input_begin (FsStrokeInput *input, FsDocument *document, uint8_t label, float radius_px,
                       guint32 time_ms)
{
  g_return_val_if_fail (input->document == NULL, FALSE);
  if (!fs_document_begin_stroke (document, label, radius_px))
    return FALSE;
  input->document = g_object_ref (document);
  input->label = label;
  input->radius_px = radius_px;
  input->start_ms = time_ms;
  input->n_flushed = 0;
  g_array_set_size (input->samples, 0);
  return TRUE;
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
  g_array_append_val (input->samples, sample);
}

void
fs_stroke_input_flush (FsStrokeInput *input)
{
  guint n = input->samples->len - input->n_flushed;
  if (input->document == NULL || n == 0)
    return;
  const FsSample *samples = &g_array_index (input->samples, FsSample, input->n_flushed);
  input->n_flushed = input->samples->len;
  fs_document_extend_stroke (input->document, samples, n);
}

void
fs_stroke_input_end (FsStrokeInput *input)
{
  if (input->document == NULL)
    return;
  fs_stroke_input_flush (input);
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

uint8_t
fs_stroke_input_get_label (const FsStrokeInput *input)
{
  return input->label;
}

float
fs_stroke_input_get_radius (const FsStrokeInput *input)
{
  return input->radius_px;
}

const FsSample *
fs_stroke_input_get_samples (const FsStrokeInput *input, guint *n)
{
  *n = input->document != NULL ? input->samples->len : 0;
  return (const FsSample *)(gpointer)input->samples->data;
}
