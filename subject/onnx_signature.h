/* SPDX-License-Identifier: MIT */
/* The signature of a model in an ONNX file: its inputs and outputs by name, type and shape.
 *
 * OpenCV does not report declared shapes, so they are read from the file (protocol buffers:
 * ModelProto, GraphProto, ValueInfoProto). Nothing is executed, and weights are not read.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_SUBJECT_ONNX_SIGNATURE_H
#define FS_SUBJECT_ONNX_SIGNATURE_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_SUBJECT_ERROR (fs_subject_error_quark ())
GQuark fs_subject_error_quark (void);

typedef enum {
  FS_SUBJECT_ERROR_MODEL, /* the model's file, or its .ini, is missing or invalid */
  FS_SUBJECT_ERROR_RUN,   /* the network could not be run on the photo            */
} FsSubjectError;

#define FS_ONNX_FLOAT    1 /* TensorProto.DataType */
#define FS_ONNX_DIMS_MAX 8

typedef struct {
  char *name;
  int type;                   /* TensorProto.DataType of its elements; 0: not a tensor */
  int n_dims;                 /* 0: not declared                                            */
  int dims[FS_ONNX_DIMS_MAX]; /* 0: dynamic */
  char *operation;            /* of an output: the op_type of its node, or NULL */
} FsOnnxValue;

typedef struct {
  GArray *inputs, *outputs;  /* of FsOnnxValue; without weights */
  gboolean has_half_weights; /* of 16 bits */
} FsOnnxSignature;

/* Errors: FS_SUBJECT_ERROR_MODEL, "NAME: reason", also where the file is truncated or has no inputs
 * or outputs. */
FsOnnxSignature *fs_onnx_signature_read (const char *path, GError **error);
void fs_onnx_signature_free (FsOnnxSignature *signature);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOnnxSignature, fs_onnx_signature_free)

G_END_DECLS

#endif
