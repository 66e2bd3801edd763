/* Reads GIFT: divides the file into questions, and each into title, text and answers. */
#include "lessons/quiz-gift.h"

#include "engine/base/intl.h"

#define BLANK    " \t\n"
#define CATEGORY "$CATEGORY:"

/* Where in the file the reader is. */
typedef struct {
  const char *next;
  guint line; /* of `next` */
} Place;

typedef struct {
  Place at;
  OlQuiz *quiz;
  GPtrArray *notes;
  GString *block; /* the lines of the question under way */
  guint block_line;
  char *category; /* in force, as the file has it; or NULL */
} Gift;

const char *ol_gift_find(const char *at, const char *end, const char *set)
{
  for (; at < end; at++) {
    if (*at == '\\' && at + 1 < end)
      at++;
    else if (strchr(set, *at) != NULL)
      return at;
  }
  return end;
}

guint ol_gift_line_of(const OlGiftBlock *block, const char *at)
{
  guint line = block->line;
  for (const char *c = block->text; c < at; c++)
    line += *c == '\n';
  return line;
}

static gboolean is_comment(const char *line)
{
  line += ol_quiz_span(line, " \t");
  return line[0] == '/' && line[1] == '/';
}

static gboolean is_category(const char *line)
{
  line += ol_quiz_span(line, " \t");
  return g_ascii_strncasecmp(line, CATEGORY, strlen(CATEGORY)) == 0;
}

static gboolean is_blank(const char *line, gsize length)
{
  return ol_quiz_span(line, " \t") >= length;
}

static gboolean begins_title(const char *line)
{
  line += ol_quiz_span(line, " \t");
  return line[0] == ':' && line[1] == ':';
}

/* The line at the place, which goes behind it. */
static const char *take_line(Place *place, gsize *length)
{
  const char *line = place->next;
  *length = ol_quiz_span_until(line, "\n");
  place->next = line + *length + (line[*length] == '\n');
  place->line++;
  return line;
}

/* Braces of the question under way. */
typedef struct {
  gboolean open, closed;
  Place blank;        /* the first blank line inside of the open brace; next NULL: none yet */
  gsize blank_length; /* of the block before it */
} Braces;

/* Follows the braces through a line, which begins at `place`. FALSE when the line shows that the
 * open brace was never closed: behind a blank line another one opens, or a category begins. */
static gboolean follow_braces(Braces *braces, Place place, const char *line, gsize length,
                              gsize block_length)
{
  const char *end = line + length;
  if (braces->open && braces->blank.next == NULL && is_blank(line, length)) {
    braces->blank = place;
    braces->blank_length = block_length;
  }
  if (braces->open && braces->blank.next != NULL && is_category(line))
    return FALSE;
  for (const char *at = line; (at = ol_gift_find(at, end, "{}")) < end; at++) {
    if (*at == '{' && braces->open && braces->blank.next != NULL)
      return FALSE;
    braces->open = *at == '{';
    braces->closed |= *at == '}';
  }
  if (!braces->open)
    braces->blank.next = NULL;
  return TRUE;
}

/* What was never closed ends at its first blank line, so that the next question is not lost. */
static void give_back(Gift *gift, const Braces *braces)
{
  gift->at = braces->blank;
  g_string_truncate(gift->block, braces->blank_length);
}

/* `$CATEGORY: a/b`: its line alone, whether a blank line follows or not. */
static void read_category(Gift *gift, const char *line, gsize length)
{
  const char *colon = memchr(line, ':', length);
  g_free(gift->category);
  gift->category = g_strstrip(g_strndup(colon + 1, length - (gsize)(colon + 1 - line)));
  if (*gift->category == '\0')
    g_clear_pointer(&gift->category, g_free);
}

/* Whether the block ends before this line. One with its answers may: people forget blank lines. */
static gboolean ends_before(const Gift *gift, const Braces *braces, const char *line, gsize length)
{
  if (gift->block->len == 0 || braces->open)
    return FALSE;
  gboolean begins = begins_title(line) || ol_gift_find(line, line + length, "{") < line + length;
  return is_blank(line, length) || is_category(line) || (braces->closed && begins);
}

/* Whether a line is no part of a question: a comment, or a blank line or category before one. */
static gboolean pass_over(Gift *gift, const char *line, gsize length)
{
  gboolean inside = gift->block->len > 0;
  if (is_comment(line)) {
    if (inside)
      g_string_append_c(gift->block, '\n'); /* lines are still counted */
    return TRUE;
  }
  if (inside)
    return FALSE;
  if (is_category(line))
    read_category(gift, line, length);
  return is_category(line) || is_blank(line, length);
}

/* Collects the lines of the next question; FALSE at the end of the file. */
static gboolean next_block(Gift *gift)
{
  Braces braces = {FALSE};
  g_string_truncate(gift->block, 0);
  while (*gift->at.next != '\0') {
    Place before = gift->at;
    gsize length;
    const char *line = take_line(&gift->at, &length);
    if (pass_over(gift, line, length))
      continue;
    if (ends_before(gift, &braces, line, length)) {
      gift->at = before;
      return TRUE;
    }
    if (!follow_braces(&braces, before, line, length, gift->block->len)) {
      give_back(gift, &braces);
      return TRUE;
    }
    if (gift->block->len == 0)
      gift->block_line = before.line;
    g_string_append_len(gift->block, line, (gssize)length);
    g_string_append_c(gift->block, '\n');
  }
  if (braces.open && braces.blank.next != NULL)
    give_back(gift, &braces);
  return gift->block->len > 0;
}

