/* The answers of a GIFT question: which of Moodle's types it is, and the options of those that have
 * some. */
#include "lessons/quiz-gift.h"

#include "engine/base/intl.h"

typedef struct {
  const char *at, *end;
} Span;

static Span trimmed(Span span)
{
  while (span.at < span.end && g_ascii_isspace(*span.at))
    span.at++;
  while (span.end > span.at && g_ascii_isspace(span.end[-1]))
    span.end--;
  return span;
}

/* The unescaped "####" that begins the feedback to all, or the end. */
static const char *find_general(Span span)
{
  const char *at = span.at;
  while ((at = ol_gift_find(at, span.end, "#")) < span.end) {
    if (span.end - at >= 4 && memcmp(at, "####", 4) == 0)
      return at;
    at++;
  }
  return at;
}

static gboolean contains(Span span, const char *characters)
{
  return ol_gift_find(span.at, span.end, characters) < span.end;
}

/* The word before the first #, if it is one of Moodle's four for true and false: 1, 0; else -1. */
static int truth_of(Span span)
{
  static const char *const words[] = {"F", "FALSE", "T", "TRUE"};
  span.end = ol_gift_find(span.at, span.end, "#");
  span = trimmed(span);
  for (guint i = 0; i < G_N_ELEMENTS(words); i++)
    if (strlen(words[i]) == (gsize)(span.end - span.at) &&
        g_ascii_strncasecmp(words[i], span.at, strlen(words[i])) == 0)
      return i >= 2;
  return -1;
}

/* Why a question of this content cannot be asked, or NULL. */
static const char *find_unsupported(Span span)
{
  if (span.at == span.end)
    return _("an essay has no options");
  if (*span.at == '#')
    return _("a numerical question has no options");
  if (contains(span, "~") || truth_of(span) >= 0)
    return NULL;
  if (!contains(span, "="))
    return _("there is neither ~ nor = before an answer in its braces");
  for (const char *at = span.at; (at = g_strstr_len(at, span.end - at, "->")) != NULL; at += 2)
    if (at > span.at)
      return _("a matching question has pairs, not options");
  return _("a short answer has no options to choose from");
}

/* `{T#said when wrong#said when right}` */
static void read_truth(OlGiftBlock *block, Span span, gboolean truth, OlQuizDraft *draft)
{
  const char *wrong = ol_gift_find(span.at, span.end, "#");
  const char *right = wrong < span.end ? ol_gift_find(wrong + 1, span.end, "#") : span.end;
  char *why_wrong = wrong < span.end ? ol_gift_dup_text(block, wrong + 1, right, FALSE) : NULL;
  char *why_right = right < span.end ? ol_gift_dup_text(block, right + 1, span.end, FALSE) : NULL;
  ol_quiz_draft_option(draft, g_strdup(_("True")), truth ? why_right : why_wrong, truth);
  ol_quiz_draft_option(draft, g_strdup(_("False")), truth ? why_wrong : why_right, !truth);
}

/* `%50%` before an option's text, if it is there; span->at goes behind it. */
static void read_weight(Span *span, double *percent)
{
  if (span->at == span->end || *span->at != '%')
    return;
  const char *close = memchr(span->at + 1, '%', (gsize)(span->end - span->at - 1));
  gsize length = close != NULL ? (gsize)(close - span->at - 1) : 0;
  if (length == 0 || length > 15 || ol_quiz_span(span->at + 1, "+-.,0123456789") != length)
    return;
  g_autofree char *number = g_strndup(span->at + 1, length);
  *percent = g_ascii_strtod(g_strdelimit(number, ",", '.'), NULL);
  span->at = close + 1;
}

typedef struct {
  guint right;   /* options worth everything */
  guint partial; /* worth something, but not everything */
  guint odd;     /* neither of all and nothing: partial ones, and those that cost points */
  guint odd_line;
} Worths;

/* An option, with what stands before (marker, weight) and behind it (feedback). */
static void read_option(OlGiftBlock *block, char marker, Span span, Worths *worths,
                        OlQuizDraft *draft)
{
  double percent = marker == '=' ? 100 : 0;
  guint line = ol_gift_line_of(block, span.at);
  span = trimmed(span);
  read_weight(&span, &percent);
  gboolean right = percent == 100;
  worths->right += right;
  worths->partial += percent > 0 && !right;
  if (!right && percent != 0 && worths->odd++ == 0)
    worths->odd_line = line;
  const char *hash = ol_gift_find(span.at, span.end, "#");
  char *text = ol_gift_dup_text(block, span.at, hash, FALSE);
  char *why = hash < span.end ? ol_gift_dup_text(block, hash + 1, span.end, FALSE) : NULL;
  ol_quiz_draft_option(draft, text, why, right);
}

static void read_options(OlGiftBlock *block, Span span, Worths *worths, OlQuizDraft *draft)
{
  const char *marker = ol_gift_find(span.at, span.end, "~=");
  Span before = trimmed((Span){span.at, marker});
  if (before.at < before.end)
    ol_quiz_note(block->notes, ol_gift_line_of(block, before.at),
                 _("what stands in the braces before the first ~ or = is left out"));
  while (marker < span.end && draft->options->len <= OL_QUIZ_MOST_OPTIONS) {
    const char *next = ol_gift_find(marker + 1, span.end, "~=");
    Span option = {marker + 1, next};
    Span content = trimmed(option);
    /* "~=" is an older way to write "=" */
    if (content.at < content.end || *marker == '=' || next == span.end || *next == '~')
      read_option(block, *marker, option, worths, draft);
    marker = next;
  }
}

static gboolean leave_out(const OlGiftBlock *block, const char *why)
{
  ol_quiz_note(block->notes, block->line, _("the question is left out: %s"), why);
  return FALSE;
}

gboolean ol_gift_read_answers(OlGiftBlock *block, const char *at, const char *end,
                              OlQuizDraft *draft)
{
  Span span = {at, end};
  const char *general = find_general(span);
  Span answers = trimmed((Span){at, general});
  const char *unsupported = find_unsupported(answers);
  if (unsupported != NULL)
    return leave_out(block, unsupported);
  if (general < end)
    draft->question->feedback = ol_gift_dup_text(block, general + 4, end, FALSE);
  if (draft->question->feedback != NULL && *draft->question->feedback == '\0')
    g_clear_pointer(&draft->question->feedback, g_free);
  if (!contains(answers, "~")) {
    read_truth(block, answers, truth_of(answers) == 1, draft);
    return TRUE;
  }
  Worths worths = {0};
  read_options(block, answers, &worths, draft);
  if (worths.right == 0)
    return leave_out(block, worths.partial > 1
                                ? _("several of its options have to be chosen together")
                                : _("none of its options is right: write = before the right one"));
  if (worths.odd > 0)
    ol_quiz_note(block->notes, worths.odd_line,
                 ol_ngettext("%u option is worth neither 100 nor 0 %%: counted as wrong here",
                             "%u options are worth neither 100 nor 0 %%: counted as wrong here",
                             worths.odd),
                 worths.odd);
  if (worths.right > 1)
    ol_quiz_note(block->notes, block->line, _("%u options are right: any one of them counts"),
                 worths.right);
  return TRUE;
}
