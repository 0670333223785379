/* SPDX-License-Identifier: MIT */
/* `fretsaw frames` with several sequences.   Layer: app. */
#ifndef FS_APP_COMMANDS_FRAMES_MANY_H
#define FS_APP_COMMANDS_FRAMES_MANY_H

#include "app/commands/command_line.h"
#include "app/frames/frames_options.h"

G_BEGIN_DECLS

/* Cuts the sequences, prints what became of them, and returns the exit status. `each`: as
 * FsSequencesJob has it; `devices` as fs_command_read_jobs has them. */
int fs_frames_many_run (const char *const *sequences, const FsFramesJob *each, int n_jobs,
                        const char *const *devices);

G_END_DECLS

#endif
