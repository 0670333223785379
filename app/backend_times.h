/* SPDX-License-Identifier: MIT */
/* How long the backends take on this machine, by size.   Layer: app.
 *
 * Measured on made-up problems, discs under noise, with the threads that solvers may use: a cold
 * cut, state and all, an edit of some hundred pixels, a preview with all that it needs, and a frame
 * of a sequence. What is compared are times of the wall, for that is what a person waits for.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_BACKEND_TIMES_H
#define FS_APP_BACKEND_TIMES_H

#include "solver/solver.h"

G_BEGIN_DECLS

enum { FS_BACKEND_N_SIZES = 3, FS_BACKEND_LARGEST_PX = 1600 };

/* What a cut is for: once and never again, or to follow a brush; or a preview, once, or the frames
 * of a sequence. */
typedef enum { FS_WORK_ONCE, FS_WORK_LIVE, FS_WORK_PREVIEW, FS_WORK_FRAMES } FsWork;

typedef struct {
  gint64 cold_us, edit_us, preview_us, frame_us;
} FsBackendTime;

typedef struct {
  char key[512];  /* the devices and versions that it holds for, as fs_backend_times_key has it */
  gint64 open_us; /* until the device is ready for the first cut of a program */
  gint64 n_pixels[FS_BACKEND_N_SIZES]; /* rising */
  FsBackendTime cpu[FS_BACKEND_N_SIZES], cuda[FS_BACKEND_N_SIZES];
} FsBackendTimes;

/* Devices, driver, processors and versions; free with g_free. Opens the driver where need be. */
char *fs_backend_times_key (void);

/* A side of FS_BACKEND_LARGEST_PX is what photos ask for, and takes a second or two: the largest of
 * the sizes, of which the others are fractions; at least 64. Errors: BACKEND where there is no
 * device or where it fails, CANCELLED, MEMORY. */
gboolean fs_backend_times_measure (FsBackendTimes *times, int largest_px,
                                   const FsProgress *progress, GError **error);

/* FALSE where the file is not there or is none that fs_backend_times_write could have written. */
gboolean fs_backend_times_read (FsBackendTimes *times, const char *path);
/* Makes the folder if need be. Errors: G_FILE_ERROR. */
gboolean fs_backend_times_write (const FsBackendTimes *times, const char *path, GError **error);

/* What the times come to for a photo of n_pixels: between two sizes on the line through both, above
 * the largest in proportion; below the smallest the processor's in proportion and the device's as
 * it is there. */
gint64 fs_backend_times_cpu (const FsBackendTimes *times, FsWork work, size_t n_pixels);
gint64 fs_backend_times_cuda (const FsBackendTimes *times, FsWork work, size_t n_pixels);

G_END_DECLS

#endif
