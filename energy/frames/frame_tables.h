/* SPDX-License-Identifier: MIT */
/* Link tables of a frame's band, for devices that compute its links.   Layer: energy.
 *
 * The energy is that of frame_energy.h, to the same integers. A device gets the colour words of the
 * tiles with pixels of the band, a mark for each pixel with its side and distance, and the link
 * tables (solver/link_source.h).
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_TABLES_H
#define FS_ENERGY_FRAMES_FRAME_TABLES_H

#include "energy/frames/frame_colours.h"
#include "energy/terms/lab_contrast.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

typedef struct {
  double mean; /* of d², as in FsFrameEnergy */
  uint16_t straight[FS_LAB_CONTRAST_ENTRIES], diagonal[FS_LAB_CONTRAST_ENTRIES];
  int n_priors;

  /* The tiles of the window with free pixels, row by row. */
  int columns, rows, n_tiles;
  uint32_t *tiles; /* [n_tiles] column + row · columns       */
  int32_t *places; /* [rows · columns] index in `tiles`, −1: none */
  size_t capacity;
} FsFrameTables;

void fs_frame_tables_init (FsFrameTables *tables);
void fs_frame_tables_clear (FsFrameTables *tables);

/* The parts of the tables that are the same for all frames. */
FsBandSpace fs_frame_tables_space (void);

/* Makes the tables and lists the tiles. FALSE where memory is short. Cost: some 20 operations a
 * free pixel. */
gboolean fs_frame_tables_make (FsFrameTables *tables, const FsImage *image,
                               const FsFrameBand *band);

/* Fills the memory that a device has reserved for n_tiles and n_pulls, after
 * fs_frame_colours_weigh. Cost: 8 bytes a pixel of the tiles, shared among threads. */
void fs_frame_tables_pack (const FsFrameTables *tables, const FsImage *image,
                           const FsFrameBand *band, const FsFrameColours *colours,
                           const FsBandTiles *tiles);

/* Writes the labels of the free pixels, 0 or 1, into a plane of the window. `mask` has a word for
 * each row of a tile. Other pixels of these tiles get undefined labels. */
void fs_frame_tables_unpack (const FsFrameTables *tables, const FsFrameBand *band,
                             const uint32_t *mask, uint8_t *labels);

G_END_DECLS

#endif
