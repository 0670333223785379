/* SPDX-License-Identifier: MIT */
/* The state of the tools: tool, brush size, view.   Layer: ui.
 *
 * The one object that tool buttons, menus, keys and the canvas share; they listen to notify:: and
 * never call each other. Its properties are also the window's actions (GPropertyAction).
 *
 * Properties: "tool" (FsTool), "object" (int: which one the object brush paints, from 1 on; to
 * choose one takes that brush), "view" (FsView), "brush-size" (int, diameter in widget pixels),
 * "right-button" (FsRightButton), "pressure" (boolean: a pen's strokes are as wide as it is
 * pressed), "fixed-size" (boolean: "brush-size" counts pixels of the photo, not of the screen),
 * "comparing" (boolean: the original shows, whatever the view), "split" (boolean: it shows left of
 * a line), "overlay-colour" and "backdrop-colour" (string, "#rrggbb"; what is no colour is not
 * taken), "overlay-opacity" (int, percent), "backdrop" (FsBackdrop). Threads: the main one.
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

#define FS_TOOLS_MAX_OBJECTS 9

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
/* The first one again, and the tool stays. */
void fs_tools_forget_object (FsTools *self);
/* The label of an object's strokes. */
uint8_t fs_tools_object_label (int object);
FsView fs_tools_get_view (FsTools *self);
void fs_tools_set_view (FsTools *self, FsView view);
void fs_tools_set_comparing (FsTools *self, gboolean comparing);
/* Returns whether the original is left of the line; not while it is everywhere. */
gboolean fs_tools_get_split (FsTools *self);
/* With FS_VIEW_ORIGINAL while one compares. */
FsViewStyle fs_tools_get_style (FsTools *self);
int fs_tools_get_brush_size (FsTools *self);
/* Clamped to the range above. */
void fs_tools_set_brush_size (FsTools *self, int size);

/* Object becomes background and the reverse; any other tool becomes the object brush. */
void fs_tools_swap (FsTools *self);
/* Marks, overlay, contour, cut-out, mask, and round again. */
void fs_tools_cycle_view (FsTools *self);
/* One step of about a quarter, up or down. */
void fs_tools_step_brush_size (FsTools *self, gboolean larger);

gboolean fs_tools_get_pressure (FsTools *self);
gboolean fs_tools_get_fixed_size (FsTools *self);

/* Returns whether the present tool is a brush, or draws an outline. */
gboolean fs_tools_paints (FsTools *self);
gboolean fs_tools_outlines (FsTools *self);
/* Returns whether it moves the photo when the left or the right button is down. */
gboolean fs_tools_moves (FsTools *self, gboolean right);
/* The label that a brush paints with the left or the right button. The eraser erases with both. */
uint8_t fs_tools_get_label (FsTools *self, gboolean right);

G_END_DECLS

#endif
