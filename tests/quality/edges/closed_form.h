/* SPDX-License-Identifier: MIT */
/* Closed-form matting, a plain implementation to compare with.   Layer: tests.
 *
 * Levin, Lischinski & Weiss, "A Closed-Form Solution to Natural Image Matting", 2008: windows of 3
 * × 3 pixels, ε = 10⁻⁷, known pixels fixed, solved to a relative residual of 10⁻⁴. */
#ifndef FS_TESTS_QUALITY_EDGES_CLOSED_FORM_H
#define FS_TESTS_QUALITY_EDGES_CLOSED_FORM_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* `trimap` has 0, 128 (unknown) and 255; `alpha` gets a byte a pixel. */
void closed_form_alpha (const FsImage *image, const uint8_t *trimap, uint8_t *alpha);

G_END_DECLS

#endif
