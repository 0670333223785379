/* SPDX-License-Identifier: MIT */
/* The application's id, also the name of its icon and of its settings.   Layer: ui. */
#ifndef FS_UI_SETTINGS_APP_ID_H
#define FS_UI_SETTINGS_APP_ID_H

#define FS_APPLICATION_ID   "io.github.fretsaw.Fretsaw"
#define FS_APPLICATION_ICON FS_APPLICATION_ID

#endif
