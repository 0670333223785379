/* SPDX-License-Identifier: MIT */
/* Source data of links, for devices that make them.   Layer: solver (value header).
 *
 * solver/photo_links.h explains each table. Everything is borrowed.
 *
 * Threads: plain data.
 */
#ifndef FS_SOLVER_LINK_SOURCE_H
#define FS_SOLVER_LINK_SOURCE_H

#include "solver/photo_links.h"

typedef struct _FsLinkSource {
  /* The same for the same `links` and never used again for others: a device keeps a copy of them as
   * long as there is a solver of this number. */
  uint64_t photo;
  FsPhotoLinks links;
  FsTlinkTerms terms;
} FsLinkSource;

#endif
