/* SPDX-License-Identifier: MIT */
#include "subject/onnx_signature.h"

#include "app/files/display_name.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Field numbers in onnx.proto. */
enum { MODEL_GRAPH = 7 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_OUTPUT = 2, NODE_OPERATION = 4 };
enum { TENSOR_TYPE = 2, TENSOR_NAME = 8 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2 };
enum { TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1 };

/* Wire types of fields. */
enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

#define ONNX_FLOAT16 10
#define DIM_MAX      (1 << 20)

G_DEFINE_QUARK (fs - subject - error - quark, fs_subject_error)

/* Bytes that are still to be read. */
typedef struct {
  const guint8 *at, *end;
} Span;

typedef struct {
  guint number;
  guint wire;
  guint64 value; /* of a varint */
  Span bytes;    /* of WIRE_BYTES */
} Field;

typedef enum { FIELD_READ, FIELD_NONE, FIELD_DAMAGED } FieldResult;

static gboolean
read_varint (Span *span, guint64 *value)
{
  *value = 0;
  for (int shift = 0; shift < 64 && span->at < span->end; shift += 7) {
    const guint8 byte = *span->at++;
    *value |= (guint64)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return TRUE;
  }
  return FALSE;
}

/* Reads the next field of a message; FIELD_DAMAGED where it would end after the message. */
static FieldResult
read_field (Span *span, Field *field)
{
  guint64 key, n_bytes = 0;
  if (span->at == span->end)
    return FIELD_NONE;
  if (!read_varint (span, &key) || key >> 3 == 0 || key >> 32 != 0)
    return FIELD_DAMAGED;
  *field = (Field){ .number = (guint)(key >> 3), .wire = (guint)(key & 7) };
  if (field->wire == WIRE_VARINT)
    return read_varint (span, &field->value) ? FIELD_READ : FIELD_DAMAGED;
  if (field->wire == WIRE_64)
    n_bytes = 8;
  else if (field->wire == WIRE_32)
    n_bytes = 4;
  else if (field->wire != WIRE_BYTES || !read_varint (span, &n_bytes))
    return FIELD_DAMAGED;
  if (n_bytes > (guint64)(span->end - span->at))
    return FIELD_DAMAGED;
  field->bytes = (Span){ span->at, span->at + n_bytes };
  span->at += n_bytes;
  return FIELD_READ;
}

static gboolean
is_message (const Field *field, guint number)
{
  return field->number == number && field->wire == WIRE_BYTES;
}

static char *
to_string (Span bytes)
{
  return g_strndup ((const char *)bytes.at, (gsize)(bytes.end - bytes.at));
}

static gboolean
read_dim (Span dim, FsOnnxValue *value)
{
  Field field;
  FieldResult result;
  int size = 0;
  while ((result = read_field (&dim, &field)) == FIELD_READ)
    if (field.number == DIM_VALUE && field.wire == WIRE_VARINT)
      size = field.value <= DIM_MAX ? (int)field.value : 0;
  if (result == FIELD_DAMAGED || value->n_dims == FS_ONNX_DIMS_MAX)
    return FALSE;
  value->dims[value->n_dims++] = size;
  return TRUE;
}

static gboolean
read_shape (Span shape, FsOnnxValue *value)
{
  Field field;
  FieldResult result;
  while ((result = read_field (&shape, &field)) == FIELD_READ)
    if (is_message (&field, SHAPE_DIM) && !read_dim (field.bytes, value))
      return FALSE;
  return result == FIELD_NONE;
}

static gboolean
read_tensor_type (Span tensor, FsOnnxValue *value)
{
  Field field;
  FieldResult result;
  while ((result = read_field (&tensor, &field)) == FIELD_READ)
    if (field.number == TENSOR_ELEMENT && field.wire == WIRE_VARINT)
      value->type = (int)MIN (field.value, G_MAXINT);
    else if (is_message (&field, TENSOR_SHAPE) && !read_shape (field.bytes, value))
      return FALSE;
  return result == FIELD_NONE;
}

static gboolean
read_type (Span type, FsOnnxValue *value)
{
  Field field;
  FieldResult result;
  while ((result = read_field (&type, &field)) == FIELD_READ)
    if (is_message (&field, TYPE_TENSOR) && !read_tensor_type (field.bytes, value))
      return FALSE;
  return result == FIELD_NONE;
}

static gboolean
read_value (Span bytes, GArray *values)
{
  Field field;
  FieldResult result;
  FsOnnxValue nameless = { .name = g_strdup ("") };
  g_array_append_val (values, nameless);
  FsOnnxValue *value = &g_array_index (values, FsOnnxValue, values->len - 1);
  while ((result = read_field (&bytes, &field)) == FIELD_READ)
    if (is_message (&field, VALUE_NAME)) {
      g_free (value->name);
      value->name = to_string (field.bytes);
    } else if (is_message (&field, VALUE_TYPE) && !read_type (field.bytes, value)) {
      return FALSE;
    }
  return result == FIELD_NONE;
}

