/* SPDX-License-Identifier: MIT */
/* A photo for tests: a bright disc on a dark, noisy ground. */
#ifndef FS_TESTS_GUI_SCENE_H
#define FS_TESTS_GUI_SCENE_H

#include "energy/image/image.h"

#define SCENE_WIDTH  320
#define SCENE_HEIGHT 240

/* Writes it as PNG into `folder` and returns the path. g_free. */
char *scene_write (const char *folder, const char *name);

#endif
