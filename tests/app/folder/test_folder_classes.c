/* SPDX-License-Identifier: MIT */
/* Classes of a folder: what is read and refused, and that two people who edit them lose nothing. */
#include "app/folder/folder_classes.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD "{ \"format\": \"fretsaw-classes-1\", \"classes\": "

static FsFolderClasses *
parse (const char *text, GError **error)
{
  return fs_folder_classes_parse ("c.json", text, strlen (text), error);
}

static FsFolderClasses *
make (const char *const *names)
{
  FsFolderClasses *classes = fs_folder_classes_new ();
  for (; *names; names++)
    g_assert_true (fs_folder_classes_add (classes, *names));
  return classes;
}

/* "cat 1, dog 2": names with keys. g_free. */
static char *
say (const FsFolderClasses *classes)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < classes->classes->len; i++) {
    const FsFolderClass *one = fs_folder_classes_get (classes, i);
    g_string_append_printf (text, "%s%s %d", i > 0 ? ", " : "", one->name, one->key);
  }
  return g_string_free (text, FALSE);
}

static void
expect (const FsFolderClasses *classes, const char *expected)
{
  g_autofree char *said = say (classes);
  g_assert_cmpstr (said, ==, expected);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void
test_reads (void)
{
  g_autoptr (FsFolderClasses) classes =
      parse (HEAD "[ { \"name\": \"cat\", \"x\": [1] }, { \"id\": \"k\", \"name\": \"dog\", "
                  "\"colour\": \"#010203\", \"key\": 7 } ], \"team\": \"blue\" }",
             NULL);
  expect (classes, "cat 0, dog 7");
  g_assert_cmphex (fs_folder_classes_get (classes, 1)->colour, ==, 0x010203);
  g_autofree char *text = fs_folder_classes_to_text (classes);
  g_autofree char *id = g_strdup_printf ("\"id\": \"%s\"", fs_folder_classes_get (classes, 0)->id);
  g_assert_nonnull (strstr (text, id));
  g_assert_nonnull (strstr (text, "\"x\": [1]"));
  g_assert_nonnull (strstr (text, "\"team\": \"blue\""));
  /* A class a line. */
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
}

static void
test_refuses (void)
{
  const struct {
    const char *text, *reason;
    FsFolderError code;
  } cases[] = {
    { "", "damaged", FS_FOLDER_ERROR_FORMAT },
    { "{ \"format\": \"x\" }", "format", FS_FOLDER_ERROR_FORMAT },
    { HEAD "7 }", "classes is not an array", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ 7 ] }", "classes[0] is not an object", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { } ] }", "classes[0].name", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\\u0000b\" } ] }", "damaged", FS_FOLDER_ERROR_FORMAT },
    { HEAD "[ { \"name\": \"a\\nb\" } ] }", "classes[0].name", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\" }, { \"name\": \"a\" } ] }", "another", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\", \"id\": \"\" } ] }", "classes[0].id", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\", \"key\": 0 } ] }", "classes[0].key", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\", \"key\": \"1\" } ] }", "classes[0].key", FS_FOLDER_ERROR_INVALID },
    { HEAD "[ { \"name\": \"a\", \"colour\": \"#12345\" } ] }", "colour", FS_FOLDER_ERROR_INVALID },
    { HEAD "[], \"x\": [[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]] }", "larger", FS_FOLDER_ERROR_LIMIT },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (parse (cases[i].text, &error));
    g_assert_error (error, FS_FOLDER_ERROR, (int)cases[i].code);
    g_assert_true (g_str_has_prefix (error->message, "c.json: "));
    g_assert_nonnull (strstr (error->message, cases[i].reason));
  }
}

static void
test_edits (void)
{
  g_autoptr (FsFolderClasses) classes = make ((const char *[]){ "cat", " dog ", NULL });
  expect (classes, "cat 1, dog 2");
  g_assert_false (fs_folder_classes_add (classes, "dog"));
  g_assert_false (fs_folder_classes_add (classes, "  "));
  g_assert_false (fs_folder_classes_rename (classes, "cat", "dog"));
  g_assert_true (fs_folder_classes_rename (classes, "cat", "tom"));
  /* Its id is that of "cat" still. */
  g_assert_true (fs_folder_classes_add (classes, "cat"));
  fs_folder_classes_remove (classes, "dog");
  g_assert_true (fs_folder_classes_add (classes, "cow"));
  expect (classes, "tom 1, cat 3, cow 2");
  g_assert_cmpstr (fs_folder_classes_find_key (classes, 2)->name, ==, "cow");
  g_autofree char *text = fs_folder_classes_to_text (classes);
  g_autoptr (FsFolderClasses) again = parse (text, NULL);
  g_assert_true (fs_folder_classes_equal (classes, again));
}

/* --- Merging ---------------------------------------------------------------------------------- */

static void
test_merges (void)
{
  g_autoptr (FsFolderClasses) base = make ((const char *[]){ "cat", "dog", "cow", "hen", NULL });
  g_autoptr (FsFolderClasses) mine = fs_folder_classes_copy (base);
  g_autoptr (FsFolderClasses) theirs = fs_folder_classes_copy (base);
  fs_folder_classes_rename (mine, "cat", "tomcat"); /* one side's name */
  fs_folder_classes_set_colour (theirs, "cat", 0x111111);
  fs_folder_classes_rename (mine, "dog", "hound"); /* two new names */
  fs_folder_classes_rename (theirs, "dog", "pup");
  fs_folder_classes_remove (mine, "cow");               /* removed by one side */
  fs_folder_classes_remove (theirs, "hen");             /* removed and changed */
  fs_folder_classes_set_colour (mine, "hen", 0x222222); /* … */
  fs_folder_classes_add (mine, "pig");                  /* added by both, with the same key */
  fs_folder_classes_add (theirs, "owl");
  g_autoptr (FsFolderClasses) merged = fs_folder_classes_merge (base, mine, theirs);
  expect (merged, "tomcat 1, pup 2, owl 4, hound 5, hen 6, pig 3");
  g_assert_cmphex (fs_folder_classes_find (merged, "tomcat")->colour, ==, 0x111111);
  g_assert_cmphex (fs_folder_classes_find (merged, "hen")->colour, ==, 0x222222);
}

