/* SPDX-License-Identifier: MIT */
#include "solver/graph/dimacs_text.h"

#include "solver/graph/graph_solver.h"
#include "solver/system/checked_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK (fs - dimacs - error - quark, fs_dimacs_error)

enum {
  BUFFER_BYTES = 1 << 16,
  MIN_ARC_BYTES = 8, /* "a 1 2 3\n", the last without its end */
  END_OF_FILE = -1,
};

typedef struct {
  const FsDimacsSource *source_text;
  guint64 line; /* from 1 */
  gsize at, n_buffered;
  gboolean failed; /* reading did; the error is set */
  FsDimacs *dimacs;
  uint32_t n_arcs_claimed;
  uint32_t source, sink; /* as the file counts; 0: none yet */
  gboolean has_problem, was_joined;
  gboolean is_sparse; /* there are more nodes than bytes */
  GError **error;
  unsigned char buffer[BUFFER_BYTES];
} Reader;

static gboolean G_GNUC_PRINTF (3, 4)
    fail (Reader *reader, FsDimacsError code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  const char *name = reader->source_text->name;
  g_autofree char *line =
      reader->line > 0 ? g_strdup_printf ("line %" G_GUINT64_FORMAT ": ", reader->line) : NULL;
  g_set_error (reader->error, FS_DIMACS_ERROR, code, "%s%s%s%s", name ? name : "", name ? ": " : "",
               line ? line : "", reason);
  return FALSE;
}

/* --- bytes and numbers ------------------------------------------------------------------------ */

static gboolean
fill_buffer (Reader *reader)
{
  gssize n = reader->source_text->read (reader->source_text->data, reader->buffer, BUFFER_BYTES);
  if (n < 0) {
    reader->failed = TRUE;
    fail (reader, FS_DIMACS_ERROR_READ, "cannot be read: %s", g_strerror (errno));
  }
  reader->at = 0;
  reader->n_buffered = n > 0 ? (gsize)n : 0;
  return n > 0;
}

static inline int
peek (Reader *reader)
{
  if (G_UNLIKELY (reader->at == reader->n_buffered) && !fill_buffer (reader))
    return END_OF_FILE;
  return reader->buffer[reader->at];
}

static void
skip_blanks (Reader *reader)
{
  int c = peek (reader);
  while (c == ' ' || c == '\t') {
    reader->at++;
    c = peek (reader);
  }
}

static gboolean
fail_at (Reader *reader, const char *wanted)
{
  int c = peek (reader);
  if (reader->failed)
    return FALSE;
  if (c == END_OF_FILE || c == '\n' || c == '\r')
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "ends where %s should be", wanted);
  if (g_ascii_isprint ((char)c))
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "has “%c” where %s should be", c, wanted);
  return fail (reader, FS_DIMACS_ERROR_FORMAT, "has the byte 0x%02x where %s should be",
               (unsigned)c, wanted);
}

/* Blanks and a whole number up to `max`. */
static gboolean
read_number (Reader *reader, const char *what, uint32_t max, uint32_t *number)
{
  skip_blanks (reader);
  int c = peek (reader);
  if (c < '0' || c > '9')
    return fail_at (reader, what);
  guint64 value = 0;
  for (; c >= '0' && c <= '9'; c = peek (reader)) {
    value = value * 10 + (guint64)(c - '0');
    if (value > max)
      return fail (reader, FS_DIMACS_ERROR_LIMIT, "%s is larger than %u", what, max);
    reader->at++;
  }
  if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != END_OF_FILE)
    return fail_at (reader, "the end of a number");
  *number = (uint32_t)value;
  return !reader->failed;
}

static gboolean
read_node (Reader *reader, const char *what, uint32_t max, uint32_t *node)
{
  if (!read_number (reader, what, max, node))
    return FALSE;
  if (*node == 0)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "%s is 0; nodes are counted from 1", what);
  --*node;
  return TRUE;
}

static gboolean
read_line_end (Reader *reader)
{
  skip_blanks (reader);
  if (peek (reader) == '\r')
    reader->at++;
  int c = peek (reader);
  if (c != '\n' && c != END_OF_FILE)
    return fail_at (reader, "the end of the line");
  reader->at += c == '\n';
  return !reader->failed;
}

