/* SPDX-License-Identifier: MIT */
/* Multi-level foreground estimation, a plain implementation to compare with.   Layer: tests.
 *
 * Germer, Uelwer, Conrad & Harmeling, "Fast Multi-Level Foreground Estimation", 2020:
 * regularisation 10⁻⁵, weight of alpha's gradient 1, 10 iterations up to 32 × 32 pixels, 2 on
 * larger levels. */
#ifndef FS_TESTS_QUALITY_EDGES_FOREGROUND_H
#define FS_TESTS_QUALITY_EDGES_FOREGROUND_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The object's colour in each pixel, [3 · height · width] from 0 to 1, g_free. */
float *foreground_estimate (const FsImage *image, const uint8_t *alpha);

G_END_DECLS

#endif