static gboolean
read_initializer (Span tensor, FsOnnxSignature *signature, GHashTable *weights)
{
  Field field;
  FieldResult result;
  while ((result = read_field (&tensor, &field)) == FIELD_READ)
    if (field.number == TENSOR_TYPE && field.wire == WIRE_VARINT)
      signature->has_half_weights |= field.value == ONNX_FLOAT16;
    else if (is_message (&field, TENSOR_NAME))
      g_hash_table_add (weights, to_string (field.bytes));
  return result == FIELD_NONE;
}

/* Stores the op_type that computes each value. */
static gboolean
read_node (Span node, GHashTable *makers)
{
  Field field;
  FieldResult result;
  g_autofree char *operation = NULL;
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_free);
  while ((result = read_field (&node, &field)) == FIELD_READ)
    if (is_message (&field, NODE_OUTPUT)) {
      g_ptr_array_add (outputs, to_string (field.bytes));
    } else if (is_message (&field, NODE_OPERATION)) {
      g_free (operation);
      operation = to_string (field.bytes);
    }
  for (guint i = 0; i < outputs->len; i++)
    g_hash_table_insert (makers, g_strdup (outputs->pdata[i]), g_strdup (operation));
  return result == FIELD_NONE;
}

/* Older models list weights among the inputs. */
static void
drop_weights (GArray *inputs, GHashTable *weights)
{
  for (guint i = inputs->len; i-- > 0;)
    if (g_hash_table_contains (weights, g_array_index (inputs, FsOnnxValue, i).name))
      g_array_remove_index (inputs, i);
}

static gboolean
read_graph (Span graph, FsOnnxSignature *signature)
{
  Field field;
  FieldResult result;
  gboolean is_whole = TRUE;
  g_autoptr (GHashTable) weights = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) makers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while (is_whole && (result = read_field (&graph, &field)) != FIELD_NONE)
    if (result == FIELD_DAMAGED)
      is_whole = FALSE;
    else if (is_message (&field, GRAPH_INPUT))
      is_whole = read_value (field.bytes, signature->inputs);
    else if (is_message (&field, GRAPH_OUTPUT))
      is_whole = read_value (field.bytes, signature->outputs);
    else if (is_message (&field, GRAPH_INITIALIZER))
      is_whole = read_initializer (field.bytes, signature, weights);
    else if (is_message (&field, GRAPH_NODE))
      is_whole = read_node (field.bytes, makers);
  drop_weights (signature->inputs, weights);
  for (guint i = 0; i < signature->outputs->len; i++) {
    FsOnnxValue *output = &g_array_index (signature->outputs, FsOnnxValue, i);
    output->operation = g_strdup (g_hash_table_lookup (makers, output->name));
  }
  return is_whole;
}

static gboolean
read_model (Span model, FsOnnxSignature *signature)
{
  Field field;
  FieldResult result;
  while ((result = read_field (&model, &field)) == FIELD_READ)
    if (is_message (&field, MODEL_GRAPH) && !read_graph (field.bytes, signature))
      return FALSE;
  return result == FIELD_NONE;
}

static void
clear_value (gpointer value)
{
  g_free (((FsOnnxValue *)value)->name);
  g_free (((FsOnnxValue *)value)->operation);
}

static GArray *
new_values (void)
{
  GArray *values = g_array_new (FALSE, TRUE, sizeof (FsOnnxValue));
  g_array_set_clear_func (values, clear_value);
  return values;
}

/* Maps a regular file; others are refused, since a pipe would block and a device might be endless.
 */
static GMappedFile *
map_file (const char *path, const char *name, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  struct stat facts;
  const char *reason = NULL;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat (fd, &facts) != 0)
    reason = g_strerror (errno);
  else if (S_ISDIR (facts.st_mode))
    reason = "it is a folder";
  else if (!S_ISREG (facts.st_mode))
    reason = "it is not a regular file";
  else if (facts.st_size == 0)
    reason = "it is empty";
  else if (!(file = g_mapped_file_new_from_fd (fd, FALSE, NULL)))
    reason = g_strerror (errno);
  if (fd >= 0)
    close (fd);
  if (reason)
    g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_MODEL, "%s: cannot be read: %s", name,
                 reason);
  return g_steal_pointer (&file);
}

FsOnnxSignature *
fs_onnx_signature_read (const char *path, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_autoptr (GMappedFile) file = map_file (path, name, error);
  if (!file)
    return NULL;
  g_autoptr (FsOnnxSignature) signature = g_new0 (FsOnnxSignature, 1);
  signature->inputs = new_values ();
  signature->outputs = new_values ();
  const guint8 *bytes = (const guint8 *)g_mapped_file_get_contents (file);
  const Span model = { bytes, bytes + g_mapped_file_get_length (file) };
  const char *fault = NULL;
  if (!read_model (model, signature))
    fault = "is no ONNX model, or is damaged or cut short";
  else if (signature->inputs->len == 0 || signature->outputs->len == 0)
    fault = "is no ONNX model: it has no inputs or no outputs";
  if (!fault)
    return g_steal_pointer (&signature);
  g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_MODEL, "%s: %s", name, fault);
  return NULL;
}

void
fs_onnx_signature_free (FsOnnxSignature *signature)
{
  if (!signature)
    return;
  g_array_unref (signature->inputs);
  g_array_unref (signature->outputs);
  g_free (signature);
}
