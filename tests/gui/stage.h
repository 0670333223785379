/* SPDX-License-Identifier: MIT */
/* The real window on a virtual screen, played by hand-made events.
 *
 * Waiting is always for a state, never for a time; one deadline for all makes a test that hangs
 * fail.
 */
#ifndef FS_TESTS_GUI_STAGE_H
#define FS_TESTS_GUI_STAGE_H

#include "ui/window/application.h"
#include "ui/window/window.h"

typedef struct {
  FsApplication *application;
  FsWindow *window;
  char *folder; /* a fresh one, removed with what is in it */
  guint32 time_ms;
  GdkModifierType state; /* of the events: modifiers and buttons that are held */
} Stage;

/* A visible, empty window. */
Stage *stage_new (void);
/* Destroys the window, if the test has not, and all that belongs to it. */
void stage_free (Stage *stage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stage, stage_free)

void stage_wait (gboolean (*reached) (gpointer data), gpointer data);
/* As between two events of a mouse: what is measured meanwhile is what a person would wait for. */
void stage_pause (guint ms);
/* Works out the input so far and runs what is pending, and at least one whole frame. */
void stage_frame (Stage *stage);
/* Waits until the mask is final, and drawn. */
void stage_wait_for_final (Stage *stage);

/* Opens a file and waits until it is shown or refused. */
void stage_open (Stage *stage, const char *path);
/* Opens scene.h's photo. */
void stage_open_scene (Stage *stage);

FsDocument *stage_document (Stage *stage);
FsCanvas *stage_canvas (Stage *stage);
void stage_activate (Stage *stage, const char *action);

/* Events on the canvas, in widget pixels. */
void stage_press (Stage *stage, guint button, double x, double y);
void stage_move (Stage *stage, double x, double y);
void stage_release (Stage *stage, guint button, double x, double y);
void stage_scroll (Stage *stage, GdkScrollDirection direction, double x, double y);
void stage_key (Stage *stage, guint keyval, gboolean down);
/* Press and release; `state` holds modifiers. */
void stage_type (Stage *stage, guint keyval, GdkModifierType state);

/* A straight stroke between two image points, in `n` motions; the button comes up at the end. */
void stage_stroke (Stage *stage, guint button, double x0, double y0, double x1, double y1, int n);
void stage_to_widget (Stage *stage, double image_x, double image_y, double *x, double *y);

/* A copy of the mask or of the marks. g_bytes_unref. */
GBytes *stage_mask (Stage *stage);
GBytes *stage_marks (Stage *stage);

/* One stroke over the disc of the scene, one over its background; waits for the final mask. */
void stage_paint_both (Stage *stage);
/* Asserts that the mask is exact and that of a cut of the marks from nothing. */
void stage_assert_fresh (Stage *stage);

/* The widget that a real pointer at this place of the canvas would talk to. */
GtkWidget *stage_widget_under_pointer (GtkWidget *canvas, int x, int y);

/* What the widget shows, in device pixels, RGB24. */
cairo_surface_t *stage_shoot (GtkWidget *widget);
guint32 stage_pixel (cairo_surface_t *surface, int x, int y);

#endif
