/* SPDX-License-Identifier: MIT */
/* State of the tools: tool, brush, view.   Layer: ui.
 *
 * Shared by tool buttons, menus, keys and the canvas, which listen to notify:: and never call each
 * other. Its properties are also the window's actions (GPropertyAction).
 *
 * Properties: "tool" (FsTool), "object" (int: the object that the object brush paints, from 1 on;
 * setting it selects that brush), "view" (FsView), "brush-size" (int, diameter in widget pixels),
 * "right-button" (FsRightButton), "pressure" (boolean: a pen's strokes are as wide as it is
 * pressed), "fixed-size" (boolean: "brush-size" is in pixels of the photo, not of the screen),
 * "comparing" (boolean: the original is shown in place of the view), "split" (boolean: the original
 * is shown left of a line), "overlay-colour" and "backdrop-colour" (string, "#rrggbb"; invalid
 * values are ignored), "overlay-opacity" (int, percent), "backdrop" (FsBackdrop),
 * "soft-mask" (boolean: the view of the mask has the alpha of the edge).
 *
 * Signals: "labels-changed" ().
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_TOOLS_H
#define FS_UI_CANVAS_TOOLS_H

#include "ui/view/view_style.h"
#include <glib-object.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  FS_TOOL_OBJECT,
  FS_TOOL_BACKGROUND,
  FS_TOOL_ERASER,
  FS_TOOL_LASSO,
  FS_TOOL_BOX,
  FS_TOOL_REFINE, /* zones of the edge (energy/edge/edge_settings.h) */
  FS_TOOL_HARD,
  FS_TOOL_HAND,
} FsTool;

/* Action of the right button while a brush is selected. */
typedef enum { FS_RIGHT_BUTTON_OTHER, FS_RIGHT_BUTTON_ERASE, FS_RIGHT_BUTTON_MOVE } FsRightButton;

#define FS_TYPE_TOOL (fs_tool_get_type ())
GType fs_tool_get_type (void);
#define FS_TYPE_VIEW (fs_view_get_type ())
GType fs_view_get_type (void);
#define FS_TYPE_BACKDROP (fs_backdrop_get_type ())
GType fs_backdrop_get_type (void);
#define FS_TYPE_RIGHT_BUTTON (fs_right_button_get_type ())
GType fs_right_button_get_type (void);

/* Objects that have a digit, and the last one that there can be. */
#define FS_TOOLS_MAX_OBJECTS 9
#define FS_TOOLS_LAST_OBJECT 250

#define FS_BRUSH_SIZE_MIN     2
#define FS_BRUSH_SIZE_MAX     300
#define FS_BRUSH_SIZE_DEFAULT 24

#define FS_TYPE_TOOLS (fs_tools_get_type ())
G_DECLARE_FINAL_TYPE (FsTools, fs_tools, FS, TOOLS, GObject)

FsTools *fs_tools_new (void);

FsTool fs_tools_get_tool (FsTools *self);
void fs_tools_set_tool (FsTools *self, FsTool tool);
int fs_tools_get_object (FsTools *self);
void fs_tools_set_object (FsTools *self, int object);
/* Selects the first object again without changing the tool. */
void fs_tools_forget_object (FsTools *self);
/* The label of an object's strokes. */
uint8_t fs_tools_object_label (int object);
/* Colours of labels, and which objects are shown. Valid until "labels-changed". */
const FsViewLabels *fs_tools_get_labels (FsTools *self);
/* Takes a copy; NULL: the usual colours, all shown. */
void fs_tools_set_labels (FsTools *self, const FsViewLabels *labels);
FsView fs_tools_get_view (FsTools *self);
void fs_tools_set_view (FsTools *self, FsView view);
void fs_tools_set_comparing (FsTools *self, gboolean comparing);
/* TRUE if the original is shown left of the line; FALSE while it is shown everywhere. */
gboolean fs_tools_get_split (FsTools *self);
/* The style, with FS_VIEW_ORIGINAL while comparing; with zones if the tool paints them. Its labels
 * are those of the tools, as long as these are there. */
FsViewStyle fs_tools_get_style (FsTools *self);
int fs_tools_get_brush_size (FsTools *self);
/* Clamped to the range above. */
void fs_tools_set_brush_size (FsTools *self, int size);

/* Swaps the object and background brushes; any other tool becomes the object brush. */
void fs_tools_swap (FsTools *self);
/* The next of marks, overlay, contour, cut-out, mask, edge; then the first again. */
void fs_tools_cycle_view (FsTools *self);
/* Changes the size by about a quarter, up or down. */
void fs_tools_step_brush_size (FsTools *self, gboolean larger);

gboolean fs_tools_get_pressure (FsTools *self);
gboolean fs_tools_get_fixed_size (FsTools *self);

/* TRUE if the current tool is a brush; if that paints zones of the edge; if it draws an outline. */
gboolean fs_tools_paints (FsTools *self);
gboolean fs_tools_paints_zones (FsTools *self);
gboolean fs_tools_outlines (FsTools *self);
/* TRUE if the tool pans with the left button, or with the right one. */
gboolean fs_tools_moves (FsTools *self, gboolean right);
/* The label, or FsEdgeZone, that a brush paints with the left button, or with the right one. The
 * eraser erases with both, and brushes of zones with the right one. */
uint8_t fs_tools_get_label (FsTools *self, gboolean right);

G_END_DECLS

#endif
