/* SPDX-License-Identifier: MIT */
#include "app/frames/many/sequence_work.h"

#include "app/backend/backend_choice.h"
#include "app/frames/frames_job.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* An answer of a worker has at most 1 MiB, and JSON may write six bytes for one. */
enum { MAX_MESSAGE_BYTES = 128 << 10 };

typedef struct {
  json_t *list;
  gsize n_bytes;
  guint n_more; /* that have no place */
} Messages;

static json_t *
text_to_json (const char *text)
{
  g_autofree char *utf8 = g_utf8_make_valid (text, -1);
  return json_string (utf8);
}

static void
add_message (const char *message, gpointer data)
{
  Messages *messages = data;
  const gsize n = strlen (message);
  if (messages->n_more > 0 || messages->n_bytes + n > MAX_MESSAGE_BYTES) {
    messages->n_more++;
    return;
  }
  messages->n_bytes += n;
  json_array_append_new (messages->list, text_to_json (message));
}

static void
count_more (const Messages *messages, const char *name)
{
  if (messages->n_more == 0)
    return;
  g_autofree char *text = g_strdup_printf ("%s: %u more messages", name, messages->n_more);
  json_array_append_new (messages->list, text_to_json (text));
}

char *
fs_sequence_work (const FsFramesJob *each, const FsSequenceFiles *files)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsFramesResult) r = { 0 };
  Messages messages = { .list = json_array () };
  FsFramesJob job = *each;
  job.frames = files->path;
  job.out = files->out;
  job.cutouts = files->cutouts;
  job.overlays = files->overlays;
  job.report = files->report;
  job.seeds = files->seeds;
  job.session = files->session;
  job.guess = files->guess;
  job.photo = files->session ? each->photo : NULL;
  job.on_message = add_message;
  job.progress = NULL;
  job.user_data = &messages;
  gboolean done = fs_frames_job_run (&job, &r, &error);
  count_more (&messages, files->name);
  json_t *line = json_pack ("{s:b, s:b, s:o}", "done", done, "whole",
                            r.n_failed == 0 && r.n_unused == 0, "messages", messages.list);
  const char *notice = fs_backend_choice_take_notice ();
  g_autofree char *text = done ? fs_frames_result_describe (&r) : NULL;
  if (notice)
    json_object_set_new (line, "notice", text_to_json (notice));
  json_object_set_new (line, done ? "summary" : "reason",
                       text_to_json (done ? text : error->message));
  char *dumped = json_dumps (line, JSON_COMPACT);
  json_decref (line);
  char *copy = g_strdup (dumped);
  free (dumped);
  return copy;
}
