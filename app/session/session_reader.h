/* SPDX-License-Identifier: MIT */
/* Reading values of a session file, with a sentence for each that is not valid.   Layer: app,
 * private to session_*.c.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_SESSION_SESSION_READER_H
#define FS_APP_SESSION_SESSION_READER_H

#include "app/session/session.h"
#include <jansson.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;  /* of the file, for messages                  */
  gsize n_samples;   /* so far                                     */
  gsize n_guess_px;  /* so far                                     */
  guint newest_base; /* strokes so far, up to the newest outline or guess */
  GError **error;
} FsSessionReader;

/* The path of a value, for messages. */
typedef struct {
  const char *list; /* "strokes" or "edge" */
  guint stroke, sample;
} FsSessionPlace;

/* All functions return FALSE with the reader's error set where a value is not valid. This one does
 * always. */
gboolean fs_session_refuse (FsSessionReader *reader, FsSessionError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
#define fs_session_invalid(reader, ...)                                                            \
  fs_session_refuse (reader, FS_SESSION_ERROR_INVALID, __VA_ARGS__)

/* Every member of `object` is one of `keys`, which a NULL ends. */
gboolean fs_session_check_keys (FsSessionReader *reader, json_t *object, const char *where,
                                const char *const *keys);
/* A whole number, min … max. */
gboolean fs_session_read_whole (FsSessionReader *reader, json_t *value, const char *where,
                                gint64 min, gint64 max, gint64 *number);
gboolean fs_session_read_radius (FsSessionReader *reader, json_t *value, const char *where,
                                 FsStroke *stroke);
gboolean fs_session_read_samples (FsSessionReader *reader, json_t *samples, FsSessionPlace at,
                                  FsStroke *stroke);
/* The edits of the edge (session_edge.c), after the strokes. Where `edge` is NULL there are none.
 */
gboolean fs_session_read_edge (FsSessionReader *reader, json_t *edge, FsSession *session);

G_END_DECLS

#endif
