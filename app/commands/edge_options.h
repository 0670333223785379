/* SPDX-License-Identifier: MIT */
/* Options of commands for the edge of cut-outs.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_COMMANDS_EDGE_OPTIONS_H
#define FS_APP_COMMANDS_EDGE_OPTIONS_H

#include "energy/edge/edge_settings.h"

G_BEGIN_DECLS

/* As given; what is not is NULL or FS_EDGE_UNSET. */
typedef struct {
  char *width, *shift;
  FsEdgeSettings numbers;
} FsEdgeOptions;

#define FS_EDGE_OPTIONS_NONE ((FsEdgeOptions){ .numbers = FS_EDGE_SETTINGS_UNSET })

/* Entries of a GOptionEntry table for an FsEdgeOptions. */
#define FS_EDGE_OPTION_ENTRIES(options)                                                            \
  { "soft-edge",                                                                                   \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_STRING,                                                                           \
    &(options)->width,                                                                             \
    "Width of cut-outs' soft edges in pixels, 0 to 32, 0 for hard ones, or auto (auto)",           \
    "N" },                                                                                         \
      { "edge-shift",                                                                              \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING,                                                                       \
        &(options)->shift,                                                                         \
        "Move the edge outwards, or inwards where negative: -10 to 10 pixels (0)",                 \
        "PX" },                                                                                    \
      { "edge-contrast",                                                                           \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_INT,                                                                          \
        &(options)->numbers.contrast,                                                              \
        "Sharpen the edge's alpha: 0 to 100 percent (0)",                                          \
        "N" },                                                                                     \
      { "edge-smooth",                                                                             \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_INT,                                                                          \
        &(options)->numbers.smooth_px,                                                             \
        "Round the edge's corners: 0 to 20 pixels (0)",                                            \
        "N" },                                                                                     \
      { "clean-colours",                                                                           \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_INT,                                                                          \
        &(options)->numbers.clean,                                                                 \
        "How much of the background's colour is taken from the edge: 0 to 100 percent (100)",      \
        "N" },                                                                                     \
      { "remove-specks",                                                                           \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_INT,                                                                          \
        &(options)->numbers.specks_px,                                                             \
        "Leave out pieces of the object of up to so many pixels (0)",                              \
        "N" },                                                                                     \
  {                                                                                                \
    "fill-holes", 0, 0, G_OPTION_ARG_INT, &(options)->numbers.holes_px,                            \
        "Fill holes of up to so many pixels (0)", "N"                                              \
  }

void fs_edge_options_clear (FsEdgeOptions *options);

/* TRUE if at least one is given. */
gboolean fs_edge_options_are_given (const FsEdgeOptions *options);

/* The settings that are given, the others unset. Refuses values out of range, and all options where
 * nothing with an edge is written. Errors: G_OPTION_ERROR. */
gboolean fs_edge_options_read (const FsEdgeOptions *options, gboolean is_written,
                               FsEdgeSettings *settings, GError **error);

G_END_DECLS

#endif
