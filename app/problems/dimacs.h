/* SPDX-License-Identifier: MIT */
/* Maximum-flow problems from files in the DIMACS format.   Layer: app.
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
 * both line ends, a byte order mark and a missing last line end are accepted. The file is not
 * trusted: only regular files are opened, and before memory is allocated the numbers of the p line
 * are checked against the limits of solver/graph/graph.h, the free memory (for reading and for
 * cutting), and, for arcs, the file's length. If the file has fewer bytes than nodes, nodes without
 * arcs take no memory.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_PROBLEMS_DIMACS_H
#define FS_APP_PROBLEMS_DIMACS_H

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

/* Errors: FS_DIMACS_ERROR, "FILE: line N: reason". */
FsDimacs *fs_dimacs_load (const char *path, GError **error);
void fs_dimacs_free (FsDimacs *dimacs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsDimacs, fs_dimacs_free)

G_END_DECLS

#endif
