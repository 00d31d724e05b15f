/*
 * Where the project's own data lies: devices, primitives, firmware, studies.
 *
 * Law: its root is $UJOULE_ROOT if that is set; else the nearest folder at or above the program's
 * own that holds devices/boards; else the source tree that the program was built from.
 */
#ifndef UJ_BASE_FOLDER_H
#define UJ_BASE_FOLDER_H

#include "base/err.h"

/* The path of the folder `name` ("devices"); free it. UJ_ERR_IO with the places tried if there is
 * none. */
enum uj_err uj_folder(struct uj_ctx *ctx, char **out, const char *name) UJ_CHECK;

#endif
