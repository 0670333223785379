/* SPDX-License-Identifier: MIT */
/* Connected components of a mask's labels, with four neighbours.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_MASK_PARTS_H
#define FS_APP_MASK_PARTS_H

#include "energy/seed_map.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t first, n_pixels; /* first: y·width + x of the topmost row's leftmost pixel */
  uint8_t label;
  gboolean is_met;       /* by a stroke            */
  gboolean is_too_small; /* beside so many others  */
} FsMaskPart;

typedef struct {
  int width, height;
  int32_t *of;  /* [height · width] the part's place in the list; −1: neither label */
  GArray *list; /* of FsMaskPart, in the order of their first pixels */
} FsMaskParts;

/* Of the pixels that are background or object. NULL where memory is short. O(N). */
FsMaskParts *fs_mask_parts_new (const uint8_t *labels, int width, int height);
void fs_mask_parts_free (FsMaskParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMaskParts, fs_mask_parts_free)

FsMaskPart *fs_mask_parts_get (const FsMaskParts *parts, guint i);

G_END_DECLS

#endif
