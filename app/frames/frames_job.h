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
 * is a function of frames, strokes and earlier masks, and all else a function of frame and mask. A
 * mask is reused if the checksum of all its inputs is unchanged; after a frame that has changed all
 * are made again. frames_folder.h has the rules for folders of other runs.
 *
 * A frame that cannot be read, is of another size, or in which the object is not found, has no mask
 * and is reported; the next one follows from the last that has one. Where the object was not found
 * in the frame before, the seeds of a correction stand alone.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FRAMES_JOB_H
#define FS_APP_FRAMES_FRAMES_JOB_H

#include "app/frames/list/frames.h"

G_BEGIN_DECLS

typedef struct {
  guint64 number;
  const char *path; /* of seeds or a session */
  gboolean is_session;
} FsFramesCorrection;

/* Treatment of frames in which the object is lost. */
typedef enum {
  FS_FRAMES_LOST_SKIP,  /* it has no mask and counts as failed          */
  FS_FRAMES_LOST_EMPTY, /* a mask of nothing                            */
  FS_FRAMES_LOST_LAST,  /* the last mask again                          */
  FS_FRAMES_LOST_STOP,  /* the run ends there                           */
} FsFramesLost;

/* "skip", "empty", "last", "stop". */
const char *fs_frames_lost_name (FsFramesLost way);
gboolean fs_frames_lost_from_name (const char *name, FsFramesLost *way);

typedef struct {
  const char *frames;  /* paths in the file system's encoding */
  guint64 first, last; /* numbers; 0 and G_MAXUINT64 for all */
  const char *out;     /* the masks' folder */
  const char *cutouts; /* folders, or NULL */
  const char *overlays;
  int soft_px;          /* of the cut-outs' borders, as FsExport has it */
  gboolean keep_hidden; /* in cut-outs, as FsExport has it */
  const char *seeds;    /* of the first frame; one of the two, or skin; with guesses none need be */
  const char *session;
  const char
      *photo; /* that sessions were painted on instead of their frames, or a folder of such */
  const FsFramesCorrection *corrections; /* of later ones, each once; none with skin */
  guint n_corrections;
  const char *guess;        /* pictures of the frames' numbers (frame_guesses.h); or NULL */
  const char *find_subject; /* or a finder makes them, "" for the one of the settings; or NULL */
  const char *report;       /* or NULL */
  const char *backend; /* as fs_backend_choice_want takes it: what follows frames, each by itself */
  gboolean skin;
  FsFramesLost lost;
  int span; /* frames that are cut together (app/frames/follow/sequence.h), 1 to FS_FRAME_SPAN_MAX;
               0 is 1 */
  int n_threads; /* 0: as many as there are processors */
  /* Called for each frame that fails or is damaged, with a message that begins with its name. */
  void (*on_message) (const char *message, gpointer user_data);
  /* Before each frame, the first one being 1 of n_all, or of 0 where that is not known. */
  void (*progress) (guint at, guint n_all, gpointer user_data);
  gpointer user_data;
} FsFramesJob;

typedef struct {
  guint n_frames;
  guint n_cut;                  /* in this run                 */
  guint n_reused;               /* whose mask was there        */
  guint n_lost;                 /* object lost and mask filled, in this run or before */
  guint n_failed;               /* n_cut + n_reused + n_lost + n_failed = n_frames */
  guint n_left;                 /* pictures of frames that are gone, in all folders */
  guint n_unused;               /* corrections of frames that a video does not have */
  char *guess;                  /* the source of guesses, or NULL */
  guint n_guessed, n_unguessed; /* of the frames that were cut: with a guess, and without */
  guint64 n_missing;
  GArray *gaps;            /* of FsFrameGap: the missing numbers */
  gint64 cut_us, total_us; /* without and with files */
  const char *backend;     /* of the last frame that was followed; NULL: none was */
  const char *device;      /* its name for people; NULL: none was                 */
} FsFramesResult;

/* Writes the picture of the first frame from number `first` on as a PNG, to be painted on.
 * `on_message` gets warnings about it. Errors: FS_FRAMES_ERROR, FS_PHOTO_ERROR, FS_EXPORT_ERROR. */
gboolean fs_frames_write_picture (const char *frames, guint64 first, const char *path,
                                  void (*on_message) (const char *message, gpointer user_data),
                                  gpointer user_data, GError **error);

/* Runs the job. Errors: FS_FRAMES_ERROR, FS_EXPORT_ERROR, and those of the first frame's cut and of
 * files of strokes. Later frames that fail are no error. */
gboolean fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error);
void fs_frames_result_clear (FsFramesResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFramesResult, fs_frames_result_clear)

G_END_DECLS

#endif
