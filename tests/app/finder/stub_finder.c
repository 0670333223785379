/* SPDX-License-Identifier: MIT */
/* A subject finder that does whatever it is told to: stub-finder WAY PHOTO MASK [STROKES].
 * Each run, and each process that it starts, adds its number to the file $STUB_FINDER_LOG. */
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *way, *photo, *mask, *strokes;

static int
is_way (const char *name)
{
  return strcmp (way, name) == 0;
}

static void
log_process (void)
{
  const char *path = getenv ("STUB_FINDER_LOG");
  FILE *file = path ? fopen (path, "a") : NULL;
  if (file) {
    fprintf (file, "%ld\n", (long)getpid ());
    fclose (file);
  }
}

/* --- pictures --------------------------------------------------------------------------------- */

static unsigned char *
read_picture (const char *path, png_image *picture, png_uint_32 format)
{
  *picture = (png_image){ .version = PNG_IMAGE_VERSION };
  if (!png_image_begin_read_from_file (picture, path))
    abort ();
  picture->format = format;
  unsigned char *pixels = malloc (PNG_IMAGE_SIZE (*picture));
  if (!pixels || !png_image_finish_read (picture, NULL, pixels, 0, NULL))
    abort ();
  return pixels;
}

static void
write_picture (const char *path, const unsigned char *pixels, png_uint_32 width, png_uint_32 height,
               png_uint_32 format)
{
  png_image picture = {
    .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = format
  };
  if (!png_image_write_to_file (&picture, path, 0, pixels, 0, NULL))
    abort ();
}

/* Object is what is rather red. */
static void
write_red (const char *path, png_uint_32 format)
{
  png_image picture;
  unsigned char *pixels = read_picture (photo, &picture, PNG_FORMAT_RGB);
  const size_t n = (size_t)picture.width * picture.height;
  const size_t n_channels = PNG_IMAGE_SAMPLE_CHANNELS (format);
  unsigned char *out = calloc (n, n_channels);
  for (size_t i = 0; i < n; i++)
    out[n_channels * i + n_channels - 1] = pixels[3 * i] > 127 ? 255 : 0;
  write_picture (path, out, picture.width, picture.height, format);
  free (out);
  free (pixels);
}

/* Object is what is painted so. */
static void
write_painted (void)
{
  png_image picture, other;
  unsigned char *labels = read_picture (strokes, &picture, PNG_FORMAT_GRAY);
  unsigned char *pixels = read_picture (photo, &other, PNG_FORMAT_RGB);
  if (other.width != picture.width || other.height != picture.height)
    abort ();
  for (size_t i = 0; i < (size_t)picture.width * picture.height; i++)
    labels[i] = labels[i] == 2 ? 255 : 0;
  write_picture (mask, labels, picture.width, picture.height, PNG_FORMAT_GRAY);
  free (labels);
  free (pixels);
}

/* What is rather red, if that is what is painted as object, and other things as background. */
static void
write_red_if_painted (void)
{
  png_image picture, other;
  unsigned char *labels = read_picture (strokes, &picture, PNG_FORMAT_GRAY);
  unsigned char *pixels = read_picture (photo, &other, PNG_FORMAT_RGB);
  size_t right[3] = { 0 }, wrong = 0;
  for (size_t i = 0; i < (size_t)picture.width * picture.height; i++)
    if (labels[i] == 1 || labels[i] == 2) {
      if ((labels[i] == 2) == (pixels[3 * i] > 127))
        right[labels[i]]++;
      else
        wrong++;
    }
  if (right[1] < 100 || right[2] < 20 || wrong > 0)
    abort ();
  write_red (mask, PNG_FORMAT_GRAY);
  free (labels);
  free (pixels);
}

static void
write_bytes (const void *bytes, size_t n)
{
  FILE *file = fopen (mask, "wb");
  if (!file || fwrite (bytes, 1, n, file) != n || fclose (file) != 0)
    abort ();
}

