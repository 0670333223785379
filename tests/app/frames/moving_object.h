/* SPDX-License-Identifier: MIT */
/* Frames of an object whose mask is known: a textured ellipse over textured ground, with noise that
 * is another one in each frame. */
#ifndef FS_TESTS_MOVING_OBJECT_H
#define FS_TESTS_MOVING_OBJECT_H

#include "energy/image/image.h"

enum { FS_MOVING_WIDTH = 200, FS_MOVING_HEIGHT = 120 };

typedef struct {
  int x, y, radius; /* px; radius 0: no object */
  int pan;          /* of the ground           */
  int light;        /* added to the ground's green and blue */
  unsigned noise;   /* number of the noise     */
} MovingObject;

FsImage *moving_object_frame (const MovingObject *object);
/* Of bytes, 0 or 1. g_free. */
uint8_t *moving_object_mask (const MovingObject *object);

#endif
