/* Text for people goes through gettext: _("…") translates, N_("…") marks what a table holds, and
 * C_("context", "…") tells equal words of different meaning apart. The programs choose the language
 * when they begin; until then, and in tests, text stays as it is written.
 *
 * Numbers that people read follow the locale too, by printf; what programs read (JSON, CSV, tables
 * of a config) is written and read by g_ascii_formatd() and g_ascii_strtod() alone. */
#pragma once

#include <glib/gi18n-lib.h>

G_BEGIN_DECLS

/* "1 lesson" or "3 lessons": both have a place for the number. */
#define ol_ngettext(one, many, n) g_dngettext(GETTEXT_PACKAGE, one, many, n)

/* Language and numbers of the user. Translations are those of the folder that OFFLOAD_LAB_LOCALE
 * names, or else installed ones, or else the build tree's. Called once, by main(). */
void ol_intl_open(void);

G_END_DECLS
