/* SPDX-License-Identifier: MIT */
/* A small work with its files in a folder of its own, without a window: painted, saved, closed,
 * recovered. */
#ifndef FS_TESTS_APP_WORK_H
#define FS_TESTS_APP_WORK_H

#include "app/session/project.h"

#define WORK_SIDE 48

typedef struct {
  char *folder; /* of everything, the state included */
  char *photo;
  FsProject *project;
} Work;

/* Makes the folder, which becomes the one of the state, and opens a project. */
void work_init (Work *f);
void work_clear (Work *f);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)
/* What is painted on. */
FsImage *work_make_image (void);
void work_open (Work *f);
void work_close (Work *f);
void work_remove_all (const char *path);

/* Runs the main loop until the mask is final. */
void work_wait_for_final (FsDocument *document);
/* A short stroke downwards at `x`; waits for the final mask. */
void work_paint (Work *f, uint8_t label, float x);
void work_paint_both (Work *f);
GBytes *work_copy_mask (Work *f);

/* The newest, or NULL. */
FsLostWork *work_find_lost (void);
/* Keeps the result at `user_data`. */
void work_on_done (GObject *source, GAsyncResult *result, gpointer user_data);
gboolean work_finish_restoring (Work *f, GAsyncResult **result);
/* Opens what is lost as the project. */
void work_recover (Work *f);
gboolean work_save_over (Work *f, const char *path, gboolean replace, GError **error);
gboolean work_save (Work *f, const char *path, GError **error);

#endif
