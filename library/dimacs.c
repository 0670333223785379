/* SPDX-License-Identifier: MIT */
#include "library/graph.h"
#include "solver/graph/dimacs_text.h"
#include "solver/system/checked_memory.h"

#include <errno.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t n_bytes, at;
} Text;

static gssize
read_text (gpointer data, void *buffer, gsize n)
{
  Text *text = data;
  size_t n_read = MIN (n, text->n_bytes - text->at);
  if (n_read > 0)
    memcpy (buffer, text->text + text->at, n_read);
  text->at += n_read;
  return (gssize)n_read;
}

static fretsaw_status
take_dimacs_error (fretsaw_error *error, GError *taken)
{
  fretsaw_status status = taken->code == FS_DIMACS_ERROR_FORMAT  ? FRETSAW_FORMAT
                          : taken->code == FS_DIMACS_ERROR_LIMIT ? FRETSAW_INVALID
                                                                 : FRETSAW_READ;
  fs_library_fail (error, status, "%s", taken->message);
  g_error_free (taken);
  return status;
}

/* Copies lists, so that graphs have memory of one kind. */
static gboolean
take_lists (fretsaw_graph *self, const FsDimacs *dimacs)
{
  const FsGraph *from = &dimacs->graph;
  FsGraph *to = &self->graph;
  to->tlink = g_try_new (int64_t, from->n_nodes);
  to->edges = from->n_edges > 0 ? g_try_new (FsGraphEdge, from->n_edges) : NULL;
  self->node = dimacs->node ? g_try_new (uint32_t, from->n_nodes) : NULL;
  if (!to->tlink || (from->n_edges > 0 && !to->edges) || (dimacs->node && !self->node))
    return FALSE;
  memcpy (to->tlink, from->tlink, from->n_nodes * sizeof *to->tlink);
  if (from->n_edges > 0)
    memcpy (to->edges, from->edges, from->n_edges * sizeof *to->edges);
  if (self->node)
    memcpy (self->node, dimacs->node, from->n_nodes * sizeof *self->node);
  self->nodes_capacity = to->n_nodes = from->n_nodes;
  self->edges_capacity = to->n_edges = from->n_edges;
  self->n_named = dimacs->n_nodes;
  self->n_counted_nodes = (gint)dimacs->n_nodes;
  self->n_counted_edges = (gint)from->n_edges;
  return TRUE;
}

fretsaw_status
fretsaw_graph_read_dimacs (fretsaw_context *context, const char *text, size_t n_bytes,
                           size_t max_bytes, fretsaw_graph **graph, fretsaw_error *error)
{
  if (!graph || (!text && n_bytes > 0))
    return fs_library_fail (error, FRETSAW_INVALID, "%s is NULL", graph ? "text" : "graph");
  Text own = { text, n_bytes, 0 };
  const FsDimacsSource source = { .n_bytes = n_bytes,
                                  .max_bytes = max_bytes > 0 ? max_bytes : G_MAXUINT64,
                                  .read = read_text,
                                  .data = &own };
  GError *failure = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_read (&source, &failure);
  if (!dimacs)
    return take_dimacs_error (error, failure);
  int64_t constant = 0;
  if (!fs_graph_fold_terminals (&dimacs->graph, dimacs->source, dimacs->sink, &constant, &failure))
    return fs_library_take_error (error, failure);
  fretsaw_graph *self = fs_library_new_graph (context);
  if (!take_lists (self, dimacs)) {
    fretsaw_graph_free (self);
    return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for %u nodes and %u arcs",
                            dimacs->n_nodes, dimacs->n_arcs);
  }
  self->constant = constant;
  *graph = self;
  return FRETSAW_OK;
}

/* The rest of a stream; g_free. */
static fretsaw_status
read_stream (FILE *file, size_t max_bytes, char **text, size_t *n_bytes, fretsaw_error *error)
{
  enum { FIRST_BYTES = 1 << 16 };
  size_t capacity = 0, n = 0, n_read = 0;
  *text = NULL;
  do {
    if (n == capacity) {
      capacity = MAX (FIRST_BYTES, 2 * capacity);
      char *larger = g_try_realloc (*text, capacity);
      if (!larger)
        return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for the text");
      *text = larger;
    }
    n_read = fread (*text + n, 1, capacity - n, file);
    n += n_read;
    if (max_bytes > 0 && n > max_bytes)
      return fs_library_fail (error, FRETSAW_INVALID, "the text has more than max_bytes, %zu",
                              max_bytes);
  } while (n_read > 0);
  if (ferror (file))
    return fs_library_fail (error, FRETSAW_READ, "cannot be read: %s", g_strerror (errno));
  *n_bytes = n;
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_graph_read_dimacs_file (fretsaw_context *context, FILE *file, size_t max_bytes,
                                fretsaw_graph **graph, fretsaw_error *error)
{
  if (!file)
    return fs_library_fail (error, FRETSAW_INVALID, "file is NULL");
  g_autofree char *text = NULL;
  size_t n_bytes = 0;
  fretsaw_status status = read_stream (file, max_bytes, &text, &n_bytes, error);
  return status ? status
                : fretsaw_graph_read_dimacs (context, text, n_bytes, max_bytes, graph, error);
}
