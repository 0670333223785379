/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw frames`: a mask for each frame of a sequence (frame_source.h), and on request
 * cut-outs and overlays.   Layer: app.
 *
 * The first frame is cut by strokes, as `fretsaw cut` and the window do (frame_strokes.h). Then the
 * object is followed from each frame to the next (app/frames/follow/sequence.h). A *correction* of
 * a later frame is either seeds, which are added to the evidence of the frame before, or a session,
 * which replaces it; from there on the corrected mask is followed. With skin each frame is cut by
 * itself, or together with those before it (app/frames/follow/skin_frames.h). With a span of N a
 * frame depends on the last N frames with masks, and on the last one that a person has marked. The
 * guess of a frame is evidence in its cut (energy/frames/frame_guess.h), except where a session
 * gives the mask; the first frame can be cut by its guess alone.
 *
 * The files, STEM.png in a folder for each kind, are written atomically one after the other. An
 * interrupted run goes on where it stopped, and the folders are then the same to the byte: a mask
 * is a function of frames, strokes and earlier masks, and all else a function of frame and mask,
 * and for a cut-out with a soft edge also of those just before it (recent_edges.h). A mask is
 * reused if the checksum of all its inputs is unchanged; after a frame that has changed all are
 * made again. frames_folder.h has the rules for folders of other runs.
 *
 * A frame that cannot be read, is of another size, or in which the object is not found, has no mask
 * and is reported; the next one follows from the last that has one. Where the object was not found
 * in the frame before, the seeds of a correction stand alone.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FRAMES_JOB_H
#define FS_APP_FRAMES_FRAMES_JOB_H

#include "app/frames/frames_options.h"
#include "app/frames/frames_report.h"

G_BEGIN_DECLS

/* Writes the picture of the first frame from number `first` on as a PNG, to be painted on.
 * `on_message` gets warnings about it. Errors: FS_FRAMES_ERROR, FS_PHOTO_ERROR, FS_EXPORT_ERROR. */
gboolean fs_frames_write_picture (const char *frames, guint64 first, const char *path,
                                  void (*on_message) (const char *message, gpointer user_data),
                                  gpointer user_data, GError **error);

/* Runs the job. Errors: FS_FRAMES_ERROR, FS_EXPORT_ERROR, and those of the first frame's cut and of
 * files of strokes. Later frames that fail are no error. */
gboolean fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error);

G_END_DECLS

#endif
