/* The rows of a table of fields, by kind. Whoever includes this has defined OL_FIELDS_OF, the
 * struct that the table reads into. */
#pragma once

#include "engine/config/fields-private.h"

#define FIELD(path, kind, member, nullable, least, most)                                           \
  {                                                                                                \
    path, kind, G_STRUCT_OFFSET(OL_FIELDS_OF, member), nullable, least, most, NULL, 0              \
  }
#define TEXT(path, member, nullable, most) FIELD(path, OL_FIELD_TEXT, member, nullable, 0, most)
#define PLACE(path, member)                FIELD(path, OL_FIELD_TEXT, member, TRUE, 1, 4096)
#define NAME(path, member, nullable)       FIELD(path, OL_FIELD_NAME, member, nullable, 1, 64)
#define FLAG(path, member)                 FIELD(path, OL_FIELD_FLAG, member, FALSE, 0, 1)
#define COUNT(path, member, least, most)   FIELD(path, OL_FIELD_COUNT, member, FALSE, least, most)
#define COUNT_OR_NULL(path, member, least, most)                                                   \
  FIELD(path, OL_FIELD_COUNT, member, TRUE, least, most)
#define LARGE_COUNT(path, member, least, most)                                                     \
  FIELD(path, OL_FIELD_SEED, member, FALSE, least, most)
#define NUMBER(path, member, least, most) FIELD(path, OL_FIELD_NUMBER, member, FALSE, least, most)
#define NUMBER_OR_NULL(path, member, least, most)                                                  \
  FIELD(path, OL_FIELD_NUMBER, member, TRUE, least, most)
#define CHOICE_OF(path, member, nullable, nicks, n)                                                \
  {                                                                                                \
    path, OL_FIELD_CHOICE, G_STRUCT_OFFSET(OL_FIELDS_OF, member), nullable, 0, (n)-1, nicks, n     \
  }
#define CHOICE(path, member, nicks) CHOICE_OF(path, member, FALSE, nicks, G_N_ELEMENTS(nicks))
