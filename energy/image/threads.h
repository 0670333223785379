/* SPDX-License-Identifier: MIT */
/* Number of threads of calls on a whole photo.   Layer: energy.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_IMAGE_THREADS_H
#define FS_ENERGY_IMAGE_THREADS_H

#include <glib.h>

G_BEGIN_DECLS

/* The number of threads that a call on a whole photo may use; 0, the default, means one for each
 * processor. No result depends on it. Threads: any. */
void fs_energy_set_threads (int n_threads);
int fs_energy_get_threads (void);

G_END_DECLS

#endif
