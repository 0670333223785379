/* SPDX-License-Identifier: MIT */
/* The session file (.fretsaw): a photo's name, the settings and the strokes, as strict JSON.
 * Layer: app.
 *
 *   { "format": "fretsaw-session-1",
 *     "photo": { "name": "…", "sha256": "…", "pixels": "…", "width": W, "height": H },
 *     "settings": { "neighbours": 8, "smoothness": 1, "model": "kmeans" },
 *     "labels": [ { "name": "Background", "colour": "#3584e4" }, … ],
 *     "strokes": [ { "label": 2, "radius_px": 8, "samples": [[x, y, pressure, time_ms], …] }, … ] }
 *
 * Every key is needed and no other is taken, except that `settings` may leave keys out: a file
 * from before a setting existed still means the same. Left out, `neighbours` and `smoothness` have
 * their defaults, `model` is kmeans, which was the only one, `star` is true, and `stability` false.
 * labels[0] names label 1 (background), labels[1] label 2 (object), and so on; a stroke's label 0
 * erases. Samples are in upright image pixels. Only strokes that are not undone are kept.
 *
 * "sha256" and "pixels" are sums of the photo's file and of its decoded pixels (session_photo.h); a
 * file from before there was the second one leaves it out.
 *
 * A stroke may have one more key, "shape": "pen" for one whose width is that of its pressure, or
 * "outline" for a lasso or box: at least three samples, label 1 for what is outside, and neither
 * "radius_px" nor "after". Left out it is a brush.
 *
 * A stroke may have one more key, "after": the number of strokes whose final mask is its
 * previous mask (stability): none from before an outline. Left out it is 0, for none. It counts
 * only with `stability`, and where these strokes leave seeds.
 *
 * Among the strokes a first guess stands where it was set: { "shape": "guess", "name": "…",
 * "png": "…" } and nothing else, "png" a grey PNG of 8 or 16 bits in base64, at most as large as
 * the photo, and "name" what it was made of, which may be left out. Without "png" it dismisses the
 * guess before it. A guess with several objects has, in place of "png", "objects": a grey PNG of 8
 * bits and the photo's size in base64, whose values are labels, 0 where it is unknown. No stroke
 * has a previous mask from before a guess. Versions from before there were guesses, or objects in
 * them, refuse such a session: they would show another mask.
 *
 * A session whose edge was edited has one more key, "edge", between "strokes" and the end: its
 * edits in order (edge_history.h), each with "after", the number of strokes before it, and either
 * "zone": "refine", "hard" or "erase", with "radius_px", "samples", and "shape": "pen" as strokes
 * have them, or "settings": { "width_px": 0 … 32 or "auto", "shift_tenths": …, "contrast": …,
 * "smooth_px": …, "clean": …, "specks_px": …, "holes_px": … }, all of them (edge_settings.h). The
 * edge changes no mask.
 *
 * "done": true, between "photo" and "settings", says that the person who paints has called the
 * photo done; left out it is false. It is no edit: undo does not change it, and strokes that come
 * later, which correct a photo that is done, leave it. Versions from before it refuse such a
 * session.
 *
 * The photo is named relative to the session's folder: components separated by "/", none of them
 * empty, "." or beginning a path from the root; ".." only in front and at most
 * FS_SESSION_MAX_UPS times, so that a session can stand beside its photo's folder but its name
 * cannot wander. A name alone is not trusted: the sums say whether it is the photo
 * (session_photo.h).
 *
 * Threads: any, one at a time per session; reading and writing block.
 */
#ifndef FS_APP_SESSION_SESSION_H
#define FS_APP_SESSION_SESSION_H

#include "app/strokes/edge_history.h"
#include "app/strokes/stroke.h"
#include "energy/image/settings.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_SESSION_ERROR (fs_session_error_quark ())
GQuark fs_session_error_quark (void);

typedef enum {
  FS_SESSION_ERROR_READ,    /* cannot be opened or read                              */
  FS_SESSION_ERROR_FORMAT,  /* not JSON, or not a session of this format              */
  FS_SESSION_ERROR_INVALID, /* a value is missing, unknown, or outside its range       */
  FS_SESSION_ERROR_LIMIT,   /* beyond one of the limits below                          */
  FS_SESSION_ERROR_PHOTO,   /* the photo is not the one that was painted on            */
  FS_SESSION_ERROR_CHANGED, /* the file is not the one that was read or written last   */
} FsSessionError;

#define FS_SESSION_FORMAT          "fretsaw-session-1"
#define FS_SESSION_MAX_BYTES       (64 << 20)
#define FS_SESSION_MAX_DEPTH       16
#define FS_SESSION_MAX_STROKES     200000 /* edits of the edge included                 */
#define FS_SESSION_MAX_EDGE_EDITS  100000
#define FS_SESSION_MAX_SAMPLES     2000000 /* of all strokes together                    */
#define FS_SESSION_MAX_SIDE_PX     65500
#define FS_SESSION_MAX_RADIUS_PX   1e5
#define FS_SESSION_MAX_PLACE_PX    1e6       /* of a sample's |x| and |y|                       */
#define FS_SESSION_MAX_LABEL_BYTES 200       /* of a label's name                               */
#define FS_SESSION_MAX_PHOTO_BYTES 4096      /* of the photo's name                            */
#define FS_SESSION_MAX_GUESS_PX    (1 << 28) /* of all guesses together                    */
#define FS_SESSION_MAX_UPS         8         /* ".." in front of the photo's name              */
#define FS_SESSION_SHA256_LENGTH   64

