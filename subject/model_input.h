/* SPDX-License-Identifier: MIT */
/* Input of a segmentation model: size, normalisation, names.
 *
 * It is derived from the model's signature, from the table of known networks (U²-Net, IS-Net,
 * BiRefNet, recognised by input size and last operation), and from a text file in the model's
 * folder, `NAME.ini` for `NAME.onnx`, whose lines `key = value` have precedence:
 *
 *   input, output        names; by default the model's first
 *   width, height        of the input, where the model leaves them open
 *   divide               255, another number, or max: the photo's brightest value
 *   mean, deviation      one number, or three for red, green and blue; after the division
 *   activation           none, or sigmoid where the network gives log-odds
 *
 * Each sample v of the photo becomes (v / divide − mean) / deviation.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_SUBJECT_MODEL_INPUT_H
#define FS_SUBJECT_MODEL_INPUT_H

#include "subject/onnx_signature.h"

G_BEGIN_DECLS

#define FS_MODEL_SIDE_MIN 8
#define FS_MODEL_SIDE_MAX 4096

typedef struct {
  char *input, *output;
  int width, height;
  double divide; /* 0: the photo's maximum */
  double mean[3], deviation[3];
  gboolean has_sigmoid; /* to be applied to the output */
  const char *network;  /* "U²-Net", …; NULL: none that is known */
} FsModelInput;

/* The path of the model `name`: a file of that name, or NAME or NAME.onnx in the folder of models,
 * fretsaw/models in the user's data folder. g_free. Errors: FS_SUBJECT_ERROR_MODEL. */
char *fs_model_find (const char *name, GError **error);

/* Errors: FS_SUBJECT_ERROR_MODEL, "NAME: reason" of the model or of its .ini. */
FsModelInput *fs_model_input_read (const char *path, GError **error);
void fs_model_input_free (FsModelInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsModelInput, fs_model_input_free)

/* Fills 3 · width · height samples, one plane each for red, green and blue, from width · height
 * pixels (0xAARRGGBB, energy/image/image.h). */
void fs_model_input_fill (const FsModelInput *input, const guint32 *pixels, float *samples);

G_END_DECLS

#endif
