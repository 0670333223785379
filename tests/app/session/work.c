/* SPDX-License-Identifier: MIT */
#include "tests/app/session/work.h"

#include <glib/gstdio.h>

FsImage *
work_make_image (void)
{
  FsImage *image = fs_image_new (WORK_SIDE, WORK_SIDE);
  for (int i = 0; i < WORK_SIDE * WORK_SIDE; i++)
    image->pixels[i] = i % WORK_SIDE < WORK_SIDE / 2 ? 0xff205080u : 0xffd09040u;
  return image;
}

void
work_open (Work *f)
{
  g_autoptr (FsImage) image = work_make_image ();
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = TRUE;
  g_autoptr (FsDocument) document = fs_document_new (image, &settings, NULL);
  f->project = fs_project_new (document, f->photo);
}

void
work_close (Work *f)
{
  fs_project_close (f->project);
  g_clear_object (&f->project);
}

void
work_init (Work *f)
{
  g_autoptr (GError) error = NULL;
  f->folder = g_dir_make_tmp ("fretsaw-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_STATE_HOME", f->folder, TRUE);
  f->photo = g_build_filename (f->folder, "photo.png", NULL);
  g_assert_true (g_file_set_contents (f->photo, "the photo's bytes", -1, NULL));
  work_open (f);
}

void
work_remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    work_remove_all (child);
  }
  g_remove (path);
}

void
work_clear (Work *f)
{
  if (f->project)
    work_close (f);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  work_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->photo);
}

void
work_wait_for_final (FsDocument *document)
{
  while (!fs_document_get_status (document).is_final)
    g_main_context_iteration (NULL, TRUE);
}

void
work_paint (Work *f, uint8_t label, float x)
{
  FsDocument *document = fs_project_get_document (f->project);
  FsSample samples[] = { { x, 8, 1, 0 }, { x, 20, 0.5f, 8 }, { x + 1, 40, 1, 16 } };
  g_assert_true (fs_document_begin_stroke (document, label, 3));
  fs_document_extend_stroke (document, samples, G_N_ELEMENTS (samples));
  fs_document_end_stroke (document);
  work_wait_for_final (document);
}

void
work_paint_both (Work *f)
{
  work_paint (f, 2, 8);
  work_paint (f, 1, 40);
}

FsLostWork *
work_find_lost (void)
{
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  return lost->len > 0 ? g_ptr_array_steal_index (lost, 0) : NULL;
}

void
work_on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **)user_data = g_object_ref (result);
}

gboolean
work_finish_restoring (Work *f, GAsyncResult **result)
{
  while (!*result)
    g_main_context_iteration (NULL, TRUE);
  gboolean done = fs_project_restore_finish (f->project, *result, NULL);
  g_clear_object (result);
  return done;
}

void
work_recover (Work *f)
{
  GAsyncResult *result = NULL;
  FsLostWork *lost = work_find_lost ();
  g_assert_nonnull (lost);
  work_open (f);
  fs_project_recover_async (f->project, lost, NULL, NULL, work_on_done, &result);
  g_assert_true (work_finish_restoring (f, &result));
  work_wait_for_final (fs_project_get_document (f->project));
}

GBytes *
work_copy_mask (Work *f)
{
  return g_bytes_new (fs_document_get_mask (fs_project_get_document (f->project)),
                      WORK_SIDE * WORK_SIDE);
}

gboolean
work_save_over (Work *f, const char *path, gboolean replace, GError **error)
{
  GAsyncResult *result = NULL;
  fs_project_save_async (f->project, path, replace, NULL, work_on_done, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  gboolean saved = fs_project_save_finish (f->project, result, error);
  g_object_unref (result);
  return saved;
}

gboolean
work_save (Work *f, const char *path, GError **error)
{
  return work_save_over (f, path, FALSE, error);
}
