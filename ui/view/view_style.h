/* SPDX-License-Identifier: MIT */
/* Views of a photo, and their colours.   Layer: ui. */
#ifndef FS_UI_VIEW_VIEW_STYLE_H
#define FS_UI_VIEW_VIEW_STYLE_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  FS_VIEW_MARKS,
  FS_VIEW_OVERLAY,
  FS_VIEW_CONTOUR,
  FS_VIEW_CUTOUT,
  FS_VIEW_MASK,
  FS_VIEW_EDGE, /* partly transparent pixels in a strong colour over the dimmed photo */
  FS_N_VIEWS,
  FS_VIEW_ORIGINAL = FS_N_VIEWS, /* the photo alone, while comparing */
} FsView;

/* The backdrop of a cut-out. */
typedef enum {
  FS_BACKDROP_CHECKS,
  FS_BACKDROP_BLACK,
  FS_BACKDROP_WHITE,
  FS_BACKDROP_COLOUR,
} FsBackdrop;

/* Colours of labels, 0xRRGGBB, and the objects that overlay and cut-out leave out. */
typedef struct {
  uint32_t rgb[256];
  uint8_t is_hidden[256];
} FsViewLabels;

/* View and colours. Colours are 0xRRGGBB. */
typedef struct {
  FsView view;
  uint32_t overlay_rgb;
  int overlay_percent; /* opacity of that colour over the background, 0 … 100 */
  FsBackdrop backdrop;
  uint32_t backdrop_rgb;
  const FsViewLabels *labels; /* NULL: the usual colours, all shown */
  gboolean has_soft_mask;     /* the view of the mask has the alpha of the edge */
  gboolean has_zones;         /* zones of the edge are shown in all views but the original */
} FsViewStyle;

G_END_DECLS

#endif
