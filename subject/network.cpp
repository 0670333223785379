/* SPDX-License-Identifier: MIT */
#include "subject/network.h"

#include "app/files/display_name.h"

#include <exception>
#include <new>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <string.h>

struct FsNetwork {
  cv::dnn::Net net;
  char *name;
};

static int
keep_quiet (int, const char *, const char *, const char *, int, void *)
{
  return 0;
}

/* What was thrown, on one line. */
static char *
describe (const std::exception &thrown)
{
  const cv::Exception *own = dynamic_cast<const cv::Exception *> (&thrown);
  if (dynamic_cast<const std::bad_alloc *> (&thrown) || (own && own->code == cv::Error::StsNoMem))
    return g_strdup ("not enough memory");
  GString *line = g_string_new (NULL);
  char **words = g_strsplit_set (own ? own->err.c_str () : thrown.what (), " \t\r\n", -1);
  for (char **word = words; *word; word++)
    if (**word && strcmp (*word, ">") != 0)
      g_string_append_printf (line, "%s%s", line->len ? " " : "", *word);
  g_strfreev (words);
  char *text = g_string_free (line, FALSE);
  char *shown = fs_display_name (text);
  g_free (text);
  return shown;
}

static void
set_error (GError **error, FsSubjectError code, const char *name, const char *what,
           const std::exception &thrown)
{
  char *reason = describe (thrown);
  g_set_error (error, FS_SUBJECT_ERROR, code, "%s: OpenCV %s %s: %s", name, CV_VERSION, what,
               reason);
  g_free (reason);
}

const char *
fs_network_get_version (void)
{
  return CV_VERSION;
}

FsNetwork *
fs_network_open (const char *path, GError **error)
{
  FsNetwork *network = new FsNetwork ();
  network->name = fs_display_name (path);
  cv::redirectError (keep_quiet);
  cv::utils::logging::setLogLevel (cv::utils::logging::LOG_LEVEL_SILENT);
  try {
    network->net = cv::dnn::readNetFromONNX (path);
    network->net.setPreferableBackend (cv::dnn::DNN_BACKEND_OPENCV);
    return network;
  } catch (const std::exception &thrown) {
    set_error (error, FS_SUBJECT_ERROR_MODEL, network->name, "cannot take this model", thrown);
  }
  fs_network_free (network);
  return NULL;
}

void
fs_network_free (FsNetwork *network)
{
  if (!network)
    return;
  g_free (network->name);
  delete network;
}

/* Shapes 1 × 1 × height × width, and those with fewer ones before. */
static bool
take_plane (const cv::Mat &out, FsNetworkPlane *plane)
{
  if (out.dims < 2 || out.type () != CV_32F || !out.isContinuous ())
    return false;
  plane->height = out.size[out.dims - 2];
  plane->width = out.size[out.dims - 1];
  if (plane->width < 1 || plane->height < 1
      || out.total () != (size_t)plane->width * (size_t)plane->height)
    return false;
  plane->values = (float *)g_try_malloc (out.total () * sizeof (float));
  if (!plane->values)
    throw std::bad_alloc ();
  memcpy (plane->values, out.ptr<float> (), out.total () * sizeof (float));
  return true;
}

gboolean
fs_network_run (FsNetwork *network, const char *input, const char *output, const float *samples,
                int width, int height, FsNetworkPlane *plane, GError **error)
{
  const int sizes[] = { 1, 3, height, width };
  try {
    cv::Mat in (4, sizes, CV_32F, const_cast<float *> (samples));
    network->net.setInput (in, input);
    if (take_plane (network->net.forward (output), plane))
      return TRUE;
    g_set_error (error, FS_SUBJECT_ERROR, FS_SUBJECT_ERROR_RUN,
                 "%s: its output is not one plane of numbers, so no mask", network->name);
  } catch (const std::exception &thrown) {
    set_error (error, FS_SUBJECT_ERROR_RUN, network->name, "cannot run this model", thrown);
  }
  return FALSE;
}

gboolean
fs_network_scale_photo (const FsImage *photo, int width, int height, guint32 *pixels,
                        GError **error)
{
  const bool shrinks = (gint64)width * height < (gint64)photo->width * photo->height;
  try {
    const cv::Mat from (photo->height, photo->width, CV_8UC4, photo->pixels);
    cv::Mat to (height, width, CV_8UC4, pixels);
    cv::resize (from, to, to.size (), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
    return TRUE;
  } catch (const std::exception &thrown) {
    set_error (error, FS_SUBJECT_ERROR_RUN, "the photo", "cannot scale it", thrown);
  }
  return FALSE;
}
