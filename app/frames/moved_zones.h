/* SPDX-License-Identifier: MIT */
/* Zones of a session's edge, moved with the object into later frames.   Layer: app.
 *
 * They move as one, in whole pixels: by the shift of the masks' centres, refined by block matching
 * of the object's pixels near the zones (motion.h). Each frame is compared with the one that was
 * painted on, so that errors do not add up, and a run can go on from any frame.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FRAMES_MOVED_ZONES_H
#define FS_APP_FRAMES_MOVED_ZONES_H

#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct FsMovedZones FsMovedZones;

/* Copies the planes, of width · height bytes: the mask, 0 or 1, and FsEdgeZone as painted. Takes a
 * reference to the image. NULL where memory is short. */
FsMovedZones *fs_moved_zones_new (FsImage *image, const uint8_t *mask, const uint8_t *zones);
void fs_moved_zones_free (FsMovedZones *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMovedZones, fs_moved_zones_free)

/* The zones of another frame with its mask, width · height bytes of FsEdgeZone: none where it has
 * another size or no object. g_free; NULL where memory is short. */
uint8_t *fs_moved_zones_place (const FsMovedZones *self, const FsImage *image, const uint8_t *mask);

G_END_DECLS

#endif
