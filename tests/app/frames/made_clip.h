/* SPDX-License-Identifier: MIT */
/* Made-up sequences in which an object is lost, or seems to be: frames and what of it is to be
 * seen.
 *
 * A textured object moves over textured ground, beside things of its own colours; it turns edge-on,
 * leaves, goes behind something, and the camera pans. Of each kind there are variants, by number.
 */
#ifndef FS_TESTS_MADE_CLIP_H
#define FS_TESTS_MADE_CLIP_H

#include "energy/image/image.h"

enum { FS_MADE_WIDTH = 240, FS_MADE_HEIGHT = 160, FS_MADE_FRAMES = 60 };

typedef enum {
  /* The object is gone for a while: */
  FS_MADE_TURN,         /* a plate turns edge-on beside a thing of its colour, and back */
  FS_MADE_TURN_ALONE,   /* the same with nothing beside it                              */
  FS_MADE_TURN_PAN,     /* … while the camera pans                                      */
  FS_MADE_TURN_BEFORE,  /* … in front of a thing of its colour, which hides it          */
  FS_MADE_LEAVE,        /* out of the frame past a thing of its colour, and back        */
  FS_MADE_PILLAR_ALIKE, /* behind a pillar of its colour                                */
  FS_MADE_PILLAR,       /* behind one of other colours                                  */
  FS_MADE_VANISH,       /* from one frame to the next, beside things of its colour      */
  FS_MADE_PAN_AWAY,     /* the camera leaves it, past a thing of its colour             */
  /* It is there throughout: */
  FS_MADE_GROW,
  FS_MADE_SHRINK,
  FS_MADE_ROUND,       /* round and about, changing its shape           */
  FS_MADE_FAST,        /* a fifth of its size and more from frame to frame */
  FS_MADE_PASS,        /* in front of things of its colour               */
  FS_MADE_LIGHT,       /* light comes and goes                           */
  FS_MADE_STILL,       /* nothing moves                                  */
  FS_MADE_CAMOUFLAGE,  /* colours close to the ground's                  */
  FS_MADE_HALF_BEHIND, /* a pillar hides a part of it                    */
  FS_MADE_PAN,         /* the camera pans along                          */
  FS_MADE_TURN_PART,   /* a plate turns to a third of its width and back */
  FS_MADE_N_KINDS,
} MadeKind;

const char *made_clip_name (MadeKind kind);
gboolean made_clip_loses (MadeKind kind);

/* Frame t of variant v, to be unreferenced; `seen` gets height·width bytes, 1 where the object is
 * seen. */
FsImage *made_clip_frame (MadeKind kind, unsigned v, int t, uint8_t *seen);

#endif
