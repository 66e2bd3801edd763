/* Whatever the encoding of a quiz file, its words are read as they are, or refused with a reason.
 */
#include "tests/lessons/quiz-fixture.h"

#include "engine/config/json-guard.h"

static const char plain[] = "Is “naïve” fünf?{=Ja, 5 € ~Nein}\n";

static OlQuiz *read_bytes(const char *bytes, gsize length, GPtrArray *notes)
{
  GError *error = NULL;
  OlQuiz *quiz = ol_quiz_parse(bytes, length, "bytes.gift", NULL, NULL, notes, &error);
  ck_assert_msg(quiz != NULL, "%s", error != NULL ? error->message : "");
  return quiz;
}

static void assert_read(const char *encoding, const char *mark, gsize mark_length, gboolean noted)
{
  gsize length;
  g_autofree char *body = g_convert(plain, -1, encoding, "UTF-8", NULL, &length, NULL);
  g_autofree char *bytes = g_malloc(length + mark_length);
  memcpy(bytes, mark, mark_length);
  memcpy(bytes + mark_length, body, length);
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = read_bytes(bytes, length + mark_length, notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Is “naïve” fünf?");
  quiz_assert_options(quiz_question(quiz, 0), "Ja, 5 €|~Nein");
  if (noted)
    quiz_assert_note(notes, 1, "Windows-1252");
  else
    quiz_assert_no_notes(notes);
}

START_TEST(encodings)
{
  assert_read("UTF-8", "", 0, FALSE);
  assert_read("UTF-8", "\xef\xbb\xbf", 3, FALSE);
  assert_read("UTF-16LE", "\xff\xfe", 2, FALSE);
  assert_read("UTF-16BE", "\xfe\xff", 2, FALSE);
  assert_read("UTF-16LE", "", 0, FALSE);
  assert_read("UTF-16BE", "", 0, FALSE);
  assert_read("UTF-32LE", "\xff\xfe\0\0", 4, FALSE);
  assert_read("UTF-32BE", "\0\0\xfe\xff", 4, FALSE);
  assert_read("WINDOWS-1252", "", 0, TRUE);
}
END_TEST

/* All ends of lines are the same file. */
START_TEST(ends_of_lines)
{
  static const char *const ends[] = {"\n", "\r\n", "\r", "\xe2\x80\xa8"};
  for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    GString *text = g_string_new("// one\nOne?{\n=a\n~b\n}\n\nTwo?{\n\n=c ~d}\n\nA note.\n");
    g_string_replace(text, "\n", ends[i], 0);
    g_autofree char *bytes = g_string_free(text, FALSE);
    g_autoptr(OlQuiz) quiz = read_bytes(bytes, strlen(bytes), notes);
    ck_assert_uint_eq(quiz_question(quiz, 1)->line, 7);
    quiz_assert_options(quiz_question(quiz, 1), "c|~d");
    quiz_assert_note(notes, 11, "description");
  }
}
END_TEST

START_TEST(damaged_utf8_is_mended_where_it_is_damaged)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  static const char bytes[] = "Fünf \xe2\x82\nund zwölf?{=a ~b}\n";
  g_autoptr(OlQuiz) quiz = read_bytes(bytes, strlen(bytes), notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Fünf ��\nund zwölf?");
  quiz_assert_note(notes, 1, "damaged");
}
END_TEST

/* A terminal obeys control characters: none gets through, not by an entity either. */
START_TEST(control_characters_are_spaces)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  static const char bytes[] = "[html]a\x1b[31mb &#27; &#x9b;\xc2\x9b c{=a ~b}\n";
  g_autoptr(OlQuiz) quiz = read_bytes(bytes, strlen(bytes), notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "a [31mb &#27; &#x9b;  c");
  quiz_assert_note(notes, 1, "U+001B");
}
END_TEST

static void assert_refused(const char *bytes, gsize length, const char *says)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  GError *error = NULL;
  ck_assert_ptr_null(ol_quiz_parse(bytes, length, "bytes.gift", NULL, NULL, notes, &error));
  ck_assert(g_str_has_prefix(error->message, "bytes.gift: "));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, says);
}

START_TEST(what_is_no_quiz_is_refused)
{
  assert_refused("", 0, "no question");
  assert_refused("\n\n  \n", 5, "no question");
  assert_refused("Just a letter.\n", 15, "no question");
  assert_refused("An essay{}\n", 11, "read as GIFT");
  assert_refused("Q?\nA) a\nB) b\n", 13, "read as Aiken");
  assert_refused("1. Q?\n", 6, "read as plain text");
  assert_refused("Q{=a ~b}\nx\0y\n", 13, "line 2 holds a NUL");
  assert_refused("\x7f"
                 "ELF\x02\x01\x01\0\0\0\x81\x8d",
                 12, "NUL");
  assert_refused("Q{=a ~b}\n\x81\x8d", 11, "line 2: byte 0x81");
  assert_refused("\xff\xfe\x00\xd8\x00\xd8", 6, "UTF-16");
  gsize huge = OL_JSON_MAX_BYTES + 1;
  g_autofree char *spaces = g_strnfill(huge, ' ');
  assert_refused(spaces, huge, "16 MiB");
}
END_TEST

/* Files that would take a careless reader minutes or all memory; the limit is the suite's. */
START_TEST(hostile_sizes)
{
  static const char *const pieces[] = {
      "{",           "}",          "{\n\n", "~",      "=a~",       "#",     "####", "<a",
      "\\",          "\n",         "a\n",   "A) a\n", "1. a\n",    "• a\n", "::",   "$CATEGORY:\n",
      "ANSWER: A\n", "Q{=a ~b}\n", "->",    "%1%",    "[html]<p>&"};
  for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
    GString *text = g_string_new("1. Q?\nA) a\n• b\n[html]Q{=a~b");
    while (text->len < 1u << 20)
      g_string_append(text, pieces[i]);
    g_autofree char *bytes = g_string_free(text, FALSE);
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(OlQuiz) quiz = ol_quiz_parse(bytes, strlen(bytes), "huge", NULL, NULL, notes, &error);
    ck_assert_uint_le(notes->len, 2100);
    if (quiz != NULL)
      ck_assert_uint_le(quiz->questions->len, OL_QUIZ_MOST_QUESTIONS);
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {encodings,
                                ends_of_lines,
                                damaged_utf8_is_mended_where_it_is_damaged,
                                control_characters_are_spaces,
                                what_is_no_quiz_is_refused,
                                hostile_sizes,
                                NULL};
  return suite_run("quiz-bytes", tests, 240);
}