typedef struct {
  char *name;      /* one line of UTF-8, not empty */
  uint32_t colour; /* 0xRRGGBB */
} FsSessionLabel;

typedef struct {
  char *photo; /* relative name, UTF-8 */
  char sha256[FS_SESSION_SHA256_LENGTH + 1];
  char file_sha256[FS_SESSION_SHA256_LENGTH + 1]; /* of the file that it was read from, else "" */
  char pixels[FS_SESSION_SHA256_LENGTH + 1];      /* "": not recorded */
  int width, height;                              /* of the upright photo */
  gboolean done;
  FsSettings settings;
  GArray *labels;     /* of FsSessionLabel, 2 … 255 of them */
  GPtrArray *strokes; /* of FsStroke, their bounds not set  */
  GPtrArray *edge;    /* of FsEdgeEdit, the same            */
} FsSession;

/* An empty session: no photo, default settings, no labels. */
FsSession *fs_session_new (void);
void fs_session_free (FsSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSession, fs_session_free)

/* Takes a copy of the name. */
void fs_session_add_label (FsSession *session, const char *name, uint32_t colour);
/* The two that every session has: background and object. */
void fs_session_add_usual_labels (FsSession *session);
/* One that has the labels of another and is done where it is, and nothing else. */
FsSession *fs_session_new_labelled (const FsSession *from);
/* The labels of another one in place of its own. */
void fs_session_copy_labels (FsSession *session, const FsSession *from);
/* Adds labels, “Object 2” and so on, until there is one for every stroke. */
void fs_session_complete_labels (FsSession *session);
/* Returns whether a text is one line: without control characters. It is UTF-8. */
gboolean fs_session_is_line (const char *text);
/* The same for a label's name, which is not empty and not too long either. */
gboolean fs_session_is_label_name (const char *name);
/* The default name of an object's label, FS_SEED_OBJECT and up. g_free. */
char *fs_session_unnamed (uint8_t label);
/* Names a label, which is added, and those before it, where it is not there yet. FALSE, and nothing
 * is done, where no session could have that name. */
gboolean fs_session_name_label (FsSession *session, uint8_t label, const char *name);
/* The colour of a label: the usual one where the label is not there. */
uint32_t fs_session_get_colour (const FsSession *session, uint8_t label);
/* Returns whether the labels of both are the same; those that only one has must be as they are
 * added. */
gboolean fs_session_equal_labels (const FsSession *a, const FsSession *b);

/* One guess before all strokes in place of those that are among them. Strokes refer to the same
 * previous masks, which are now those with this guess. */
void fs_session_replace_guesses (FsSession *session, FsGuess *guess, const char *name);

/* Errors: FS_SESSION_ERROR, "PATH: reason", where the reason says which value it is about
 * ("strokes[3].samples[17]: x is not a number"). Memory while reading: about 400 bytes a sample. */
FsSession *fs_session_read (const char *path, GError **error);

/* The same from `n_bytes` of text (need not end with a NUL); `name` stands in messages. */
FsSession *fs_session_parse (const char *name, const char *text, gsize n_bytes, GError **error);

/* The file's text: a stroke a line, every number in the shortest form that gives it back exactly,
 * whatever the locale. What is not representable shows in fs_session_parse(). g_free. */
char *fs_session_to_text (const FsSession *session);

/* Writes whole or not at all (export.h), and only what fs_session_read() would read; `file_sha256`
 * is then the file's. Errors: FS_SESSION_ERROR_INVALID, LIMIT; FS_EXPORT_ERROR_WRITE. */
gboolean fs_session_write (FsSession *session, const char *path, GError **error);

/* Returns whether the file at `path` is still the one whose SHA-256 is given; one that is gone
 * counts as unchanged, since nothing is lost by writing it. Errors: FS_SESSION_ERROR_CHANGED where
 * it is another, FS_PHOTO_ERROR where it cannot be read. Blocks. */
gboolean fs_session_check_file (const char *path, const char *sha256, GError **error);

/* The path of the photo for a session that was read from `session_path`. g_free. */
char *fs_session_photo_path (const FsSession *session, const char *session_path);

/* The name by which a session at `session_path` refers to the photo at `photo_path`; both absolute,
 * in the file system's encoding. g_free. Errors: FS_SESSION_ERROR_PHOTO where it cannot: too many
 * folders lie between them, or a name is not UTF-8. */
char *fs_session_name_photo (const char *session_path, const char *photo_path, GError **error);

/* Returns whether a session beside the photo could name it. Errors: FS_SESSION_ERROR_PHOTO, with a
 * sentence to show when the photo is opened. */
gboolean fs_session_check_name (const char *photo_path, GError **error);

/* The SHA-256 of a file as FS_SESSION_SHA256_LENGTH digits. Blocks. g_free. Errors: FS_PHOTO_ERROR;
 * `cancellable` may be NULL. */
char *fs_session_sum_photo (const char *path, GCancellable *cancellable, GError **error);

G_END_DECLS

#endif
