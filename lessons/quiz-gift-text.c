/* Texts of GIFT: escapes, line breaks and the four markups. */
#include "lessons/quiz-gift.h"

#include "engine/base/intl.h"

static const struct {
  const char *prefix;
  OlGiftMarkup markup;
} markups[] = {
    {"[moodle]", OL_GIFT_MOODLE},
    {"[plain]", OL_GIFT_PLAIN},
    {"[html]", OL_GIFT_HTML},
    {"[markdown]", OL_GIFT_MARKDOWN},
};

OlGiftMarkup ol_gift_markup_of(const OlGiftBlock *block, const char **at, const char *end)
{
  const char *begin = *at;
  while (begin < end && strchr(" \t\n", *begin) != NULL)
    begin++;
  for (guint i = 0; i < G_N_ELEMENTS(markups); i++) {
    gsize length = strlen(markups[i].prefix);
    if ((gsize)(end - begin) < length || g_ascii_strncasecmp(begin, markups[i].prefix, length) != 0)
      continue;
    *at = begin + length;
    return markups[i].markup;
  }
  return block->markup;
}

/* A line break of the file, with the spaces around it; *at goes behind them. */
static void append_break(GString *text, const char **at, const char *end, gboolean lines)
{
  while (text->len > 0 && strchr(" \t", text->str[text->len - 1]) != NULL)
    g_string_truncate(text, text->len - 1);
  while (*at < end && strchr(" \t\n", **at) != NULL)
    (*at)++;
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c(text, lines ? '\n' : ' ');
}

char *ol_gift_dup_unescaped(const char *at, const char *end, gboolean lines)
{
  GString *text = g_string_sized_new((gsize)(end - at));
  while (at < end) {
    char next = at + 1 < end ? at[1] : '\0';
    if (*at == '\n') {
      append_break(text, &at, end, lines);
    } else if (*at == '\\' && next != '\0' && strchr("~=#{}:\\n", next) != NULL) {
      g_string_append_c(text, next == 'n' ? '\n' : next);
      at += 2;
    } else {
      g_string_append_c(text, *at++);
    }
  }
  return g_strstrip(g_string_free(text, FALSE));
}

static void note_markup(OlGiftBlock *block, const char *what)
{
  if (!block->told_markup)
    ol_quiz_note(block->notes, block->line, "%s", what);
  block->told_markup = TRUE;
}

char *ol_gift_dup_text(OlGiftBlock *block, const char *at, const char *end, gboolean lines)
{
  OlGiftMarkup markup = ol_gift_markup_of(block, &at, end);
  char *text = ol_gift_dup_unescaped(at, end, lines);
  if (markup == OL_GIFT_MARKDOWN)
    note_markup(block, _("its Markdown is shown as it is written"));
  if (markup != OL_GIFT_HTML)
    return text;
  g_autofree char *html = text;
  gboolean changed = FALSE, lost = FALSE;
  text = ol_quiz_dup_html_text(html, &changed, &lost);
  if (lost)
    note_markup(block, _("a picture, sound or the like in its HTML is left out: see whether the "
                         "question can be answered without"));
  else if (changed)
    note_markup(block, _("its HTML became plain text"));
  return text;
}
