/* SPDX-License-Identifier: MIT */
/* The final mask of strokes, computed from nothing and without the live loop. */
#ifndef FS_TESTS_GUI_FRESH_CUT_H
#define FS_TESTS_GUI_FRESH_CUT_H

#include "app/strokes/stroke.h"
#include "energy/image/image.h"
#include "energy/image/settings.h"

/* Of the first n strokes (FsStroke), with whatever they keep: width·height bytes, 0 or 1; all 0
 * without a seed or a guess. Asserts that every cut is exact. g_free. */
uint8_t *fresh_cut (FsImage *image, const FsSettings *settings, const GPtrArray *strokes, guint n);

#endif
