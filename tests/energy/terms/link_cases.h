/* SPDX-License-Identifier: MIT */
/* Links that an engine makes against those that the energy fills, on random photos.
 *
 * The CUDA backend's table is the test's (fs_cuda_use_table). */
#ifndef FS_TESTS_ENERGY_LINK_CASES_H
#define FS_TESTS_ENERGY_LINK_CASES_H

#include "energy/energy.h"
#include "solver/implicit_links.h"

G_BEGIN_DECLS

/* A photo with strokes, an energy of them, and a solver that has its link tables alone. Beside them
 * an energy that fills planes, which is played the same. */
typedef struct {
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy, *plain;
  FsGrid grid; /* the solver's: n-links and a t-link plane of the case's own */
  FsSolver *solver;
  GArray *pixels, *tlinks, *star; /* of the last edit */
  int n_fills;                    /* how often the planes were asked for */
  int n_fixed;                    /* … strokes were passed as spans */
} FsLinkCase;

/* Of any model and settings. */
void fs_link_case_init (FsLinkCase *c, GRand *rand, int width, int height);
void fs_link_case_clear (FsLinkCase *c);

/* A stroke while the models stand still. */
void fs_link_case_paint (FsLinkCase *c, GRand *rand);
/* New models, maybe with a mask prior, with some of it clamped. */
void fs_link_case_fit (FsLinkCase *c, GRand *rand);

/* Demands that the state which has not been solved yet is what the energy fills. */
void fs_link_case_check_state (FsLinkCase *c);
/* Solves, and demands the mask of the processor. */
void fs_link_case_check_mask (FsLinkCase *c);

G_END_DECLS

#endif
