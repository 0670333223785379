/* SPDX-License-Identifier: MIT */
/* Settings of the edge, and zones where a person has painted it.   Layer: energy (value header).
 *
 * The edge is the alpha and the colours along the border of a mask (edge.h). Nothing of it changes
 * the mask.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_EDGE_EDGE_SETTINGS_H
#define FS_ENERGY_EDGE_EDGE_SETTINGS_H

#include <glib.h>

G_BEGIN_DECLS

/* In one byte a pixel; painted like seeds. */
typedef enum {
  FS_EDGE_ZONE_NONE,
  FS_EDGE_ZONE_HARD,   /* the border is as sharp as pixels are                       */
  FS_EDGE_ZONE_REFINE, /* hair and the like: alpha by matting, on both sides of the mask */
  FS_EDGE_N_ZONES
} FsEdgeZone;

/* Whole numbers, so that files keep them exactly. */
typedef struct {
  int width_px;     /* of the soft border, to each side; 0: hard; FS_EDGE_WIDTH_AUTO: measured */
  int shift_tenths; /* of a pixel: the border moves outwards, or inwards where negative        */
  int contrast;     /* percent: 0 leaves alpha as it is, 100 makes it 0 or 255                 */
  int smooth_px;    /* the radius of the corners that are rounded; 0: none                     */
  int clean;        /* percent of the background's share that is taken from colours            */
  int specks_px;    /* pieces of the object with so few pixels vanish                          */
  int holes_px;     /* holes with so few pixels are filled                                     */
} FsEdgeSettings;

#define FS_EDGE_WIDTH_AUTO       (-1)
#define FS_EDGE_MAX_WIDTH_PX     32
#define FS_EDGE_MAX_SHIFT_TENTHS 100
#define FS_EDGE_MAX_SMOOTH_PX    20
#define FS_EDGE_MAX_AREA_PX      100000

#define FS_EDGE_SETTINGS_DEFAULT ((FsEdgeSettings){ .width_px = FS_EDGE_WIDTH_AUTO, .clean = 100 })
/* The mask as it is, with the photo's colours. */
#define FS_EDGE_SETTINGS_HARD ((FsEdgeSettings){ .width_px = 0 })

/* A field that is still to be filled. */
#define FS_EDGE_UNSET G_MININT
#define FS_EDGE_SETTINGS_UNSET                                                                     \
  ((FsEdgeSettings){ FS_EDGE_UNSET, FS_EDGE_UNSET, FS_EDGE_UNSET, FS_EDGE_UNSET, FS_EDGE_UNSET,    \
                     FS_EDGE_UNSET, FS_EDGE_UNSET })

/* Fills unset fields from another one. */
void fs_edge_settings_complete (FsEdgeSettings *settings, const FsEdgeSettings *from);

/* TRUE if every field is in its range. */
gboolean fs_edge_settings_are_valid (const FsEdgeSettings *settings);

/* TRUE if alpha is the mask and colours are the photo's, where there are no zones. */
gboolean fs_edge_settings_are_hard (const FsEdgeSettings *settings);

gboolean fs_edge_settings_equal (const FsEdgeSettings *a, const FsEdgeSettings *b);

G_END_DECLS

#endif
