/* SPDX-License-Identifier: MIT */
/* Name of the application on the desktop, and of its icon and settings.   Layer: ui. */
#ifndef FS_UI_SETTINGS_APP_ID_H
#define FS_UI_SETTINGS_APP_ID_H

#define FS_APPLICATION_ID   "io.github.fretsaw.Fretsaw"
#define FS_APPLICATION_ICON FS_APPLICATION_ID

#endif