static gboolean
skip_line (Reader *reader)
{
  for (;;) {
    if (peek (reader) == END_OF_FILE)
      return !reader->failed;
    const unsigned char *from = reader->buffer + reader->at;
    const unsigned char *end = memchr (from, '\n', reader->n_buffered - reader->at);
    reader->at = end != NULL ? (gsize)(end - reader->buffer) + 1 : reader->n_buffered;
    if (end != NULL)
      return TRUE;
  }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Weighs what the p line claims. */
static gboolean
admit_problem (Reader *reader, uint32_t n_nodes, uint32_t n_arcs)
{
  if (n_nodes < 2)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "a problem has at least the two terminals");
  if (n_arcs > reader->source_text->n_bytes / MIN_ARC_BYTES + 1)
    return fail (reader, FS_DIMACS_ERROR_FORMAT,
                 "%u arcs are more than %" G_GUINT64_FORMAT " bytes can describe", n_arcs,
                 reader->source_text->n_bytes);
  reader->is_sparse = n_nodes > reader->source_text->n_bytes;
  guint64 n_touched = MIN (n_nodes, 2 * (guint64)n_arcs + 2);
  uint32_t n_used = reader->is_sparse ? (uint32_t)n_touched : n_nodes;
  guint64 needed = (guint64)n_arcs * sizeof (FsGraphEdge) + (guint64)n_used * sizeof (int64_t)
                   + fs_graph_solver_forecast_bytes (n_used, n_arcs);
  guint64 max = reader->source_text->max_bytes;
  if (needed > max)
    return fail (reader, FS_DIMACS_ERROR_LIMIT,
                 "%u nodes and %u arcs take %" G_GUINT64_FORMAT " MB; %" G_GUINT64_FORMAT
                 " MB may be used",
                 n_nodes, n_arcs, (needed >> 20) + 1, max >> 20);
  return TRUE;
}

static gboolean
fail_memory (Reader *reader, uint32_t n_nodes, uint32_t n_arcs)
{
  return fail (reader, FS_DIMACS_ERROR_LIMIT, "not enough memory for %u nodes and %u arcs", n_nodes,
               n_arcs);
}

static gboolean
read_problem (Reader *reader)
{
  uint32_t n_nodes, n_arcs;
  if (reader->has_problem)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "a second p line");
  skip_blanks (reader);
  for (const char *word = "max"; *word; word++, reader->at++)
    if (peek (reader) != *word)
      return fail_at (reader, "“max”");
  if (!read_number (reader, "the number of nodes", FS_GRAPH_NODES_MAX, &n_nodes)
      || !read_number (reader, "the number of arcs", FS_GRAPH_EDGES_MAX, &n_arcs)
      || !read_line_end (reader) || !admit_problem (reader, n_nodes, n_arcs))
    return FALSE;
  FsGraph *graph = &reader->dimacs->graph;
  reader->dimacs->n_nodes = graph->n_nodes = n_nodes;
  graph->edges = fs_memory_new (n_arcs, sizeof *graph->edges);
  if (graph->edges == NULL)
    return fail_memory (reader, n_nodes, n_arcs);
  reader->n_arcs_claimed = n_arcs;
  reader->has_problem = TRUE;
  return TRUE;
}

static gboolean
read_terminal (Reader *reader)
{
  uint32_t node, max = reader->has_problem ? reader->dimacs->n_nodes : FS_GRAPH_NODES_MAX;
  if (!read_node (reader, "the terminal", max, &node))
    return FALSE;
  skip_blanks (reader);
  int c = peek (reader);
  if (c != 's' && c != 't')
    return fail_at (reader, "“s” or “t”");
  reader->at++;
  uint32_t *terminal = c == 's' ? &reader->source : &reader->sink;
  if (*terminal != 0)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "a second %s", c == 's' ? "source" : "sink");
  *terminal = node + 1;
  return read_line_end (reader);
}

/* Appends an arc; the reverse of the one before it becomes its way back. */
static void
add_arc (Reader *reader, const FsGraphEdge *arc)
{
  FsGraph *graph = &reader->dimacs->graph;
  FsGraphEdge *last = graph->n_edges > 0 ? &graph->edges[graph->n_edges - 1] : NULL;
  gboolean joins =
      last != NULL && !reader->was_joined && last->from == arc->to && last->to == arc->from;
  if (joins)
    last->back = arc->capacity;
  else
    graph->edges[graph->n_edges++] = *arc;
  reader->was_joined = joins;
  reader->dimacs->n_arcs++;
}

static gboolean
read_arc (Reader *reader)
{
  FsGraphEdge arc = { 0 };
  uint32_t capacity, n_nodes = reader->dimacs->n_nodes;
  if (!reader->has_problem)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "an arc before the p line");
  if (reader->dimacs->n_arcs == reader->n_arcs_claimed)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "one arc more than the %u of the p line",
                 reader->n_arcs_claimed);
  if (!read_node (reader, "the arc's first node", n_nodes, &arc.from)
      || !read_node (reader, "the arc's second node", n_nodes, &arc.to)
      || !read_number (reader, "the capacity", G_MAXINT32, &capacity) || !read_line_end (reader))
    return FALSE;
  arc.capacity = (int32_t)capacity;
  add_arc (reader, &arc);
  return TRUE;
}

static gboolean
read_line (Reader *reader)
{
  skip_blanks (reader);
  int kind = peek (reader);
  if (reader->failed)
    return FALSE;
  if (kind == END_OF_FILE || kind == '\n' || kind == '\r')
    return read_line_end (reader);
  if (kind == 'c')
    return skip_line (reader);
  if (kind != 'p' && kind != 'n' && kind != 'a')
    return fail_at (reader, "“c”, “p”, “n” or “a”");
  reader->at++;
  int c = peek (reader);
  if (c != ' ' && c != '\t')
    return fail_at (reader, "a blank");
  return kind == 'p'   ? read_problem (reader)
         : kind == 'n' ? read_terminal (reader)
                       : read_arc (reader);
}

