/* SPDX-License-Identifier: MIT */
/* State of a border refinement, private to its sources.   Layer: energy.
 *
 *   refine.c                  the rounds, on the photo or on the reduced one
 *   refine_distance.c         distances of cells from the border
 *   refine_colours.c          colours of both sides
 *   refine_box.c              evidence of a box alone
 *   refine_nlinks.c           n-links
 *   refine_border.c           t-links of the last round
 *   refine_reduced.c          seeds and masks of the reduced photo
 *   full_resolution_border.c  the border at the photo's own pixels
 *
 * Threads: as refine.h says.
 */
#ifndef FS_ENERGY_REFINE_REFINE_INTERNAL_H
#define FS_ENERGY_REFINE_REFINE_INTERNAL_H

#include "energy/energy_internal.h"
#include "energy/models/geodesic_photo.h"
#include "energy/refine/local_colours.h"

G_BEGIN_DECLS

/* States of the area's pixels: in the band; fixed, next to the band or a seed; without links. */
enum { FS_REFINE_FREE, FS_REFINE_BACKGROUND, FS_REFINE_OBJECT, FS_REFINE_BEYOND };

/* The t-link of a fixed pixel: one more than any pixel's n-links together. */
enum { FS_REFINE_FIXED = FS_N_ARCS * FS_NLINK_MAX + 1 };
G_STATIC_ASSERT (FS_REFINE_FIXED <= FS_TLINK_MAX);

/* Contents of a block of the photo, as bits of the reduced photo's pixel. */
enum {
  FS_REFINE_HAS_BACKGROUND_SEED = 1,
  FS_REFINE_HAS_OBJECT_SEED = 2,
  FS_REFINE_WAS_MIXED = 4 /* in the first mask */
};

/* The n-links of refinement, by those of the photo. */
typedef struct {
  uint16_t of[FS_NLINK_MAX + 1];
} FsRefineLinks;

/* Declared in refine.h too, which is above this. */
typedef struct _FsRefinement FsRefinement;

struct _FsRefinement {
  FsEnergy *energy;
  const FsSeedMap *seeds;
  const FsModel *model;
  /* The terms that the rounds run on: those of the photo, or of the reduced photo. */
  const FsPhotoTerms *terms;
  const FsGeodesicPhoto *photo;
  const FsGeodesicLevel *level;
  int shift;            /* 2^shift times smaller than the photo */
  const uint8_t *label; /* [pixels] of the seeds; a block of both kinds has none */
  uint8_t *blocks;      /* [pixels] what the blocks hold; NULL: the photo itself */
  uint8_t *own_label;
  int16_t *by_stroke; /* [bins] what strokes say of a colour; NULL: as in the model */

  int32_t band;         /* its half width as a distance of the level            */
  gboolean is_whole;    /* no band: the whole photo                             */
  gboolean is_of_cells; /* the whole photo, one pixel a cell                 */
  gboolean is_wider;    /* the band, since a change ran out of it               */
  FsRect box;           /* [pixels] bounds of a box without strokes; empty: there is none */
  gboolean is_alone;    /* the box, without a guess that is heard               */
  int32_t object_bias;  /* of the whole photo, in units of by_distance */

  uint8_t *first; /* [pixels] the mask that came first        */
  uint8_t *marks; /* [cells] scratch, of fs_band_changes_mark */

  uint8_t *side;        /* [cells] of the mask             */
  uint8_t *is_other;    /* [cells] scratch                 */
  uint8_t *is_open;     /* [cells] in the band             */
  int32_t *distance;    /* [cells] from the mask's border  */
  int32_t *by_distance; /* cell plane: as FsModel.by_place */
  int16_t *by_colour;   /* [FS_COLOUR_BINS]                */
  FsOpinionView guess;  /* over the rounds' photo; its opinion is NULL where there is no guess */
  FsOpinionView guess_of_photo; /* over the photo */
  FsColourTable *table[2];
  int32_t *counted;      /* [cells] the weight in the object's table, less that in the other */
  FsLocalColours *local; /* NULL where the band is the whole photo        */
  gboolean is_drawing;   /* the last round: the local colours count        */

  FsRect area; /* empty where there is no border */
  FsGrid grid;
  int32_t *tlink;                   /* [area] */
  uint16_t *nlink[FS_N_DIRECTIONS]; /* [area] */
  uint8_t *state;                   /* [area] */
};

/* Fills what a reduced photo has of its own, and `first`, from the photo's mask. */
void fs_refinement_reduce (FsRefinement *refinement, const uint8_t *mask);

/* Fills `side` and `distance` from a mask as the rounds see it. */
void fs_refinement_measure_distance (FsRefinement *refinement, const uint8_t *mask);

/* The decay length of weights outside a box is its longer side divided by this. */
enum { FS_BOX_DECAY_DIVISOR = 12 };

/* Sets `box` and `is_alone`. */
void fs_refinement_find_box (FsRefinement *refinement);
/* The decay length outside the box, in the level's units of distance. */
double fs_refinement_box_decay_length (const FsRefinement *refinement);
/* Fills `distance` with the distance of cells from the box: 0 within it. */
void fs_refinement_measure_distance_from_box (FsRefinement *refinement);
/* Raises the object bias where the mask is short (refine.h). */
void fs_refinement_fill_box (FsRefinement *refinement, const uint8_t *mask);

/* Fills the tables from what was measured last. */
void fs_refinement_collect_colours (FsRefinement *refinement);

/* The t-link of a colour, at this place in the tables; `by_stroke` is its part by the strokes. */
int16_t fs_refinement_weigh (const FsRefinement *refinement, FsColourPlace place, double by_stroke);

/* Changes row y of the t-links for the last round: local colours are added to pixels near the
 * border, and the others are fixed as in the mask. */
void fs_refinement_draw_row (const FsRefinement *refinement, const uint8_t *mask, int y,
                             int32_t *tlinks);

/* Fills the grid's n-links for the present band. */
void fs_refinement_fill_nlinks (FsRefinement *refinement);

/* `max`: the capacity of equal neighbours. */
FsRefineLinks *fs_refine_links_new (double max);

G_END_DECLS

#endif
