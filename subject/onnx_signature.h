/* SPDX-License-Identifier: MIT */
/* The signature of a model in an ONNX file: its inputs and outputs by name, type and shape.
 *
 * OpenCV keeps none of the declared shapes, so they are read from the file (protocol buffers:
 * ModelProto, GraphProto, ValueInfoProto). Nothing is executed and no weight is looked at.
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
  FS_SUBJECT_ERROR_MODEL, /* the model's file, or its .ini, is missing or no good */
  FS_SUBJECT_ERROR_RUN,   /* the network could not be run on the photo            */
} FsSubjectError;

#define FS_ONNX_FLOAT    1 /* TensorProto.DataType */
#define FS_ONNX_DIMS_MAX 8

typedef struct {
  char *name;
  int type;                   /* of its elements, as ONNX numbers them; 0: not a tensor     */
  int n_dims;                 /* 0: not declared                                            */
  int dims[FS_ONNX_DIMS_MAX]; /* 0: left open                                               */
  char *operation;            /* of an output: the kind of node that makes it, or NULL      */
} FsOnnxValue;

typedef struct {
  GArray *inputs, *outputs;  /* of FsOnnxValue; weights are no inputs */
  gboolean has_half_weights; /* of 16 bits */
} FsOnnxSignature;

/* Errors: FS_SUBJECT_ERROR_MODEL, "NAME: reason", also where the file is cut short or has no inputs
 * and outputs. */
FsOnnxSignature *fs_onnx_signature_read (const char *path, GError **error);
void fs_onnx_signature_free (FsOnnxSignature *signature);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOnnxSignature, fs_onnx_signature_free)

G_END_DECLS

#endif
