/* SPDX-License-Identifier: MIT */
/* The content of an exported file: kind, pixels, and metadata.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_EXPORT_EXPORT_CONTENT_H
#define FS_APP_EXPORT_EXPORT_CONTENT_H

#include "app/export/parts/background.h"
#include "energy/edge/edge_settings.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef enum {
  FS_EXPORT_MASK,   /* 8-bit grey, 0 or 255                                           */
  FS_EXPORT_CUTOUT, /* RGBA, straight alpha; transparent pixels are 0 in all channels. RGB on a
                       background */
  FS_EXPORT_LABELS, /* indexed, the bytes as they are: the seeds' numbers             */
  FS_EXPORT_GREY,   /* 8-bit grey, the bytes as they are                              */
  FS_EXPORT_ALPHA,  /* 8-bit grey: the alpha of the edge                              */
} FsExportKind;

/* Parts of the edge that all files of one cut-out have in common (export_edge.h). */
typedef struct FsExportRefinement FsExportRefinement;

typedef struct {
  FsImage *image;      /* for its size, and for the cut-out its colours and own alpha */
  const uint8_t *mask; /* width·height bytes, 0 or 1; with GREY and LABELS any        */
  FsExportKind kind;
  FsRect area;          /* of the photo that is written, inside it; empty: all of it            */
  gboolean takes_edge;  /* `area` is the mask's: what is written has all of the edge near it, too */
  const char *photo;    /* from which a cut-out gets colour profile, resolution and texts, if it can
                         * be read; or NULL */
  FsEdgeSettings edge;  /* of a cut-out, and of ALPHA; zeroed: alpha is the mask, and all colours
                         * are the photo's */
  const uint8_t *zones; /* of the edge, width·height FsEdgeZone; or NULL */
  const FsProgress *refining; /* of the alpha in zones, which may take many seconds: reports from
                               * the thread that writes; or NULL. Not for asynchronous calls */
  const FsExportRefinement *refinement; /* computed before, for the same picture, mask, marks, zones
                                         * and settings; or NULL. Layers make their own. Not for
                                         * asynchronous calls */
  const uint8_t *marks;     /* width·height labels as painted, unchanged by the edge; or NULL */
  gboolean keep_hidden;     /* a cut-out holds the photo's colours under alpha 0, too */
  gboolean keep_metadata;   /* a cut-out takes along the photo's whole Exif block, with its GPS and
                             * thumbnail, where the format has one */
  gboolean has_mask_page;   /* a TIFF cut-out has its mask as a second page: 8-bit grey, 0 or 255 */
  FsBackground *background; /* that a cut-out is put on, which has no alpha then; or NULL. Layers
                             * are put on none */
  const uint32_t *words; /* the edge, computed before: width·height words as fs_edge_get_row gives
                          * them; or NULL. Not for layers and asynchronous calls */
  int quality;           /* of a JPEG, 1 to 100; 0: FS_EXPORT_JPEG_QUALITY */
  double outline_tolerance_px; /* of an outline, as fs_contour_trace takes it */
  const char *const
      *object_names; /* of an outline's objects, by label, FS_SEED_MAX + 1 of them, any of
                      * which may be NULL; or NULL. A mask is FS_SEED_OBJECT's */
  GString *notes; /* gets a line about each thing of the photo that the file cannot hold; or NULL */
} FsExport;

#define FS_EXPORT_JPEG_QUALITY         92
#define FS_EXPORT_OUTLINE_TOLERANCE_PX 0.5 /* the usual one, and the largest */

G_END_DECLS

#endif
