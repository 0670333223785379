/* SPDX-License-Identifier: MIT */
/* Colours of labels, the same in the window, in files of labels and in sessions.   Layer: app.
 * Threads: any. */
#ifndef FS_APP_EXPORT_PARTS_LABEL_COLOUR_H
#define FS_APP_EXPORT_PARTS_LABEL_COLOUR_H

#include <stdint.h>

/* 0xRRGGBB. Objects beyond the ninth begin again. */
uint32_t fs_label_colour (uint8_t label);

#endif