/* The first half of a good file. */
static void
write_half (void)
{
  struct stat facts;
  write_red (mask, PNG_FORMAT_GRAY);
  if (stat (mask, &facts) != 0 || truncate (mask, facts.st_size / 2) != 0)
    abort ();
}

static void
write_huge (void)
{
  static const unsigned char head[] =
      "\211PNG\r\n\032\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0\10\0\0\0\0I\357o\77\0\0\0\10IDAT12345678crc!";
  write_bytes (head, sizeof head - 1);
}

static void
write_other_size (void)
{
  static const unsigned char pixels[7 * 5] = { [17] = 255 };
  write_picture (mask, pixels, 7, 5, PNG_FORMAT_GRAY);
}

/* Under a name of its own, `mask` being a folder. */
static void
write_into_folder (const char *name)
{
  char *path = malloc (strlen (mask) + strlen (name) + 2);
  sprintf (path, "%s/%s", mask, name);
  write_red (path, PNG_FORMAT_GRAY);
  free (path);
}

/* --- behaviour -------------------------------------------------------------------------------- */

static void
hang (void)
{
  for (;;)
    pause ();
}

/* A process more, which holds the pipes open and ends by no request. */
static void
start_another (void)
{
  if (fork () == 0) {
    signal (SIGTERM, SIG_IGN);
    log_process ();
    hang ();
  }
}

static void
print_much (void)
{
  static char bytes[1 << 20];
  memset (bytes, 'x', sizeof bytes);
  for (int i = 0; i < 512; i++)
    for (int fd = 1; fd <= 2; fd++)
      for (size_t at = 0; at < sizeof bytes;) {
        ssize_t n = write (fd, bytes + at, sizeof bytes - at);
        if (n <= 0)
          abort ();
        at += (size_t)n;
      }
}

static int
fail (void)
{
  fprintf (stderr, "first\nTraceback (most recent call last):\n\n  10%%|#\r 100%%|##########\r\n");
  fprintf (stderr, "RuntimeError: no \033[31mmodel\033[0m\n");
  return 3;
}

static int
misbehave (void)
{
  if (is_way ("fail"))
    return fail ();
  if (is_way ("die"))
    raise (SIGKILL);
  if (is_way ("hang"))
    hang ();
  if (is_way ("stubborn")) {
    signal (SIGTERM, SIG_IGN);
    start_another ();
    hang ();
  }
  if (is_way ("empty"))
    write_bytes ("", 0);
  if (is_way ("garbage"))
    write_bytes ("P5 2 2 255 abcd and so on", 25);
  if (is_way ("half"))
    write_half ();
  if (is_way ("huge"))
    write_huge ();
  if (is_way ("pipe") && mkfifo (mask, 0600) != 0)
    abort ();
  if (is_way ("two")) {
    write_into_folder ("a.png");
    write_into_folder ("b.png");
  }
  return 0;
}

static int
behave (void)
{
  if (is_way ("red"))
    write_red (mask, PNG_FORMAT_GRAY);
  else if (is_way ("alpha"))
    write_red (mask, PNG_FORMAT_RGBA);
  else if (is_way ("strokes"))
    write_painted ();
  else if (is_way ("red-if-painted"))
    write_red_if_painted ();
  else if (is_way ("size"))
    write_other_size ();
  else if (is_way ("folder"))
    write_into_folder ("photo_map.png");
  else if (is_way ("much")) {
    print_much ();
    write_red (mask, PNG_FORMAT_GRAY);
  } else if (is_way ("orphan")) {
    start_another ();
    write_red (mask, PNG_FORMAT_GRAY);
  } else
    return misbehave ();
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    return 2;
  way = argv[1];
  photo = argv[2];
  mask = argv[3];
  strokes = argc > 4 ? argv[4] : NULL;
  log_process ();
  return behave ();
}
