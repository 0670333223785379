/* SPDX-License-Identifier: MIT */
/* A PNG in memory that is not trusted: libpng's source, error handlers and limits.   Layer: app.
 *
 * Only header, palette and pixels are looked at. The library's error handler must not return, so
 * every call into it is made in a step of fs_png_memory_guard(), which must own nothing.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_FORMATS_PNG_MEMORY_H
#define FS_APP_PHOTO_FORMATS_PNG_MEMORY_H

#include <glib.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Stays where it is while it is open. */
typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const uint8_t *bytes; /* not owned */
  gsize n_bytes, n_read;

  /* After fs_png_memory_read_header(). */
  guint32 width, height;
  int bits;
  int colour_type; /* PNG_COLOR_TYPE_… */
} FsPngMemory;

/* FALSE where memory is short; to be closed all the same. */
gboolean fs_png_memory_open (FsPngMemory *png, const uint8_t *bytes, gsize n_bytes);
void fs_png_memory_close (FsPngMemory *png);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsPngMemory, fs_png_memory_close)

/* Runs `step`; FALSE where the library, or fs_png_memory_leave, has left it. */
gboolean fs_png_memory_guard (FsPngMemory *png, void (*step) (FsPngMemory *png, gpointer data),
                              gpointer data);
void fs_png_memory_leave (FsPngMemory *png) G_GNUC_NORETURN;

/* FALSE where it is no PNG, is larger than these sides or than its bytes can hold, is interlaced,
 * or has neither a palette nor one grey channel. */
gboolean fs_png_memory_read_header (FsPngMemory *png, guint32 max_width, guint32 max_height);

G_END_DECLS

#endif