static gboolean
check_whole (Reader *reader)
{
  FsDimacs *dimacs = reader->dimacs;
  reader->line = 0;
  if (!reader->has_problem)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "has no p line: not a DIMACS problem");
  if (reader->source == 0 || reader->sink == 0)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "has no %s",
                 reader->source != 0 ? "sink" : "source");
  if (MAX (reader->source, reader->sink) > dimacs->n_nodes)
    return fail (reader, FS_DIMACS_ERROR_LIMIT, "the terminal %u is larger than %u",
                 MAX (reader->source, reader->sink), dimacs->n_nodes);
  dimacs->source = reader->source - 1;
  dimacs->sink = reader->sink - 1;
  if (dimacs->source == dimacs->sink)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "source and sink are the same node");
  if (dimacs->n_arcs < reader->n_arcs_claimed)
    return fail (reader, FS_DIMACS_ERROR_FORMAT, "ends after %u of %u arcs", dimacs->n_arcs,
                 reader->n_arcs_claimed);
  return TRUE;
}

/* --- the graph -------------------------------------------------------------------------------- */

static int
compare_nodes (const void *a, const void *b)
{
  uint32_t u = *(const uint32_t *)a, v = *(const uint32_t *)b;
  return (u > v) - (u < v);
}

/* The place of the file's node in the list. */
static uint32_t
find_node (const FsDimacs *dimacs, uint32_t node)
{
  const uint32_t *found =
      bsearch (&node, dimacs->node, dimacs->graph.n_nodes, sizeof node, compare_nodes);
  return (uint32_t)(found - dimacs->node);
}

/* Numbers the nodes that arcs touch, and the terminals, alone. */
static gboolean
leave_out_others (FsDimacs *dimacs)
{
  FsGraph *graph = &dimacs->graph;
  size_t n = 0, n_different = 0;
  uint32_t *node = dimacs->node = fs_memory_new (2 * (size_t)graph->n_edges + 2, sizeof *node);
  if (node == NULL)
    return FALSE;
  node[n++] = dimacs->source;
  node[n++] = dimacs->sink;
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    node[n++] = graph->edges[i].from;
    node[n++] = graph->edges[i].to;
  }
  qsort (node, n, sizeof *node, compare_nodes);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || node[i] != node[n_different - 1])
      node[n_different++] = node[i];
  graph->n_nodes = (uint32_t)n_different;
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    graph->edges[i].from = find_node (dimacs, graph->edges[i].from);
    graph->edges[i].to = find_node (dimacs, graph->edges[i].to);
  }
  dimacs->source = find_node (dimacs, dimacs->source);
  dimacs->sink = find_node (dimacs, dimacs->sink);
  return TRUE;
}

static gboolean
finish_graph (Reader *reader)
{
  FsDimacs *dimacs = reader->dimacs;
  FsGraph *graph = &dimacs->graph;
  if (reader->is_sparse && !leave_out_others (dimacs))
    return fail_memory (reader, dimacs->n_nodes, dimacs->n_arcs);
  graph->tlink = fs_memory_new (graph->n_nodes, sizeof *graph->tlink);
  if (graph->tlink == NULL)
    return fail_memory (reader, dimacs->n_nodes, dimacs->n_arcs);
  memset (graph->tlink, 0, graph->n_nodes * sizeof *graph->tlink);
  return TRUE;
}

/* Skips the byte order mark of UTF-8. */
static void
skip_byte_order_mark (Reader *reader)
{
  static const unsigned char mark[] = { 0xef, 0xbb, 0xbf };
  if (peek (reader) == mark[0] && reader->n_buffered >= sizeof mark
      && memcmp (reader->buffer, mark, sizeof mark) == 0)
    reader->at = sizeof mark;
}

static gboolean
read_all (Reader *reader)
{
  skip_byte_order_mark (reader);
  for (reader->line = 1; peek (reader) != END_OF_FILE; reader->line++)
    if (!read_line (reader))
      return FALSE;
  return !reader->failed && check_whole (reader) && finish_graph (reader);
}

/* --- the whole --- */

FsDimacs *
fs_dimacs_read (const FsDimacsSource *source, GError **error)
{
  g_return_val_if_fail (source != NULL && source->read != NULL, NULL);
  g_autofree Reader *reader = g_new0 (Reader, 1);
  reader->source_text = source;
  reader->error = error;
  reader->dimacs = g_new0 (FsDimacs, 1);
  FsDimacs *dimacs = read_all (reader) ? g_steal_pointer (&reader->dimacs) : NULL;
  fs_dimacs_free (reader->dimacs);
  return dimacs;
}

void
fs_dimacs_free (FsDimacs *dimacs)
{
  if (dimacs == NULL)
    return;
  fs_memory_free (dimacs->graph.tlink);
  fs_memory_free (dimacs->graph.edges);
  fs_memory_free (dimacs->node);
  g_free (dimacs);
}
