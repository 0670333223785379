/* SPDX-License-Identifier: MIT */
/* The mask of a seed map, computed from nothing and without the live loop. */
#ifndef FS_TESTS_GUI_FRESH_CUT_H
#define FS_TESTS_GUI_FRESH_CUT_H

#include "energy/image.h"
#include "energy/settings.h"

/* width·height bytes, 0 or 1; asserts that the cut is exact. g_free. */
uint8_t *fresh_cut (FsImage *image, const FsSettings *settings, const uint8_t *labels);

#endif
