/* SPDX-License-Identifier: MIT */
#include "tests/app/replay/made_sessions.h"

#include "app/live/document.h"
#include "app/session/session_photo.h"
#include "tests/app/photo/made_files.h"

FsImage *
made_image (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsImage *image = fs_image_new (MADE_WIDTH, MADE_HEIGHT);
  for (int y = 0; y < MADE_HEIGHT; y++)
    for (int x = 0; x < MADE_WIDTH; x++) {
      int dx = x - MADE_WIDTH / 2, dy = y - MADE_HEIGHT / 2;
      guint base = dx * dx + 2 * dy * dy < MADE_WIDTH * MADE_WIDTH / 9 ? 170 : 70;
      guint noise = (guint)g_rand_int_range (rand, 0, 60);
      image->pixels[y * MADE_WIDTH + x] =
          FS_PIXEL (255, base + noise, base, 230 - base + noise / 2);
    }
  return image;
}

char *
made_photo (const char *folder, const char *name, guint32 seed)
{
  g_autoptr (FsImage) image = made_image (seed);
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (int y = 0; y < MADE_HEIGHT; y++) {
    g_byte_array_append (rows, (const guint8 *)"", 1);
    for (int x = 0; x < MADE_WIDTH; x++) {
      uint32_t p = image->pixels[y * MADE_WIDTH + x];
      const guint8 rgb[] = { FS_PIXEL_R (p), FS_PIXEL_G (p), FS_PIXEL_B (p) };
      g_byte_array_append (rows, rgb, sizeof rgb);
    }
  }
  g_autoptr (GByteArray) png = made_png_begin (MADE_WIDTH, MADE_HEIGHT, 8, 2, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return made_file (folder, name, png->data, png->len);
}

void
made_add_stroke (FsSession *session, uint8_t label, float radius, float x0, float y0, float x1,
                 float y1)
{
  FsStroke *stroke = fs_stroke_new (label, radius);
  for (guint i = 0; i <= 8; i++) {
    float t = (float)i / 8;
    FsSample sample = { x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, 1, i * 7 };
    g_array_append_val (stroke->samples, sample);
  }
  g_ptr_array_add (session->strokes, stroke);
}

FsSession *
made_session (const char *photo)
{
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (photo, &bytes, &n, NULL));
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *)bytes, n);
  FsSession *session = fs_session_new ();
  session->photo = g_path_get_basename (photo);
  g_strlcpy (session->sha256, sum, sizeof session->sha256);
  g_autoptr (FsPhoto) loaded = fs_photo_load (photo, NULL, NULL, NULL);
  g_autofree char *pixels = fs_session_sum_pixels (loaded->image);
  g_strlcpy (session->pixels, pixels, sizeof session->pixels);
  session->width = MADE_WIDTH;
  session->height = MADE_HEIGHT;
  fs_session_add_label (session, "Background", 0x0000ff);
  fs_session_add_label (session, "Object", 0xff8000);
  return session;
}

void
made_add_strokes (FsSession *session)
{
  made_add_stroke (session, 2, 4, 60, 55, 90, 55);
  made_add_stroke (session, 1, 5, 10, 10, 140, 12);
  made_add_stroke (session, 2, 3, 75, 40, 80, 70);
  made_add_stroke (session, 1, 4, 12, 95, 60, 104);
  made_add_stroke (session, 2, 5, 100, 20, 130, 30);
  made_add_stroke (session, 0, 7, 98, 19, 132, 31);
  made_add_stroke (session, 1, 3, 120, 40, 135, 90);
}

void
made_set_up (MadeSession *fixture, gconstpointer data)
{
  fixture->folder = made_folder ();
  fixture->photo = made_photo (fixture->folder, "photo.png", 1);
  fixture->session = g_build_filename (fixture->folder, "s.fretsaw", NULL);
  fixture->mask = g_build_filename (fixture->folder, "mask.png", NULL);
  fixture->report = g_build_filename (fixture->folder, "report.json", NULL);
  g_autoptr (FsSession) session = made_session (fixture->photo);
  made_add_strokes (session);
  g_assert_true (fs_session_write (session, fixture->session, NULL));
}

void
made_tear_down (MadeSession *fixture, gconstpointer data)
{
  made_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->photo);
  g_free (fixture->session);
  g_free (fixture->mask);
  g_free (fixture->report);
}

FsReplayResult
made_replay (const FsReplayJob *job)
{
  g_autoptr (GError) error = NULL;
  FsReplayResult result;
  fs_replay_run (job, &result, &error);
  g_assert_no_error (error);
  g_assert_null (result.warning);
  return result;
}

FsReplayResult
made_checked_replay (const FsReplayJob *job, ReplayCheckCounts *counts)
{
  g_autoptr (ReplayCheck) check = NULL;
  FsPlayerWatch watch = replay_check_watch (&check);
  FsReplayJob watched = *job;
  watched.watch = &watch;
  FsReplayResult result = made_replay (&watched);
  *counts = replay_check_get_counts (check);
  return result;
}

uint8_t *
made_read_mask (const char *path)
{
  uint8_t *mask = fs_seeds_load (path, MADE_WIDTH, MADE_HEIGHT, NULL, NULL);
  g_assert_nonnull (mask);
  return mask;
}

/* The timing of a replay is never twice the same; its mask is. */
uint8_t *
made_record_stable (FsSession *session, FsImage *image)
{
  g_autoptr (FsDocument) document = fs_document_new (image, &session->settings, NULL);
  for (guint i = 0; i < session->strokes->len; i++) {
    FsStroke *stroke = session->strokes->pdata[i];
    while (i != 3 && !fs_document_get_status (document).is_final)
      g_main_context_iteration (NULL, TRUE);
    stroke->after = fs_document_get_newest_final (document);
    if (stroke->shape == FS_STROKE_OUTLINE)
      stroke->after = 0;
    g_assert_true (fs_document_begin_shape (document, stroke->shape, stroke->label,
                                            stroke->radius_px, stroke->after));
    fs_document_extend_stroke (document, (const FsSample *)(gconstpointer)stroke->samples->data,
                               stroke->samples->len);
    fs_document_end_stroke (document);
  }
  while (!fs_document_get_status (document).is_final)
    g_main_context_iteration (NULL, TRUE);
  uint8_t *mask = g_memdup2 (fs_document_get_mask (document), MADE_WIDTH * MADE_HEIGHT);
  for (int i = 0; i < MADE_WIDTH * MADE_HEIGHT; i++)
    mask[i] = mask[i] ? 255 : 0;
  return mask;
}
