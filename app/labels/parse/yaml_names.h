/* SPDX-License-Identifier: MIT */
/* The names of classes in a YOLO data set's data.yaml.   Layer: app.
 *
 * Source: https://docs.ultralytics.com/datasets/segment/, which has two forms of `names`: a list,
 * or a map from numbers. Both are taken as lines of their own and in brackets, with quotes and
 * their escapes. All other keys are passed over; so is what YAML allows beside.
 *
 *   names:            names:          names: [person, "two words"]
 *     0: person         - person      names: {0: person, 1: 'two words'}
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_PARSE_YAML_NAMES_H
#define FS_APP_LABELS_PARSE_YAML_NAMES_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_YAML_MAX_NAMES 100000

/* The names by their numbers; NULL stands for a number without one. Empty where there are none. */
GPtrArray *fs_yaml_names_parse (const char *text, gsize n_bytes);

G_END_DECLS

#endif
