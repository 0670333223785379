/* SPDX-License-Identifier: MIT */
/* `fretsaw cut` with --out: many photos into folders.   Layer: app. */
#ifndef FS_APP_COMMANDS_CUT_MANY_H
#define FS_APP_COMMANDS_CUT_MANY_H

#include "app/batch/batch.h"
#include "app/commands/command_line.h"

G_BEGIN_DECLS

/* As given; `out` is NULL for one photo. */
typedef struct {
  char *out, *alphas, *cutouts, *outlines, *sessions, *shard;
  FsCommandJobs jobs;
} FsCutManyOptions;

/* Entries of a GOptionEntry table for them. */
#define FS_CUT_MANY_OPTION_ENTRIES(options)                                                        \
  { "out",                                                                                         \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_FILENAME,                                                                         \
    &(options)->out,                                                                               \
    "Cut many photos: write their masks into this folder",                                         \
    "FOLDER" },                                                                                    \
      { "alphas",                                                                                  \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options)->alphas,                                                                        \
        "Of many photos: write the edges' alpha into this folder",                                 \
        "FOLDER" },                                                                                \
      { "cutouts",                                                                                 \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options)->cutouts,                                                                       \
        "Of many photos: write cut-outs with alpha into this folder",                              \
        "FOLDER" },                                                                                \
      { "outlines",                                                                                \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options)->outlines,                                                                      \
        "Of many photos: write outlines, SVG, into this folder",                                   \
        "FOLDER" },                                                                                \
      { "sessions",                                                                                \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options)->sessions,                                                                      \
        "Of many photos: look for sessions, NAME.fretsaw, in this folder",                         \
        "FOLDER" },                                                                                \
      { "jobs",                                                                                    \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_INT,                                                                          \
        &(options)->jobs.n,                                                                        \
        "Cut so many photos at the same time, each in a process: 1 to 64 (1, or one a device)",    \
        "N" },                                                                                     \
      { "shard",                                                                                   \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING,                                                                       \
        &(options)->shard,                                                                         \
        "Cut only part K of N of the photos, on one of several machines",                          \
        "K/N" },                                                                                   \
  {                                                                                                \
    "devices", 0, 0, G_OPTION_ARG_STRING, &(options)->jobs.devices,                                \
        "Share these devices among the jobs, by their numbers: 0,1 (those that are visible)",      \
        "LIST"                                                                                     \
  }

void fs_cut_many_options_clear (FsCutManyOptions *options);

/* An option that needs --out; NULL: none is given. */
const char *fs_cut_many_find_option (const FsCutManyOptions *options);

/* Checks and takes the options into the job. Errors: G_OPTION_ERROR. `*devices` is owned by the
 * caller: g_strfreev, after the job. */
gboolean fs_cut_many_read (FsBatchJob *job, const FsCutManyOptions *options, char ***devices,
                           GError **error);

/* Cuts the photos, prints what became of them, and returns the exit status. */
int fs_cut_many_run (FsBatchJob *job);

G_END_DECLS

#endif
