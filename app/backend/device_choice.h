/* SPDX-License-Identifier: MIT */
/* The devices that this process and its workers may use: CUDA_VISIBLE_DEVICES, which the driver
 * reads when it is opened.   Layer: app.
 *
 * A scheduler sets it to what a job has; numbers here count within that.
 *
 * Threads: those that change the environment before there are others.
 */
#ifndef FS_APP_BACKEND_DEVICE_CHOICE_H
#define FS_APP_BACKEND_DEVICE_CHOICE_H

#include <glib.h>

G_BEGIN_DECLS

/* Makes the device of this number, from 0, the only one of this process. Errors: G_OPTION_ERROR
 * where the environment has fewer. */
gboolean fs_device_choice_set (int number, GError **error);

/* The value of CUDA_VISIBLE_DEVICES for each of the devices "0,1,…"; g_strfreev. Errors:
 * G_OPTION_ERROR. */
char **fs_device_choice_parse (const char *list, GError **error);

/* The same for all devices that are visible, without the driver being opened; NULL where there are
 * fewer than two. */
char **fs_device_choice_list (void);

/* In a worker process: makes device `worker` modulo their number the only one. NULL leaves all. */
void fs_device_choice_assign (const char *const *devices, int worker);

G_END_DECLS

#endif
