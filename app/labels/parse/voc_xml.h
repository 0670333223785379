/* SPDX-License-Identifier: MIT */
/* The names of the objects in an annotation file of Pascal VOC.   Layer: app.
 *
 *   <annotation> … <object><name>cow</name> … </object> … </annotation>
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_PARSE_VOC_XML_H
#define FS_APP_LABELS_PARSE_VOC_XML_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_VOC_XML_MAX_OBJECTS 255
#define FS_VOC_XML_MAX_DEPTH   16

/* The names in the order of the file, "" for an object without one; NULL where it is no such file.
 * g_ptr_array_unref. */
GPtrArray *fs_voc_xml_parse (const char *text, gsize n_bytes);

G_END_DECLS

#endif
