/* SPDX-License-Identifier: MIT */
/* Input and output of an image format's writer: the rows of an export, and a sink for its bytes.
 * Layer: app.
 *
 * Threads: any, one at a time.
 */
#ifndef FS_APP_EXPORT_EXPORT_ROWS_H
#define FS_APP_EXPORT_EXPORT_ROWS_H

#include "app/export/export_edge.h"
#include "app/files/file_error.h"
#include "app/photo/photo.h"

G_BEGIN_DECLS

typedef struct {
  /* Takes every byte or sets an error. */
  gboolean (*write) (gpointer user_data, const void *bytes, gsize n_bytes, GError **error);
  /* Called every few rows; FALSE with an error stops. */
  gboolean (*rows_done) (gpointer user_data, int n_rows, int n_all, GError **error);
  gpointer user_data;
} FsExportSink;

/* Writes `what` in one format. `name` goes into messages. Errors: the sink's, or
 * FS_EXPORT_ERROR_WRITE where the format cannot hold it or memory is short. */
typedef gboolean (*FsExportWriter) (const FsExport *what, const char *name,
                                    const FsExportSink *sink, GError **error);

typedef struct {
  const FsExport *what;
  FsRect area;               /* that is written */
  int width, height;         /* of it */
  int n_channels;            /* 4: red, green, blue, straight alpha; 3: without alpha, on a
                              * background; 1: as the kind says */
  int bits;                  /* of a channel: 8 or 16, in the machine's byte order       */
  FsPhotoMetadata *metadata; /* of the photo of a cut-out, or NULL */
  GBytes *profile;           /* ICC profile of its RGB colours, or NULL */
  gboolean is_colour_lost;   /* its colours cannot be expressed by a profile */
  FsExportRefinement
      *refinement;     /* where `what` has none and area and edge both need it; or NULL */
  FsExportEdge *edge;  /* or NULL */
  FsImage *background; /* of the area, or NULL */
  FsPhotoSamples *own; /* the photo's, of a cut-out with 16 bits; or NULL */
  uint8_t *row;
} FsExportRows;

/* For a format that has up to max_bits a channel. `name` is the file's, for notes. FALSE where
 * memory is short. To be cleared in any case. */
gboolean fs_export_rows_init (FsExportRows *rows, const FsExport *what, const char *name,
                              int max_bits);
void fs_export_rows_clear (FsExportRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsExportRows, fs_export_rows_clear)

/* width·n_channels samples, which may be changed, valid until the next call; NULL where memory is
 * short. */
uint8_t *fs_export_rows_get (FsExportRows *rows, int y);

/* Notes, in FsExport's, that the file called `name` lacks something: a sentence with its name. */
void fs_export_rows_note (const FsExportRows *rows, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Notes, if is_colour_lost, that a file in `format` ("TIFF") has no colour profile. */
void fs_export_rows_note_colour (const FsExportRows *rows, const char *name, const char *format);

/* The photo's Exif block, if it is to be written; owned by the rows. NULL, with a note, where that
 * is not possible. */
GBytes *fs_export_rows_get_block (const FsExportRows *rows, const char *name);

/* The colours that labels are shown in: red, green and blue of each. */
void fs_export_fill_palette (uint8_t palette[256][3]);

/* Mask and strokes of one object alone, from n pixels of `numbers` and of the labels as painted.
 * `mask` gets 1 where the object is, else 0. `own_marks` gets its strokes as FS_SEED_OBJECT, all
 * other strokes and the pixels of other objects as FS_SEED_BACKGROUND, so that a soft edge shows
 * nothing of them. Both planes of strokes may be NULL. */
void fs_export_pick_object (const uint8_t *numbers, const uint8_t *marks, size_t n, uint8_t label,
                            uint8_t *mask, uint8_t *own_marks);

/* Appends text of an element or an attribute; without what XML 1.0 cannot hold. */
void fs_export_append_xml (GString *text, const char *value);

/* Sets FS_EXPORT_ERROR_WRITE. */
void fs_export_fail_for_memory (const char *name, GError **error);

G_END_DECLS

#endif
