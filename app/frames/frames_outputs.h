/* SPDX-License-Identifier: MIT */
/* The output folders of a run of `fretsaw frames`.   Layer: app.
 *
 * Threads: as frames_folder.h.
 */
#ifndef FS_APP_FRAMES_FRAMES_OUTPUTS_H
#define FS_APP_FRAMES_FRAMES_OUTPUTS_H

#include "app/frames/frames_folder.h"
#include "app/frames/frames_options.h"

G_BEGIN_DECLS

enum { FS_FRAMES_MAX_OUTPUTS = 3 };

typedef struct {
  FsFramesFolder folder[FS_FRAMES_MAX_OUTPUTS]; /* the masks' first */
  int n;
} FsFramesOutputs;

/* Borrows the job's strings. */
void fs_frames_outputs_init (FsFramesOutputs *outputs, const FsFramesJob *job);
void fs_frames_outputs_clear (FsFramesOutputs *outputs);

/* Checks, before frames are read, that the report can be written, as far as that does not depend on
 * them. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_outputs_check_report (const FsFramesOutputs *outputs, const FsFramesJob *job,
                                         GError **error);

/* Checks that no file would be written over an input or written twice. Refuses output folders that
 * are the same or the frames' own, strokes within an output folder, and a report that would replace
 * a picture, a frame or a session's photo, also through links. Changes nothing. Errors:
 * FS_FRAMES_ERROR, FS_EXPORT_ERROR. */
gboolean fs_frames_outputs_check_names (const FsFramesOutputs *outputs, const FsFramesJob *job,
                                        const FsFrameSource *source, GError **error);

/* Makes and locks the folders. All are checked before any is changed. `on_message` gets messages
 * about them. Errors: FS_FRAMES_ERROR_OTHER, FS_EXPORT_ERROR. */
gboolean fs_frames_outputs_prepare (FsFramesOutputs *outputs, const FsFramesJob *job,
                                    const FsFrameSource *source,
                                    void (*on_message) (const char *message, gpointer user_data),
                                    gpointer user_data, GError **error);

/* As the functions of one folder, for all. */
gboolean fs_frames_outputs_check_place (FsFramesOutputs *outputs, const FsFrame *frame,
                                        GError **error);
gboolean fs_frames_outputs_discard_from (FsFramesOutputs *outputs, const FsFrameSource *source,
                                         guint64 number, GError **error);
gboolean fs_frames_outputs_close (FsFramesOutputs *outputs, gboolean done, GError **error);

/* A warning about pictures of a folder whose frames are gone, and adds their number to `n`. NULL:
 * there are none. g_free. */
char *fs_frames_outputs_describe_left (FsFramesOutputs *outputs, int folder,
                                       const FsFrameSource *source, guint *n);

G_END_DECLS

#endif