static void
test_same_additions (void)
{
  g_autoptr (FsFolderClasses) mine = make ((const char *[]){ "cat", "dog", NULL });
  g_autoptr (FsFolderClasses) theirs = make ((const char *[]){ "dog", "cow", NULL });
  g_autoptr (FsFolderClasses) merged = fs_folder_classes_merge (NULL, mine, theirs);
  g_assert_cmpuint (merged->classes->len, ==, 3);
  g_autoptr (FsFolderClasses) base = make ((const char *[]){ "cat", NULL });
  g_autoptr (FsFolderClasses) renamed = fs_folder_classes_copy (base);
  g_autoptr (FsFolderClasses) added = fs_folder_classes_copy (base);
  fs_folder_classes_rename (renamed, "cat", "dog");
  fs_folder_classes_add (added, "dog");
  g_autoptr (FsFolderClasses) one = fs_folder_classes_merge (base, renamed, added);
  g_assert_cmpuint (one->classes->len, ==, 1);
}

typedef struct {
  FsFolderClasses *base, *mine;
} Person;

static void
edit (Person *person, GHashTable *removed, GRand *random)
{
  const guint n = person->mine->classes->len;
  g_autofree char *fresh = g_strdup_printf ("new %x", g_rand_int (random));
  const char *name =
      n > 0
          ? fs_folder_classes_get (person->mine, (guint)g_rand_int_range (random, 0, (int)n))->name
          : "";
  const int choice = g_rand_int_range (random, 0, 8);
  if (choice < 3 || n == 0) {
    g_assert_true (fs_folder_classes_add (person->mine, fresh));
  } else if (choice < 5) {
    g_hash_table_add (removed, g_strdup (name));
    g_assert_true (fs_folder_classes_rename (person->mine, name, fresh));
  } else if (choice < 6) {
    g_hash_table_add (removed, g_strdup (name));
    fs_folder_classes_remove (person->mine, name);
  } else {
    fs_folder_classes_set_colour (person->mine, name, g_rand_int (random));
  }
}

static void
save (Person *person, const char *folder)
{
  g_autoptr (GError) error = NULL;
  FsFolderClasses *now = fs_folder_classes_save (folder, person->base, person->mine, &error);
  g_assert_no_error (error);
  fs_folder_classes_free (person->base);
  fs_folder_classes_free (person->mine);
  person->base = now;
  person->mine = fs_folder_classes_copy (now);
}

/* The model: a name stays in the file, unless somebody has removed or renamed it. */
static void
test_two_people (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GHashTable) removed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Person people[2] = { { NULL, fs_folder_classes_new () }, { NULL, fs_folder_classes_new () } };
  for (int round = 0; round < 400; round++) {
    Person *person = &people[g_rand_int_range (random, 0, 2)];
    /* So few that all fit. */
    if (person->mine->classes->len < 100)
      edit (person, removed, random);
    if (g_rand_int_range (random, 0, 3) != 0)
      continue;
    save (person, folder);
    for (guint i = 0; i < person->mine->classes->len; i++)
      g_hash_table_add (known, g_strdup (fs_folder_classes_get (person->mine, i)->name));
    GHashTableIter names;
    gpointer name;
    g_hash_table_iter_init (&names, known);
    while (g_hash_table_iter_next (&names, &name, NULL))
      if (!g_hash_table_contains (removed, name))
        g_assert_nonnull (fs_folder_classes_find (person->mine, name));
  }
  /* Once both have saved they have the same. */
  save (&people[0], folder);
  save (&people[1], folder);
  save (&people[0], folder);
  g_assert_true (fs_folder_classes_equal (people[0].mine, people[1].mine));
  g_assert_cmpuint (people[0].mine->classes->len, >, 20);
  for (int i = 0; i < 2; i++) {
    fs_folder_classes_free (people[i].base);
    fs_folder_classes_free (people[i].mine);
  }
  g_autofree char *path = fs_folder_classes_path (folder);
  g_remove (path);
  g_rmdir (folder);
}

/* A file that cannot be read is not replaced. */
static void
test_damaged_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  g_autofree char *path = fs_folder_classes_path (folder);
  g_autoptr (FsFolderClasses) mine = make ((const char *[]){ "cat", NULL });
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_folder_classes_is_there (folder));
  g_assert_true (g_file_set_contents (path, "<<<<<<< HEAD", -1, NULL));
  g_assert_true (fs_folder_classes_is_there (folder));
  g_assert_null (fs_folder_classes_save (folder, NULL, mine, &error));
  g_assert_error (error, FS_FOLDER_ERROR, FS_FOLDER_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "<<<<<<< HEAD");
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder-classes/reads", test_reads);
  g_test_add_func ("/folder-classes/refuses", test_refuses);
  g_test_add_func ("/folder-classes/edits", test_edits);
  g_test_add_func ("/folder-classes/merges", test_merges);
  g_test_add_func ("/folder-classes/same-additions", test_same_additions);
  g_test_add_func ("/folder-classes/two-people", test_two_people);
  g_test_add_func ("/folder-classes/damaged-file", test_damaged_file);
  return g_test_run ();
}
