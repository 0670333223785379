/* SPDX-License-Identifier: MIT */
/* COCO's and labelme's files from anywhere: labels that lie in the photo, or one sentence. */
#include "app/labels/parse/label_file.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/label_checks.h"

#define NAME "some.json"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = fs_label_file_parse_json (NAME, (const char *)bytes, n_bytes, &error);
  g_autoptr (FsLabelReader) reader = root ? fs_label_reader_open_json (NAME, root, &error) : NULL;
  g_assert_true ((reader != NULL) == (error == NULL));
  if (reader)
    label_checks_read (reader, 12, 8);
  else if (!photo_message_is_sound (error->message, NAME))
    g_error ("%s", error->message);
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

#define IMAGE                                                                                      \
  "\"images\":[{\"id\":1,\"file_name\":\"a/p.jpg\",\"width\":12,\"height\":8},"                    \
  "{\"id\":\"x\",\"file_name\":\"q\"}]"
#define CATEGORIES "\"categories\":[{\"id\":3,\"name\":\"c\\u00e9 1\"},{\"id\":4,\"name\":\"d\"}]"
#define ANNOTATION(id, segmentation)                                                               \
  "{\"id\":" #id ",\"image_id\":1,\"category_id\":3,\"iscrowd\":1,\"segmentation\":" segmentation  \
  "}"
#define COCO(annotations) "{" IMAGE ",\"annotations\":[" annotations "]," CATEGORIES "}"
#define LABELME(shapes)                                                                            \
  "{\"imagePath\":\"..\\\\p.jpg\",\"imageWidth\":12,\"imageHeight\":8,\"shapes\":[" shapes "]}"
#define SHAPE(type, points, more)                                                                  \
  "{\"label\":\"a\",\"shape_type\":\"" type "\",\"points\":" points more "}"
#define PNG_2X2                                                                                    \
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNg+M/QIAAABRIBkLv81hkA"               \
  "AAAASUVORK5CYII="

static const char *const texts[] = {
  COCO (ANNOTATION (1, "{\"size\":[8,12],\"counts\":[9,3,84]}")),
  COCO (ANNOTATION (1, "{\"size\":[8,12],\"counts\":\"93d2\"}")),
  COCO (ANNOTATION (1, "{\"size\":[8,12],\"counts\":\"933N0n1\"}")),
  COCO (ANNOTATION (1, "[[1,1,5.5,1,5,6.25],[7,1,9,1,1e1,7,7,7]]") "," ANNOTATION (
      1, "[]") ","
               "{\"image_id\":\"x\",\"category_id\":4,"
               "\"segmentation\":[[0,0,3,0,3,3]]}"),
  LABELME (
      SHAPE ("polygon", "[[1,1],[5,1],[5,6]]",
             ",\"group_id\":2") "," SHAPE ("polygon", "[[7,1],[9,1],[9,6]]", ",\"group_id\":2")),
  LABELME (SHAPE ("rectangle", "[[1,1],[5,6]]", "") "," SHAPE ("circle", "[[5,5],[7,5]]", "")),
  LABELME (SHAPE ("mask", "[[3,2],[5,4]]", ",\"mask\":\"" PNG_2X2 "\"") "," SHAPE ("point",
                                                                                   "[[1,1]]", "")),
  "{\"a\":[1,2,{\"b\":null}]}",
  "[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]",
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
