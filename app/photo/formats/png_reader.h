/* SPDX-License-Identifier: MIT */
/* libpng's source, error handlers and limits for untrusted files.   Layer: app.
 *
 * The library's error handler must not return, so every call into it is made inside
 * fs_png_reader_guard(); the guarded function must own nothing. Text, profiles and all other chunks
 * that the program does not use are skipped without being unpacked.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_FORMATS_PNG_READER_H
#define FS_APP_PHOTO_FORMATS_PNG_READER_H

#include "app/photo/input/photo_input.h"

#include <png.h>
#include <setjmp.h>

G_BEGIN_DECLS

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  FsPhotoInput *input;
  GError *error;  /* why the library stopped                                         */
  int n_warnings; /* since the header: each means damaged pixels                     */
  gboolean ended; /* the decoder wanted more data than there are                     */

  /* The header, after fs_png_reader_read_header(). */
  guint32 width;
  guint32 height;
  int bits;
  int colour_type; /* PNG_COLOR_TYPE_… */
  gboolean interlaced;

  /* For the guarded steps. */
  FsImage *image;  /* owned                                                          */
  uint8_t *labels; /* owned, g_free                                                  */
  guint32 n_rows;  /* rows of the first pass that were decoded                       */

  /* Bytes read ahead for the library, which asks for a few at a time. */
  gsize n_buffered;
  gsize n_taken;
  uint8_t buffer[16 * 1024];
} FsPngReader;

/* Reads from the file's start. NULL where memory is short. */
FsPngReader *fs_png_reader_new (FsPhotoInput *input, GError **error);
void fs_png_reader_free (FsPngReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPngReader, fs_png_reader_free)

/* Runs `step`; FALSE with `reader->error` set where the library has jumped out of it. */
gboolean fs_png_reader_guard (FsPngReader *reader, void (*step) (FsPngReader *reader));

/* For use inside a step: leaves it at once with the error that is already set. */
void fs_png_reader_leave (FsPngReader *reader) G_GNUC_NORETURN;

/* Everything before the pixels. */
gboolean fs_png_reader_read_header (FsPngReader *reader, GError **error);

G_END_DECLS

#endif
