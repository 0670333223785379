/* SPDX-License-Identifier: MIT */
#include "app/backend/device_choice.h"

#define VARIABLE "CUDA_VISIBLE_DEVICES"

enum { MAX_DEVICES = 64 };

/* NULL where the environment does not say. */
static char **
list_named (void)
{
  const char *value = g_getenv (VARIABLE);
  if (!value)
    return NULL;
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);
  GPtrArray *named = g_ptr_array_new ();
  for (char **part = parts; *part; part++)
    if (*g_strstrip (*part) != '\0')
      g_ptr_array_add (named, g_strdup (*part));
  g_ptr_array_add (named, NULL);
  return (char **)g_ptr_array_free (named, FALSE);
}

static char *
name_device (int number, GError **error)
{
  g_auto (GStrv) named = list_named ();
  if (!named)
    return g_strdup_printf ("%d", number);
  const int n = (int)g_strv_length (named);
  if (number < n)
    return g_strdup (named[number]);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "device %d: " VARIABLE " has %d, which are counted from 0", number, n);
  return NULL;
}

gboolean
fs_device_choice_set (int number, GError **error)
{
  g_autofree char *name = name_device (number, error);
  return name && g_setenv (VARIABLE, name, TRUE);
}

char **
fs_device_choice_parse (const char *list, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (list, ",", -1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *const empty[] = { "", NULL };
  const char *const *part = *parts ? (const char *const *)parts : empty;
  for (; *part; part++) {
    guint64 number;
    if (!g_ascii_string_to_unsigned (*part, 10, 0, MAX_DEVICES - 1, &number, NULL)) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--devices takes numbers from 0 to %d with commas between them, not “%s”",
                   MAX_DEVICES - 1, list);
      return NULL;
    }
    char *name = name_device ((int)number, error);
    if (!name)
      return NULL;
    g_ptr_array_add (names, name);
  }
  g_ptr_array_add (names, NULL);
  g_ptr_array_set_free_func (names, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

char **
fs_device_choice_list (void)
{
  g_auto (GStrv) named = list_named ();
  if (!named) {
    GPtrArray *found = g_ptr_array_new ();
    for (int i = 0; i < MAX_DEVICES; i++) {
      g_autofree char *path = g_strdup_printf ("/dev/nvidia%d", i);
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        break;
      g_ptr_array_add (found, g_strdup_printf ("%d", i));
    }
    g_ptr_array_add (found, NULL);
    named = (char **)g_ptr_array_free (found, FALSE);
  }
  return g_strv_length (named) > 1 ? g_steal_pointer (&named) : NULL;
}

void
fs_device_choice_assign (const char *const *devices, int worker)
{
  if (devices)
    g_setenv (VARIABLE, devices[(guint)worker % g_strv_length ((GStrv)devices)], TRUE);
}
