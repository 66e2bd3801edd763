/* Mutations of quiz files, from a fixed seed: each is read or refused, every question that was read
 * can be asked, and what is written of it is read again as it was. */
#include "tests/config/mutate.h"
#include "tests/lessons/quiz-fixture.h"

#define LEAST_ROUNDS 1000 /* however slow the machine */

static const char *const bases[] = {
    "// a file\n$CATEGORY: a/b // c\n\n::One:: First \\= "
    "one?{\n=yes#right\n~no#wrong\n####all\n}\n\n"
    "The {=word ~%50%part} is missing.\n\nIt is so.{T#no#yes}\n\n[html]<b>bold</b> &amp; more{\n\n"
    "=[plain]a\n~[markdown]*b*}\n\nPairs{=a -> b =c -> d}\n\nNumber{#1:2}\n\nEssay{}\n",
    "A first question?\nA) one\nB) two\nC) three\nANSWER: B\n\nA second one\nof two lines?\nA. "
    "four\n"
    "B. five\nand a half\nANSWER: A\n",
    "A title\n\n1. Which is it?\n   • This\n     → No.\n   ✓ That\n     → Yes.\n2. And now?\n"
    "   → To all.\n   • Before\n   • After\n     all\nAnswer: B\n",
};

static const char *const pieces[] = {
    "{",  "}",  "~",      "=",    "#",    "####",         "\\",    "::",       "\n",   "\n\n", "//",
    "%",  "->", "[html]", "<p>",  "&lt;", "$CATEGORY:",   "\\n",   "ANSWER: ", "A) ",  "1. ",  "• ",
    "✓ ", "→ ", "\r\n",   "\xff", "\xe2", "\xef\xbb\xbf", "%100%", "[plain]",  "\x1b", "\t",   "T"};

static void assert_text(const char *text, gboolean needed)
{
  ck_assert(text != NULL || !needed);
  if (text == NULL)
    return;
  ck_assert(*text != '\0' && g_utf8_validate(text, -1, NULL));
  ck_assert_msg(!g_ascii_isspace(*text) && !g_ascii_isspace(text[strlen(text) - 1]), "“%s”", text);
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char(c))
    ck_assert(*c == '\n' || *c == '\t' || !g_unichar_iscntrl(g_utf8_get_char(c)));
}

static void assert_can_be_asked(const OlQuiz *quiz)
{
  assert_text(quiz->title, TRUE);
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = quiz_question(quiz, i);
    assert_text(question->text, TRUE);
    assert_text(question->name, FALSE);
    assert_text(question->category, FALSE);
    assert_text(question->feedback, FALSE);
    ck_assert_uint_ge(question->n_options, 2);
    ck_assert_uint_le(question->n_options, OL_QUIZ_MOST_OPTIONS);
    for (guint j = 0; j < question->n_options; j++) {
      assert_text(question->options[j].text, TRUE);
      assert_text(question->options[j].why, FALSE);
    }
  }
}

/* Writing, reading and writing again gives the same file: nothing is lost twice. */
static void assert_round_trip(const OlQuiz *quiz, const OlQuizFormat *format)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autofree char *once = ol_quiz_dup_text(quiz, format, notes, NULL);
  if (once == NULL)
    return; /* none of its questions can be written */
  g_autoptr(GError) error = NULL;
  g_autoptr(OlQuiz) back = ol_quiz_parse(once, strlen(once), "fuzz", format, NULL, notes, &error);
  ck_assert_msg(back != NULL, "%s", error != NULL ? error->message : "");
  g_autofree char *twice = ol_quiz_dup_text(back, format, notes, NULL);
  ck_assert_str_eq(once, twice);
}

static gboolean one_round(const char *base, GRand *random)
{
  g_autoptr(GString) text = g_string_new(base);
  for (int i = g_rand_int_range(random, 1, 6); i > 0; i--)
    mutate(text, random, pieces, G_N_ELEMENTS(pieces));
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = ol_quiz_parse(text->str, text->len, "fuzz", NULL, NULL, notes, &error);
  for (guint i = 0; i < notes->len; i++)
    assert_text(((OlQuizNote *)notes->pdata[i])->text, TRUE);
  if (quiz == NULL) {
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, "fuzz:"), "%s", error->message);
    return FALSE;
  }
  ck_assert_ptr_null(error);
  assert_can_be_asked(quiz);
  assert_round_trip(quiz, ol_quiz_format_find("gift"));
  assert_round_trip(quiz, ol_quiz_format_find("aiken"));
  assert_round_trip(quiz, ol_quiz_format_find("text"));
  return TRUE;
}

START_TEST(mutations_are_read_or_refused)
{
  GRand *random = g_rand_new_with_seed(20260929);
  gint64 end = fuzz_end_us();
  guint rounds = 0, read = 0;
  for (; rounds < LEAST_ROUNDS || g_get_monotonic_time() < end; rounds++)
    read += one_round(bases[rounds % G_N_ELEMENTS(bases)], random);
  g_rand_free(random);
  ck_assert_uint_gt(read, rounds / 2); /* readers are lenient, */
  ck_assert_uint_lt(read, rounds);     /* and not blind */
}
END_TEST

START_TEST(every_truncation_is_read_or_refused)
{
  for (guint i = 0; i < G_N_ELEMENTS(bases); i++)
    for (gsize n = 0; n < strlen(bases[i]); n++) {
      g_autoptr(GError) error = NULL;
      g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
      g_autofree char *cut = g_memdup2(bases[i], MAX(n, 1)); /* nothing lies behind it */
      g_autoptr(OlQuiz) quiz = ol_quiz_parse(cut, n, "cut", NULL, NULL, notes, &error);
      ck_assert((quiz == NULL) == (error != NULL));
    }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {mutations_are_read_or_refused, every_truncation_is_read_or_refused,
                                NULL};
  return suite_run("quiz-fuzz", tests, 0); /* meson's limit holds, which --long stretches */
}
