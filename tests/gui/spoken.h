/* SPDX-License-Identifier: MIT */
/* Whether a person who hears the window instead of seeing it knows what each control is. */
#ifndef FS_TESTS_GUI_SPOKEN_H
#define FS_TESTS_GUI_SPOKEN_H

#include <gtk/gtk.h>

/* Adds a line (g_free) for each control at or below `widget` that has neither a name nor a label
 * for assistive technology, or no role; returns how many controls it looked at. */
guint spoken_find_faults (GtkWidget *widget, GPtrArray *faults);

/* Asserts that there are none, and that at least `n_controls` were looked at. */
void spoken_assert (GtkWidget *widget, guint n_controls);

#endif
