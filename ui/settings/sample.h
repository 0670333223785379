/* SPDX-License-Identifier: MIT */
/* The photo to try the program with.   Layer: ui.   Threads: any. */
#ifndef FS_UI_SETTINGS_SAMPLE_H
#define FS_UI_SETTINGS_SAMPLE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The sample of $FRETSAW_DATA_DIR if that is set, else the installed one; NULL if it is not there.
 */
GFile *fs_sample_find (void);

G_END_DECLS

#endif
