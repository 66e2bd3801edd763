/* HTML of a GIFT text as plain text (quiz-private.h): one pass, no tree. Good for what an editor of
 * questions makes: paragraphs, lists, emphasis, entities. */
#include "lessons/quiz-private.h"

typedef struct {
  const char *name;
  const char *text;
} Entity;

static const Entity entities[] = {
    {"amp", "&"},   {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},
    {"nbsp", " "},  {"ndash", "–"},  {"mdash", "—"},  {"hellip", "…"}, {"lsquo", "‘"},
    {"rsquo", "’"}, {"ldquo", "“"},  {"rdquo", "”"},  {"times", "×"},  {"middot", "·"},
    {"rarr", "→"},  {"le", "≤"},     {"ge", "≥"},     {"ne", "≠"},     {"micro", "µ"},
    {"deg", "°"},   {"eacute", "é"}, {"egrave", "è"}, {"auml", "ä"},   {"ouml", "ö"},
    {"uuml", "ü"},  {"szlig", "ß"},
};

static const char *const blocks[] = {"br", "p",  "div", "li", "ul", "ol",  "tr",
                                     "h1", "h2", "h3",  "h4", "h5", "pre", NULL};
static const char *const media[] = {"img",    "audio",  "video",  "object", "embed",
                                    "iframe", "canvas", "script", "style",  NULL};

/* Whether a tag that begins at `<` has one of these names; the close of an element too. */
static gboolean is_tag_of(const char *tag, const char *const *names)
{
  tag += 1 + (tag[1] == '/');
  gsize length = 0;
  while (g_ascii_isalnum(tag[length]))
    length++;
  for (; *names != NULL; names++)
    if (strlen(*names) == length && g_ascii_strncasecmp(tag, *names, length) == 0)
      return TRUE;
  return FALSE;
}

/* The length of the tag that begins here, 0 when "<" is just a sign: "a < b". No tag holds another
 * "<", so a text of nothing but those is still read in one pass. */
static gsize tag_length(const char *at)
{
  const char *name = at + 1 + (at[1] == '/');
  if (!g_ascii_isalpha(*name) && *name != '!')
    return 0;
  const char *end = name + ol_quiz_span_until(name, "<>");
  return *end == '>' ? (gsize)(end - at) + 1 : 0;
}

/* The character that "&#8594;" or "&#x2192;" stands for, 0 when it is none that may stand in a
 * text. */
static gunichar numbered(const char *digits, const char *end)
{
  gboolean hex = *digits == 'x' || *digits == 'X';
  char *stop;
  guint64 c = g_ascii_strtoull(digits + hex, &stop, hex ? 16 : 10);
  if (stop != end || c < ' ' || c > 0x10ffff || c == 0xfeff)
    return 0;
  return g_unichar_validate((gunichar)c) && !g_unichar_iscntrl((gunichar)c) ? (gunichar)c : 0;
}

/* Appends what the entity at `at` stands for; its length, 0 when it is none. */
static gsize append_entity(GString *plain, const char *at)
{
  gsize length = ol_quiz_span_until(at + 1, "; &<\n");
  if (at[1 + length] != ';' || length == 0 || length > 8)
    return 0;
  if (at[1] == '#') {
    gunichar c = numbered(at + 2, at + 1 + length);
    if (c == 0)
      return 0;
    g_string_append_unichar(plain, c);
    return length + 2;
  }
  for (guint i = 0; i < G_N_ELEMENTS(entities); i++)
    if (strlen(entities[i].name) == length && !strncmp(at + 1, entities[i].name, length)) {
      g_string_append(plain, entities[i].text);
      return length + 2;
    }
  return 0;
}

static void append_break(GString *plain)
{
  while (plain->len > 0 && plain->str[plain->len - 1] == ' ')
    g_string_truncate(plain, plain->len - 1);
  if (plain->len > 0 && plain->str[plain->len - 1] != '\n')
    g_string_append_c(plain, '\n');
}

char *ol_quiz_dup_html_text(const char *html, gboolean *changed, gboolean *lost)
{
  GString *plain = g_string_new(NULL);
  while (*html != '\0') {
    gsize length = *html == '<' ? tag_length(html) : *html == '&' ? append_entity(plain, html) : 0;
    if (length == 0) {
      g_string_append_c(plain, *html++);
      continue;
    }
    *changed = TRUE;
    if (*html == '<' && is_tag_of(html, blocks))
      append_break(plain);
    if (*html == '<' && html[1] != '/' && is_tag_of(html, media))
      *lost = TRUE;
    html += length;
  }
  return g_strstrip(g_string_free(plain, FALSE));
}
