/* SPDX-License-Identifier: MIT */
/* Writing the sample's three files.   Layer: none, a tool of the repository.
 *
 * Each returns whether the file could be written; rows have no padding.
 */
#ifndef FS_DATA_SAMPLE_FILES_H
#define FS_DATA_SAMPLE_FILES_H

#include <stdbool.h>
#include <stdint.h>

bool write_jpeg (const char *path, const uint8_t *rgb, int width, int height, int quality);
bool write_grey_png (const char *path, const uint8_t *grey, int width, int height);

/* Indexed, in the colours of the window: 0 none, 1 background (orange), 2 object (blue). */
bool write_seeds_png (const char *path, const uint8_t *seeds, int width, int height);

#endif
