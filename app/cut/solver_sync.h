/* SPDX-License-Identifier: MIT */
/* Deferred transfer of changed t-links and star links from an energy to its solver.   Layer: app.
 *
 * There are two grids on the same n-links. Strokes and fits write the *wanted* one, the energy's,
 * which previews read at once. The solver works on the *held* one and takes over what has changed
 * just before it solves: repairing its flow is not worth the time while every stroke is shown by a
 * preview only. A device with implicit links gets their source data instead, and the planes of both
 * grids stay unfilled until somebody needs them.
 *
 * Memory: 5 bytes a pixel (4 without a star), from the first solver on. Threads: one at a time.
 */
#ifndef FS_APP_CUT_SOLVER_SYNC_H
#define FS_APP_CUT_SOLVER_SYNC_H

#include "solver/implicit_links.h"

G_BEGIN_DECLS

/* The wanted links where planes are not filled. */
typedef struct {
  void (*fill_source) (FsLinkSource *source, gpointer data); /* the link tables */
  gboolean (*need_planes) (gpointer data, GError **error);   /* into the wanted grid */
  gpointer data;
} FsWantedLinks;

typedef struct {
  const FsGrid *wanted; /* borrowed */
  FsWantedLinks how;
  FsGrid held; /* the solver's: t-links and star are its own, NULL before it is made */
  /* Changes that the solver has not taken: spans first, then t-links; or all. */
  GArray *fixed;  /* of FsFixedSpan                          */
  GArray *tlinks; /* of FsTlinkChange                        */
  GArray *star;   /* of FsStarChange                         */
  gboolean all;   /* too many to list: the lists are empty   */
} FsCutLinks;

void fs_cut_links_init (FsCutLinks *links, const FsGrid *wanted, FsWantedLinks how);
/* After the solver has been freed. */
void fs_cut_links_clear (FsCutLinks *links);

/* Makes the solver, of the wanted links as they are. Once. NULL with an error as fs_solver_new. */
FsSolver *fs_cut_links_make_solver (FsCutLinks *links, const FsBackend *backend, GError **error);

/* Records changes of wanted links: those listed, or all. Cheap. */
void fs_cut_links_note (FsCutLinks *links, const GArray *tlinks, const GArray *star);
void fs_cut_links_note_all (FsCutLinks *links);

/* TRUE if pixels that become seeds may be recorded as spans: the solver has implicit links, and no
 * t-links wait, since spans are applied before them. */
gboolean fs_cut_links_take_spans (const FsCutLinks *links, FsSolver *solver);
/* Records such spans (fs_energy_list_fixed) and the changes of the star that come with them. */
void fs_cut_links_note_fixed (FsCutLinks *links, const GArray *fixed, const GArray *star);

/* An upper bound of the pixels whose links the solver has not taken. */
size_t fs_cut_links_count_waiting (const FsCutLinks *links);

/* Applies the recorded changes to the solver. Cost: that of the changed pixels. Cannot be
 * cancelled. Errors: FS_SOLVER_ERROR. */
gboolean fs_cut_links_hand_over (FsCutLinks *links, FsSolver *solver, GError **error);

G_END_DECLS

#endif
