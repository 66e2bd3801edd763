/* Text for people goes through gettext: _("…") translates, N_("…") marks what a table holds, and
 * C_("context", "…") tells equal words of different meaning apart. The programs choose the language
 * when they begin; until then, and in tests, text stays as it is written. */
#pragma once

#include <glib/gi18n-lib.h>

/* "1 lesson" or "3 lessons": both have a place for the number. */
#define ol_ngettext(one, many, n) g_dngettext(GETTEXT_PACKAGE, one, many, n)
