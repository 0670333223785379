/* SPDX-License-Identifier: MIT */
/* The t-links and the star that a solver holds, apart from those that are wanted.   Layer: app.
 *
 * Strokes and fits write the energy's own planes, which a preview reads at once. The solver takes
 * over what has changed when it is to solve, and not before: while an exact mask cannot be had in
 * time anyway, none of it needs to wait for the flow to be fitted to new links. So the solver is
 * bound to a grid of its own, on the same n-links. Where a device makes the links it gets what they
 * follow from, and the planes, wanted and held, wait until they are needed.
 *
 * Memory: 5 bytes a pixel (4 without a star), from the first solver on. Threads: one at a time.
 */
#ifndef FS_APP_CUT_SOLVER_SYNC_H
#define FS_APP_CUT_SOLVER_SYNC_H

#include "solver/implicit_links.h"

G_BEGIN_DECLS

/* What is wanted, for whom it is not there in planes. */
typedef struct {
  void (*tell) (FsLinkSource *source, gpointer data);
  gboolean (*need_planes) (gpointer data, GError **error); /* into the wanted grid */
  gpointer data;
} FsWantedLinks;

typedef struct {
  const FsGrid *wanted; /* borrowed */
  FsWantedLinks how;
  FsGrid held;    /* the solver's: t-links and star are its own, NULL before it is made */
  GArray *fixed;  /* of FsFixedSpan: what has changed since the solver took it, … */
  GArray *tlinks; /* of FsTlinkChange: … after that                               */
  GArray *star;   /* of FsStarChange                                               */
  gboolean all;   /* … or too much to be listed                                    */
} FsCutLinks;

void fs_cut_links_init (FsCutLinks *links, const FsGrid *wanted, FsWantedLinks how);
/* After the solver has been freed. */
void fs_cut_links_clear (FsCutLinks *links);

/* A solver of the wanted links as they are. NULL with an error as fs_solver_new. Once. */
FsSolver *fs_cut_links_make_solver (FsCutLinks *links, const FsBackend *backend, GError **error);

/* Tells of wanted links that have changed: those listed, or any. Cheap. */
void fs_cut_links_note (FsCutLinks *links, const GArray *tlinks, const GArray *star);
void fs_cut_links_note_all (FsCutLinks *links);

/* Whether pixels that become seeds may be passed as spans: where the solver makes links, and no
 * list waits that would come after them. */
gboolean fs_cut_links_take_spans (const FsCutLinks *links, FsSolver *solver);
/* Tells of such spans (energy's fs_energy_list_fixed), and of the star. */
void fs_cut_links_note_fixed (FsCutLinks *links, const GArray *fixed, const GArray *star);

/* How many pixels' links the solver has not taken, at most. */
size_t fs_cut_links_count_waiting (const FsCutLinks *links);

/* Makes the solver take them. Cost: theirs. Does not look at cancellation. */
gboolean fs_cut_links_hand_over (FsCutLinks *links, FsSolver *solver, GError **error);

G_END_DECLS

#endif
