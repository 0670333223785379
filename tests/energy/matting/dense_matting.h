/* SPDX-License-Identifier: MIT */
/* The energy of energy/matting as a dense system, for small photos.   Layer: tests.
 *
 * Written from the definitions: neighbours by looking at all pixels, weights and windows by
 * elimination. */
#ifndef FS_TESTS_ENERGY_MATTING_DENSE_MATTING_H
#define FS_TESTS_ENERGY_MATTING_DENSE_MATTING_H

#include "energy/image/image.h"

/* Alpha from 0 to 1, [height · width], g_free. Both sides must be known. */
double *dense_matting (const FsImage *image, const uint8_t *trimap);

#endif