/* `::title::` before the text; *at goes behind it. NULL without one. */
static char *read_title(OlGiftBlock *block, const char **at, const char *end)
{
  *at += ol_quiz_span(*at, BLANK);
  if (!begins_title(*at))
    return NULL;
  const char *begin = *at + 2;
  const char *close = begin;
  while ((close = ol_gift_find(close, end, ":{}")) < end && *close == ':' && close[1] != ':')
    close++;
  if (close == end || *close != ':') {
    ol_quiz_note(block->notes, block->line,
                 _("the title is never closed, so it is read as text: write ::title::"));
    return NULL;
  }
  *at = close + 2;
  char *title = ol_gift_dup_unescaped(begin, close, FALSE);
  if (*title == '\0')
    g_clear_pointer(&title, g_free);
  return title;
}

/* The text before the braces, with a gap where the answer belongs in the middle of it. */
static char *read_question_text(OlGiftBlock *block, const char *at, const char *open,
                                const char *close, const char *end)
{
  const char *unmarked = at;
  block->markup = ol_gift_markup_of(block, &unmarked, open);
  gboolean lines = block->markup != OL_GIFT_HTML;
  g_autofree char *before = ol_gift_dup_text(block, at, open, lines);
  g_autofree char *after = close < end ? ol_gift_dup_text(block, close + 1, end, lines) : NULL;
  if (after == NULL || *after == '\0')
    return g_steal_pointer(&before);
  gboolean apart = !g_unichar_ispunct(g_utf8_get_char(after)) || *after == '(';
  char *text =
      g_strconcat(before, *before != '\0' ? " " : "", "_____", apart ? " " : "", after, NULL);
  return text;
}

/* The braces of a block, or why it is no question. */
static const char *find_braces(const char *text, const char *end, const char **open,
                               const char **close)
{
  *open = ol_gift_find(text, end, "{}");
  if (*open == end)
    return _("it has no answers in braces (a description, in Moodle)");
  if (**open == '}')
    return _("a brace closes that was never opened: write \\} for the sign itself");
  *close = ol_gift_find(*open + 1, end, "{}");
  if (*close == end)
    return _("its brace is never closed: write } after the answers");
  if (**close == '{')
    return _("a second brace opens inside of the first: write \\{ for the sign itself");
  if (ol_gift_find(*close + 1, end, "{}") != end)
    return _("it has more than one pair of braces: only one is asked");
  return NULL;
}

static void read_block(Gift *gift)
{
  OlGiftBlock block = {.text = gift->block->str, .line = gift->block_line, .notes = gift->notes};
  const char *at = block.text, *end = block.text + gift->block->len;
  const char *open = NULL, *close = NULL;
  OlQuizDraft draft;
  ol_quiz_draft_begin(&draft, block.line);
  draft.question->name = read_title(&block, &at, end);
  draft.question->category = g_strdup(gift->category);
  const char *fault = find_braces(at, end, &open, &close);
  if (fault != NULL) {
    ol_quiz_note(gift->notes, block.line, _("the question is left out: %s"), fault);
    ol_quiz_draft_drop(&draft);
    return;
  }
  draft.question->text = read_question_text(&block, at, open, close, end);
  if (ol_gift_read_answers(&block, open + 1, close, &draft))
    ol_quiz_draft_end(&draft, gift->quiz, gift->notes);
  else
    ol_quiz_draft_drop(&draft);
}

/* One category for all gives the quiz its title, and need not be kept where that says it all. */
static void take_title(OlQuiz *quiz)
{
  const char *category = ol_gift_find_category(quiz);
  g_autofree char *title = category != NULL ? ol_gift_dup_category_title(category) : NULL;
  if (title == NULL || *title == '\0')
    return;
  g_autofree char *again = ol_gift_dup_title_category(title);
  gboolean says_all = g_str_equal(again, category);
  for (guint i = 0; says_all && i < quiz->questions->len; i++)
    g_clear_pointer(&((OlQuizQuestion *)quiz->questions->pdata[i])->category, g_free);
  g_free(quiz->title);
  quiz->title = g_steal_pointer(&title);
}

void ol_quiz_read_gift(const char *text, OlQuiz *quiz, GPtrArray *notes)
{
  Gift gift = {.at = {text, 1}, .quiz = quiz, .notes = notes, .block = g_string_new(NULL)};
  while (next_block(&gift))
    read_block(&gift);
  take_title(quiz);
  g_string_free(gift.block, TRUE);
  g_free(gift.category);
}

gboolean ol_quiz_is_gift_line(const char *line)
{
  const char *end = line + strlen(line);
  return is_category(line) || begins_title(line) || ol_gift_find(line, end, "{") < end;
}
