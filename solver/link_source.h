/* SPDX-License-Identifier: MIT */
/* Source data of implicit links, for devices that compute them.   Layer: solver (value header).
 *
 * solver/photo_links.h explains each table. Everything is borrowed.
 *
 * Threads: plain data.
 */
#ifndef FS_SOLVER_LINK_SOURCE_H
#define FS_SOLVER_LINK_SOURCE_H

#include "solver/photo_links.h"

typedef struct _FsLinkSource {
  /* Identifies `links`: never used again for others. A device has a copy of the links as long as
   * there is a solver with this number. */
  uint64_t photo;
  FsPhotoLinks links;
  FsTlinkTerms terms;
} FsLinkSource;

#endif
