/* SPDX-License-Identifier: MIT */
#include "app/labels/output/label_format.h"

#include <string.h>

const FsLabelFormat *const fs_label_formats[] = {
  &fs_label_coco,    &fs_label_yolo, &fs_label_voc, &fs_label_indexed,
  &fs_label_labelme, &fs_label_png,  NULL
};

const FsLabelFormat *
fs_label_format_find (const char *name)
{
  g_return_val_if_fail (name, NULL);

  for (gsize i = 0; fs_label_formats[i]; i++)
    if (strcmp (fs_label_formats[i]->name, name) == 0)
      return fs_label_formats[i];
  return NULL;
}
