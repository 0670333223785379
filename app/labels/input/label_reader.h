/* SPDX-License-Identifier: MIT */
/* Reading of labels in any of the known formats.   Layer: app.
 *
 *   COCO      a .json file: run lengths, packed ones, polygons
 *   labelme   a .json file, or a folder of them
 *   YOLO      a set's folder (data.yaml, labels/), its data.yaml, or one of its .txt files
 *   VOC       a set's folder (SegmentationObject/, SegmentationClass/), or a file of these
 *   masks     folders named after photos, in each CLASS-N.png
 *   PNG       an indexed picture, or a folder of them, with classes.txt beside
 *
 * Threads: one at a time per reader; blocks.
 */
#ifndef FS_APP_LABELS_INPUT_LABEL_READER_H
#define FS_APP_LABELS_INPUT_LABEL_READER_H

#include "app/labels/input/label_input.h"

G_BEGIN_DECLS

typedef struct _FsLabelReader FsLabelReader;

/* Errors: FS_LABEL_ERROR, "NAME: reason", also for what is of no known format. */
FsLabelReader *fs_label_reader_open (const char *path, GError **error);
/* The same for the text of one JSON file; `path` stands in messages. */
FsLabelReader *fs_label_reader_open_json (const char *path, json_t *root, GError **error);
void fs_label_reader_free (FsLabelReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelReader, fs_label_reader_free)

/* TRUE if a file's name looks like one of labels: .json, .txt, .yaml, .yml, .xml, or in a folder
 * of VOC. */
gboolean fs_label_reader_has_name (const char *path);
/* TRUE if a picture is an indexed one whose numbers may be classes. Reads its header and pixels. */
gboolean fs_label_reader_is_indexed (const char *path);

const char *fs_label_reader_get_path (const FsLabelReader *reader);
/* "COCO" */
const char *fs_label_reader_get_title (const FsLabelReader *reader);
/* TRUE if the set names no class itself, and has the names that its format usually has. */
gboolean fs_label_reader_has_usual_names (const FsLabelReader *reader);
guint fs_label_reader_get_n (const FsLabelReader *reader);
const FsLabelEntry *fs_label_reader_get (const FsLabelReader *reader, guint entry);
/* Counts of objects that belong to no photo, and of photos without a name. */
const FsLabelCounts *fs_label_reader_get_losses (const FsLabelReader *reader);

/* The entry of a photo: of its path, of its name, or of its name without the ending, in this order,
 * and then the same with names as paths of Windows; FALSE where there is none, or several. */
gboolean fs_label_reader_find (const FsLabelReader *reader, const char *photo_path, guint *entry);

/* The labels of an upright photo of this size. Where the set has another size of the same
 * proportions, to a pixel, each pixel is like the nearest one. Errors: FS_LABEL_ERROR, about
 * nothing but this photo. */
FsLabelReading *fs_label_reader_read (FsLabelReader *reader, guint entry, int width, int height,
                                      GError **error);
void fs_label_reading_free (FsLabelReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelReading, fs_label_reading_free)

G_END_DECLS

#endif
