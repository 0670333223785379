/* SPDX-License-Identifier: MIT */
/* libjpeg-turbo's source, error and marker handlers for untrusted files.   Layer: app.
 *
 * The library's error handler must not return, so every call into it is made inside
 * fs_jpeg_reader_guard(), which has the only setjmp(); the guarded function must own nothing.
 * Markers are read by our own processors, because jpeg_save_markers of libjpeg-turbo 2.1 takes
 * quadratic time. JFIF and Adobe markers are read for colours only; the rest is left to
 * metadata_reader.h.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_FORMATS_JPEG_READER_H
#define FS_APP_PHOTO_FORMATS_JPEG_READER_H

#include "app/photo/input/photo_input.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

G_BEGIN_DECLS

typedef struct {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr handlers;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  FsPhotoInput *input;
  GError *error;      /* why the library stopped                                       */
  guint64 end_at;     /* the file is read as if it ended here                          */
  guint64 good_until; /* in a file of several scans, the bytes that did not stop the decoder */
  int max_warnings;   /* more of them stop the decoder                                 */
  int n_markers;
  gboolean ended; /* the decoder wanted more data than there are                    */
  int n_warnings; /* of those that mean damaged pixels                              */
  FsImage *image; /* for the guarded steps; owned                                   */
  JOCTET buffer[64 * 1024];
} FsJpegReader;

/* Reads from the file's start. NULL where memory is short. */
FsJpegReader *fs_jpeg_reader_new (FsPhotoInput *input, GError **error);
void fs_jpeg_reader_free (FsJpegReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsJpegReader, fs_jpeg_reader_free)

/* Runs `step`; FALSE with `reader->error` set where the library has jumped out of it. `step` may
 * not hold anything that needs freeing. */
gboolean fs_jpeg_reader_guard (FsJpegReader *reader, void (*step) (FsJpegReader *reader));

/* For use inside a step: leaves it at once with the error that is already set. */
void fs_jpeg_reader_leave (FsJpegReader *reader) G_GNUC_NORETURN;

G_END_DECLS

#endif
