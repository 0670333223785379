/* SPDX-License-Identifier: MIT */
/* Small ONNX files, written by hand, to read signatures from. */
#ifndef FS_TESTS_SUBJECT_MADE_MODEL_H
#define FS_TESTS_SUBJECT_MADE_MODEL_H

#include <glib.h>

typedef struct {
  int width, height;     /* 0: left open                          */
  const char *operation; /* that makes the first output, "mask"   */
  int weight_type;       /* as ONNX numbers it                    */
  gboolean list_weights; /* among the inputs, as older models do  */
} MadeModel;

GByteArray *made_model_new (const MadeModel *model);

#endif
