/* SPDX-License-Identifier: MIT */
/* Lists of classes from anywhere: classes that keep the promises of folder_classes.h, or one
 * sentence. What was read is written and read again the same, and merges with what it became. */
#include "app/folder/folder_classes.h"
#include "app/session/session.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define NAME "some.json"

static FsFolderClasses *
read_again (const FsFolderClasses *classes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = fs_folder_classes_to_text (classes);
  FsFolderClasses *again = fs_folder_classes_parse (NAME, text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_true (fs_folder_classes_equal (classes, again));
  return again;
}

static void
check_classes (const FsFolderClasses *classes)
{
  g_assert_cmpuint (classes->classes->len, <=, FS_FOLDER_CLASSES_MAX);
  for (guint i = 0; i < classes->classes->len; i++) {
    const FsFolderClass *one = fs_folder_classes_get (classes, i);
    g_assert_true (fs_session_is_label_name (one->name));
    g_assert_true (fs_folder_classes_find (classes, one->name) == one);
    g_assert_true (one->colour <= 0xffffff && one->key >= 0 && one->key <= 9);
    g_assert_true (one->key == 0 || fs_folder_classes_find_key (classes, one->key) == one);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsFolderClasses) classes =
      fs_folder_classes_parse (NAME, (const char *)bytes, n_bytes, &error);
  g_assert_true ((classes != NULL) == (error == NULL));
  if (!classes) {
    if (!photo_message_is_sound (error->message, NAME))
      g_error ("%s", error->message);
    return 0;
  }
  check_classes (classes);
  g_autoptr (FsFolderClasses) mine = read_again (classes);
  fs_folder_classes_add (mine, "added");
  if (mine->classes->len > 1)
    fs_folder_classes_remove (mine, fs_folder_classes_get (mine, 0)->name);
  g_autoptr (FsFolderClasses) merged = fs_folder_classes_merge (classes, mine, classes);
  check_classes (merged);
  g_assert_cmpuint (merged->classes->len, ==, mine->classes->len);
  fs_folder_classes_free (read_again (merged));
  return 0;
}

#define HEAD "{\"format\":\"fretsaw-classes-1\","

static const char *const texts[] = {
  HEAD "\"classes\":[]}",
  HEAD "\"classes\":[{\"name\":\"cat\"},{\"name\":\"d\\u00f6g\",\"key\":1,\"x\":[1.5]}]}",
  HEAD "\"by\":{\"a\":null},\"classes\":[{\"id\":\"0a\",\"name\":\"cat\",\"colour\":\"#Ff8000\","
       "\"key\":9},{\"id\":\"b-_\",\"name\":\"dog\",\"colour\":\"#000000\",\"key\":9}]}",
  HEAD "\"classes\":[{\"name\":\"cat\"},{\"name\":\"cat\"}]}",
  HEAD "\"classes\":[{\"name\":\"\",\"key\":10}]}",
  "{\"format\":\"fretsaw-classes-2\"}",
  "[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]",
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
