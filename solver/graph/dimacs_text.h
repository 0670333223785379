/* SPDX-License-Identifier: MIT */
/* Maximum-flow problems as text in the DIMACS format.   Layer: solver.
 *
 *   c a comment
 *   p max NODES ARCS
 *   n SOURCE s
 *   n SINK t
 *   a FROM TO CAPACITY        as often as the p line says
 *
 * (First DIMACS Implementation Challenge 1990, "The maximum flow problem"). Nodes are numbered from
 * 1, capacities are integers from 0 to 2,147,483,647. The parser is strict: one p line before the
 * arcs, one n line for each terminal, anywhere, and nothing else on a line; blanks, empty lines,
 * both line ends, a byte order mark and a missing last line end are accepted. The text is not
 * trusted: before memory is allocated the numbers of the p line are checked against the limits of
 * graph.h, the memory that may be used (for reading and for cutting), and, for arcs, the text's
 * length. If the text has fewer bytes than nodes, nodes without arcs take no memory.
 *
 * Threads: any.
 */
#ifndef FS_SOLVER_GRAPH_DIMACS_TEXT_H
#define FS_SOLVER_GRAPH_DIMACS_TEXT_H

#include "solver/graph/graph.h"

G_BEGIN_DECLS

#define FS_DIMACS_ERROR (fs_dimacs_error_quark ())
GQuark fs_dimacs_error_quark (void);

typedef enum {
  FS_DIMACS_ERROR_READ,   /* cannot be opened or read                 */
  FS_DIMACS_ERROR_FORMAT, /* breaks the format                        */
  FS_DIMACS_ERROR_LIMIT,  /* beyond a limit, or beyond memory         */
} FsDimacsError;

typedef struct {
  FsGraph graph;   /* t-links all 0; an arc and its reverse in the next line are one edge */
  uint32_t source; /* counted from 0, as all nodes of the graph                           */
  uint32_t sink;
  uint32_t n_arcs, n_nodes; /* of the file */
  uint32_t *node; /* [graph.n_nodes] the file's, counted from 0, ascending; NULL: all of them */
} FsDimacs;

typedef struct {
  const char *name;  /* that errors begin with, or NULL */
  guint64 n_bytes;   /* of the text                     */
  guint64 max_bytes; /* of memory                       */
  /* Reads up to n bytes: their number, 0 at the end, −1 with errno. */
  gssize (*read) (gpointer data, void *buffer, gsize n);
  gpointer data;
} FsDimacsSource;

/* Errors: FS_DIMACS_ERROR, "NAME: line N: reason". */
FsDimacs *fs_dimacs_read (const FsDimacsSource *source, GError **error);
void fs_dimacs_free (FsDimacs *dimacs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsDimacs, fs_dimacs_free)

G_END_DECLS

#endif
