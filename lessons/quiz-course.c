/* The questions of a course as a quiz: no run has been made for them. */
#include "lessons/quiz-private.h"

#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/quote.h"

typedef struct {
  const OlLesson *lesson;
  gboolean incomplete; /* something can only be measured */
} Filling;

/* A setting is known without a run. */
static char *dup_setting(const OlLessonRun *run, const char *key_path)
{
  if (run == NULL || key_path == NULL)
    return NULL;
  g_autoptr(JsonNode) config = ol_run_config_to_json(run->config);
  JsonNode *node = ol_setting_find(json_node_get_object(config), key_path);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE(node))
    return NULL;
  return json_node_get_value_type(node) == G_TYPE_STRING
             ? json_node_dup_string(node)
             : g_strdup_printf("%g", json_node_get_double(node));
}

static char *fill_quote(const char *run, const char *metric, gpointer data)
{
  Filling *filling = data;
  if (run == NULL)
    return NULL; /* a brace that quotes nothing stays */
  char *words = dup_setting(ol_lesson_find_run(filling->lesson, run), ol_quote_setting(metric));
  if (words == NULL)
    filling->incomplete = TRUE;
  return words != NULL ? words : g_strdup("…");
}

static char *dup_filled(const char *text, Filling *filling)
{
  g_autofree char *filled = ol_quotes_replace(text, fill_quote, filling);
  return g_strdup(g_strstrip(filled));
}

/* Whether all of it could be filled in. */
static gboolean add_lesson(OlQuiz *quiz, const OlLesson *lesson, GPtrArray *notes)
{
  Filling filling = {lesson, FALSE};
  OlQuizDraft draft;
  ol_quiz_draft_begin(&draft, 0);
  draft.question->name = g_strdup(lesson->title);
  draft.question->lesson = g_strdup(lesson->id);
  draft.question->text = dup_filled(lesson->question.text, &filling);
  for (guint i = 0; i < lesson->question.n_options; i++) {
    const OlOption *option = &lesson->question.options[i];
    ol_quiz_draft_option(&draft, dup_filled(option->text, &filling),
                         dup_filled(option->why, &filling), option->right);
  }
  ol_quiz_draft_end(&draft, quiz, notes);
  return !filling.incomplete;
}

OlQuiz *ol_quiz_new_from_course(const OlCourse *course, GPtrArray *notes)
{
  OlQuiz *quiz = ol_quiz_new(course->title);
  guint incomplete = 0;
  for (guint i = 0; i < course->n_lessons; i++)
    incomplete += !add_lesson(quiz, &course->lessons[i], notes);
  if (incomplete > 0)
    ol_quiz_note(
        notes, 0,
        ol_ngettext(
            "explanations of %u question quote what only a run can measure: \"…\" stands there",
            "explanations of %u questions quote what only a run can measure: \"…\" stands there",
            incomplete),
        incomplete);
  return quiz;
}

OlQuiz *ol_quiz_new_from_lesson(const OlLesson *lesson, gboolean *complete)
{
  OlQuiz *quiz = ol_quiz_new(lesson->title);
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  *complete = add_lesson(quiz, lesson, notes);
  return quiz;
}

void ol_quiz_shuffle(OlQuiz *quiz, GPtrArray *courses, const char *learner)
{
  for (guint i = 0; i < quiz->questions->len; i++) {
    OlQuizQuestion *question = quiz->questions->pdata[i];
    g_autofree guint *order = g_new(guint, question->n_options);
    g_autofree OlOption *options =
        g_memdup2(question->options, sizeof *options * question->n_options);
    ol_grading_option_order(ol_courses_find(courses, question->lesson, NULL), learner, order);
    for (guint j = 0; j < question->n_options; j++)
      question->options[j] = options[order[j]];
  }
}
