/* SPDX-License-Identifier: MIT */
/* Subject finders: programs that make a first guess (energy/guess/guess.h) of a photo.   Layer:
 * app.
 *
 * A finder is a command line with placeholders:
 *
 *   {photo}    the photo as it is shown, a PNG (finder_pictures.h)
 *   {mask}     the path to which the finder writes its guess: a picture in any photo format, of any
 *              size; or
 *   {folder}   an empty folder to which it writes one picture, with any name
 *   {strokes}  optional: the strokes, a PNG of the photo's size: 0 none, 1 background, 2 object,
 *              3, 4, … further objects
 *
 * The line is split as a shell would (quotes, backslashes), but not run by one. Placeholders are
 * replaced after that, so that a file name is always one argument. All files are in a private
 * folder, which is always removed, also after a crash by the next run. The finder's picture is read
 * as an untrusted file. The guess is cached (guess_cache.h) by the finder's inputs: picture,
 * strokes, command line, and the files that it names.
 *
 * Threads: immutable and reference-counted; any.
 */
#ifndef FS_APP_FINDER_SUBJECT_FINDER_H
#define FS_APP_FINDER_SUBJECT_FINDER_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_SUBJECT_FINDER_ERROR (fs_subject_finder_error_quark ())
GQuark fs_subject_finder_error_quark (void);

typedef enum {
  FS_SUBJECT_FINDER_ERROR_COMMAND,   /* neither a finder's command line nor a preset's name     */
  FS_SUBJECT_FINDER_ERROR_NONE,      /* none is set up, and no preset is installed              */
  FS_SUBJECT_FINDER_ERROR_START,     /* it cannot be started: not installed, no room on the disk */
  FS_SUBJECT_FINDER_ERROR_FAILED,    /* it ended with another status than 0, or by a signal     */
  FS_SUBJECT_FINDER_ERROR_TIME,      /* it took too long and was ended                          */
  FS_SUBJECT_FINDER_ERROR_PICTURE,   /* it wrote no picture, or one that cannot be used         */
  FS_SUBJECT_FINDER_ERROR_CANCELLED, /* it was ended                                            */
} FsSubjectFinderError;

typedef struct _FsSubjectFinder FsSubjectFinder;

/* `text`: a command line, or the name of a preset (finder_settings.h); NULL: the one of the user's
 * settings, or else the first preset that is installed. The time limit is the settings'. Errors:
 * COMMAND, NONE. */
FsSubjectFinder *fs_subject_finder_new (const char *text, GError **error);
FsSubjectFinder *fs_subject_finder_ref (FsSubjectFinder *finder);
void fs_subject_finder_unref (FsSubjectFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSubjectFinder, fs_subject_finder_unref)

/* The preset's name, or that of the command's program. Owned by the finder. */
const char *fs_subject_finder_get_name (const FsSubjectFinder *finder);
const char *fs_subject_finder_get_command (const FsSubjectFinder *finder);
/* TRUE if the command line has {strokes}. */
gboolean fs_subject_finder_wants_strokes (const FsSubjectFinder *finder);
/* A checksum of the command line and of the files that it names: program, script, model. g_free. */
char *fs_subject_finder_sum (const FsSubjectFinder *finder);

/* Runs the finder, unless its guess is cached. `marks`: width·height labels as painted, or NULL for
 * none. Blocks. Errors: FS_SUBJECT_FINDER_ERROR, one sentence with the finder's name first and its
 * last output at the end, if there is any. */
FsGuess *fs_subject_finder_find (FsSubjectFinder *finder, const FsImage *image,
                                 const uint8_t *marks, GCancellable *cancellable, GError **error);

/* The same for a command: SIGINT, SIGTERM and SIGHUP end the finder first, then the process. */
FsGuess *fs_subject_finder_find_in_command (FsSubjectFinder *finder, const FsImage *image,
                                            const uint8_t *marks, GError **error);

/* The same on a worker; takes a reference to the image and a copy of the marks. A finder that is
 * cancelled has ended when `callback` is called, which takes at most some two seconds. */
void fs_subject_finder_find_async (FsSubjectFinder *finder, FsImage *image, const uint8_t *marks,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
FsGuess *fs_subject_finder_find_finish (GAsyncResult *result, GError **error);

G_END_DECLS

#endif
