/* SPDX-License-Identifier: MIT */
/* Numbers that options take: their ranges, in one table for all commands.   Layer: app.
 *
 * GLib's own reading of numbers passes spaces, signs and hexadecimal digits, and takes 010 for 8.
 *
 * Threads: any.
 */
#ifndef FS_APP_COMMANDS_NUMBER_OPTIONS_H
#define FS_APP_COMMANDS_NUMBER_OPTIONS_H

#include <glib.h>

G_BEGIN_DECLS

/* Checks the value of option `name` ("jobs"). Returns it without leading zeros, a part of `text`;
 * `text` for an option that takes no number. NULL where it is no number of its range. Errors:
 * G_OPTION_ERROR. */
const char *fs_number_option_check (const char *name, const char *text, GError **error);

/* Sets the G_OPTION_ERROR "--NAME takes RANGE, not “TEXT”" and returns FALSE. */
gboolean fs_number_option_refuse (const char *name, const char *range, const char *text,
                                  GError **error);

G_END_DECLS

#endif
