/* SPDX-License-Identifier: MIT */
#include "tests/subject/made_model.h"

#include <string.h>

static void
put_varint (GByteArray *to, guint64 value)
{
  do {
    const guint8 byte = (guint8)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    g_byte_array_append (to, &byte, 1);
    value >>= 7;
  } while (value);
}

static void
put_number (GByteArray *to, guint field, guint64 value)
{
  put_varint (to, field << 3);
  put_varint (to, value);
}

static void
put_bytes (GByteArray *to, guint field, const void *bytes, gsize n)
{
  put_varint (to, field << 3 | 2);
  put_varint (to, n);
  g_byte_array_append (to, bytes, (guint)n);
}

static void
put_string (GByteArray *to, guint field, const char *text)
{
  put_bytes (to, field, text, strlen (text));
}

/* Takes `body`. */
static void
put_message (GByteArray *to, guint field, GByteArray *body)
{
  put_bytes (to, field, body->data, body->len);
  g_byte_array_unref (body);
}

static void
put_dim (GByteArray *shape, int size)
{
  GByteArray *dim = g_byte_array_new ();
  if (size > 0)
    put_number (dim, 1, (guint64)size);
  else
    put_string (dim, 2, "open");
  put_message (shape, 1, dim);
}

static void
put_value (GByteArray *graph, guint field, const char *name, const int dims[4])
{
  GByteArray *value = g_byte_array_new (), *type = g_byte_array_new ();
  GByteArray *tensor = g_byte_array_new (), *shape = g_byte_array_new ();
  for (int i = 0; i < 4; i++)
    put_dim (shape, dims[i]);
  put_number (tensor, 1, 1);
  put_message (tensor, 2, shape);
  put_message (type, 1, tensor);
  put_string (value, 1, name);
  put_message (value, 2, type);
  put_message (graph, field, value);
}

static void
put_node (GByteArray *graph, const char *operation, const char *from, const char *to)
{
  GByteArray *node = g_byte_array_new ();
  put_string (node, 1, from);
  put_string (node, 2, to);
  put_string (node, 4, operation);
  put_message (graph, 1, node);
}

static void
put_weights (GByteArray *graph, int type)
{
  GByteArray *tensor = g_byte_array_new ();
  const guint8 zeros[16] = { 0 };
  put_number (tensor, 1, 4);
  put_number (tensor, 2, (guint64)type);
  put_string (tensor, 8, "weights");
  put_bytes (tensor, 9, zeros, sizeof zeros);
  put_message (graph, 5, tensor);
}

GByteArray *
made_model_new (const MadeModel *model)
{
  const int photo[4] = { 1, 3, model->height, model->width };
  const int mask[4] = { 1, 1, model->height, model->width }, weights[4] = { 1, 3, 1, 1 };
  GByteArray *bytes = g_byte_array_new (), *graph = g_byte_array_new ();
  put_node (graph, "Conv", "photo", "score");
  put_node (graph, model->operation, "score", "mask");
  put_node (graph, "Relu", "score", "other");
  put_weights (graph, model->weight_type);
  if (model->list_weights)
    put_value (graph, 11, "weights", weights);
  put_value (graph, 11, "photo", photo);
  put_value (graph, 12, "mask", mask);
  put_value (graph, 12, "other", mask);
  put_number (bytes, 1, 7);
  put_message (bytes, 7, graph);
  return bytes;
}
