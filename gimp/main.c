/* SPDX-License-Identifier: MIT */
/* Composition root of the plug-in for GIMP 2.10: a layer is cut out in Fretsaw's window.
 *
 * The strokes are kept with the layer, in a parasite "fretsaw-session": the layer's width and
 * height, a line feed, and the session's file. */
#include "gimp/layer_alpha.h"
#include "gimp/window_run.h"

#include <glib/gi18n.h>
#include <libgimp/gimp.h>
#include <locale.h>
#include <string.h>

#define MASK_PROCEDURE   "plug-in-fretsaw-mask"
#define SELECT_PROCEDURE "plug-in-fretsaw-select"
#define PARASITE         "fretsaw-session"

/* ---- Strokes ---- */

static char *
make_head (gint32 layer)
{
  return g_strdup_printf ("%d %d\n", gimp_drawable_width (layer), gimp_drawable_height (layer));
}

/* Those of a layer that has another size now lie elsewhere; they are left out. */
static gboolean
write_session (gint32 layer, const FsWindowRun *run, GError **error)
{
  GimpParasite *parasite = gimp_item_get_parasite (layer, PARASITE);
  g_autofree char *head = make_head (layer);
  g_autofree char *path = fs_window_run_get_path (run, FS_WINDOW_RUN_SESSION);
  const gsize n_head = strlen (head);
  gboolean done = TRUE;
  if (parasite != NULL && gimp_parasite_data_size (parasite) > (glong)n_head
      && memcmp (gimp_parasite_data (parasite), head, n_head) == 0)
    done = g_file_set_contents (path, (const char *)gimp_parasite_data (parasite) + n_head,
                                gimp_parasite_data_size (parasite) - (glong)n_head, error);
  if (parasite != NULL)
    gimp_parasite_free (parasite);
  return done;
}

/* Without strokes, as from another program in place of Fretsaw, the earlier ones stay. */
static void
keep_session (gint32 layer, const FsWindowRun *run)
{
  g_autofree char *path = fs_window_run_get_path (run, FS_WINDOW_RUN_SESSION);
  g_autofree char *session = NULL;
  if (!g_file_get_contents (path, &session, NULL, NULL))
    return;
  g_autofree char *head = make_head (layer);
  g_autofree char *data = g_strconcat (head, session, NULL);
  GimpParasite *parasite =
      gimp_parasite_new (PARASITE, GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                         (guint32)strlen (data), data);
  gimp_item_attach_parasite (layer, parasite);
  gimp_parasite_free (parasite);
}

/* ---- One run ---- */

static gboolean
return_alpha (gint32 image, gint32 layer, gboolean as_mask, const FsWindowRun *run, GError **error)
{
  g_autofree char *path = fs_window_run_get_path (run, FS_WINDOW_RUN_CUTOUT);
  FsLayerAlpha alpha = { 0 };
  if (!fs_layer_read_alpha (&alpha, layer, path, error))
    return FALSE;
  gimp_image_undo_group_start (image);
  const gboolean done =
      as_mask ? fs_layer_set_mask (image, layer, &alpha) : fs_layer_select (image, layer, &alpha);
  if (done)
    keep_session (layer, run);
  gimp_image_undo_group_end (image);
  fs_layer_alpha_clear (&alpha);
  if (!done)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                         as_mask ? _ ("The layer cannot have a mask.")
                                 : _ ("The cut-out could not be selected."));
  return done;
}

static gboolean
cut_out (gint32 image, gint32 drawable, gboolean as_mask, const char *program, GError **error)
{
  FsWindowRun run = { 0 };
  gboolean is_applied = FALSE;
  if (!gimp_item_is_layer (drawable)) {
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                         _ ("Choose a layer to cut out, not a mask or a channel."));
    return FALSE;
  }
  gimp_progress_init (_ ("Waiting for Fretsaw"));
  gboolean done = fs_window_run_init (&run, error);
  if (done) {
    g_autofree char *photo = fs_window_run_get_path (&run, FS_WINDOW_RUN_PHOTO);
    done = fs_layer_save_png (image, drawable, photo, error)
           && write_session (drawable, &run, error)
           && fs_window_run_wait (&run, program, &is_applied, error)
           && (!is_applied || return_alpha (image, drawable, as_mask, &run, error));
  }
  fs_window_run_clear (&run);
  gimp_progress_end ();
  gimp_displays_flush ();
  return done;
}

/* ---- The plug-in ---- */

static void
install (const char *name, const char *blurb, const char *menu)
{
  static const GimpParamDef parameters[] = {
    { GIMP_PDB_INT32, (char *)"run-mode",
      (char *)"The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1) }" },
    { GIMP_PDB_IMAGE, (char *)"image", (char *)"The image" },
    { GIMP_PDB_DRAWABLE, (char *)"drawable", (char *)"The layer" },
    { GIMP_PDB_STRING, (char *)"program",
      (char *)"The program that opens the window; empty: fretsaw. Only when not interactive" },
  };
  gimp_install_procedure (name, blurb,
                          N_ ("Opens the layer in Fretsaw's window, with the strokes of the last "
                              "time, and waits until it is closed. Closed without Apply it changes "
                              "nothing."),
                          "Fretsaw", "Fretsaw", "2026", N_ ("Cut Out with _Fretsaw…"),
                          "RGB*, GRAY*, INDEXED*", GIMP_PLUGIN, G_N_ELEMENTS (parameters), 0,
                          parameters, NULL);
  gimp_plugin_menu_register (name, menu);
}

static void
query (void)
{
  gimp_plugin_domain_register (GETTEXT_PACKAGE, LOCALEDIR);
  install (MASK_PROCEDURE, N_ ("Give the layer a mask that cuts an object out, painted in Fretsaw"),
           "<Image>/Layer/Mask");
  install (SELECT_PROCEDURE, N_ ("Select an object of the layer, painted in Fretsaw"),
           "<Image>/Select");
}

static void
run (const gchar *name, gint n_params, const GimpParam *param, gint *n_return_vals,
     GimpParam **return_vals)
{
  static GimpParam values[2];
  GError *error = NULL;
  *n_return_vals = 1;
  *return_vals = values;
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = GIMP_PDB_SUCCESS;
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  gegl_init (NULL, NULL);
  const gboolean is_alone = n_params > 3 && param[0].data.d_int32 == GIMP_RUN_NONINTERACTIVE;
  if (n_params < 3) {
    values[0].data.d_status = GIMP_PDB_CALLING_ERROR;
  } else if (!cut_out (param[1].data.d_image, param[2].data.d_drawable,
                       strcmp (name, MASK_PROCEDURE) == 0, is_alone ? param[3].data.d_string : "",
                       &error)) {
    /* GIMP shows it. */
    values[0].data.d_status = GIMP_PDB_EXECUTION_ERROR;
    values[1].type = GIMP_PDB_STRING;
    values[1].data.d_string = error->message;
    *n_return_vals = 2;
  }
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, NULL, query, run };

MAIN ()
