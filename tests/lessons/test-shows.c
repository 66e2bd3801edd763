/* Show me leads somewhere: every point to look at and every explanation of the lab's own lessons
 * speaks of something that its run has. */
#include "engine/config/hardware.h"
#include "engine/plan/plan.h"
#include "lessons/course.h"
#include "tests/lessons/suite.h"

static GPtrArray *courses;

static void set_up(void)
{
  GError *error = NULL;
  courses = ol_courses_load(NULL, &error);
  ck_assert_msg(courses != NULL, "%s", error != NULL ? error->message : "");
}

static void tear_down(void)
{
  g_ptr_array_unref(courses);
}

static OlPlan *plan_of(const OlLessonRun *run)
{
  g_autoptr(OlMachine) machine = ol_machine_new(run->config, NULL, NULL);
  ck_assert_ptr_nonnull(machine);
  return ol_plan_new(run->config, machine);
}

static gboolean has_lane(const OlGraph *graph, int lane)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (ol_graph_node(graph, i)->lane == (OlLane)lane)
      return TRUE;
  return FALSE;
}

static gboolean has_buffer(const OlGraph *graph, int tier, int payload)
{
  for (guint i = 0; i < graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(graph, i);
    if ((tier < 0 || buffer->tier == (OlTier)tier) &&
        (payload < 0 || buffer->payload == (OlPayload)payload))
      return TRUE;
  }
  return FALSE;
}

static gboolean leads_somewhere(const OlGraph *graph, OlShowKind show, int target)
{
  switch (show) {
  case OL_SHOW_LANE:
    return has_lane(graph, target);
  case OL_SHOW_PAYLOAD:
    return has_buffer(graph, -1, target);
  case OL_SHOW_TIER:
    return has_buffer(graph, target, -1);
  case OL_SHOW_UNIT:
    return target >= 0 && (guint)target < graph->units->len;
  default:
    return FALSE;
  }
}

static void assert_shown(const OlLesson *lesson, const char *what, guint i, const char *name,
                         OlShowKind show, int target)
{
  const OlLessonRun *run = name != NULL ? ol_lesson_find_run(lesson, name) : NULL;
  ck_assert_msg(run != NULL && !run->hidden, "%s, %s %u: no run of the learner's", lesson->id, what,
                i);
  OlPlan *plan = plan_of(run);
  ck_assert_msg(leads_somewhere(plan->graph, show, target),
                "%s, %s %u: run %s has nothing of kind %d, %d", lesson->id, what, i, name, show,
                target);
  ol_plan_free(plan);
}

typedef void (*LessonTest)(const OlLesson *lesson);

static void for_each_lesson(LessonTest test)
{
  guint n = 0;
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++, n++)
      test(&course->lessons[j]);
  }
  ck_assert_uint_eq(n, 16);
}

static void assert_points(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_observations; i++) {
    const OlObservation *point = &lesson->observations[i];
    assert_shown(lesson, "point", i, point->run, point->show, point->target);
  }
}

START_TEST(every_point_leads_somewhere)
{
  for_each_lesson(assert_points);
}
END_TEST

static void assert_options(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->question.n_options; i++) {
    const OlOption *option = &lesson->question.options[i];
    assert_shown(lesson, "option", i, option->run, option->show, option->target);
  }
}

START_TEST(every_explanation_leads_somewhere)
{
  for_each_lesson(assert_options);
}
END_TEST

/* Fakes: the checks above would see a lane without work, a payload that is nowhere, an unused tier
 * and a unit that is not there. */
START_TEST(nowhere_is_told)
{
  const OlLesson *lesson = ol_courses_find(courses, "twelve-bytes", NULL);
  OlPlan *plan = plan_of(ol_lesson_find_run(lesson, "adam"));
  ck_assert(leads_somewhere(plan->graph, OL_SHOW_PAYLOAD, OL_PAYLOAD_MOMENT1));
  ck_assert(!leads_somewhere(plan->graph, OL_SHOW_LANE, OL_LANE_NVME_READ));
  ck_assert(!leads_somewhere(plan->graph, OL_SHOW_TIER, OL_TIER_NVME));
  ck_assert(!leads_somewhere(plan->graph, OL_SHOW_UNIT, (int)plan->graph->units->len));
  ck_assert(!leads_somewhere(plan->graph, OL_SHOW_NOTHING, 0));
  ol_plan_free(plan);
}
END_TEST

static const OlOption *option_of(const char *lesson_id, guint i)
{
  return &ol_courses_find(courses, lesson_id, NULL)->question.options[i];
}

/* What a quote speaks of, and where it is. */
START_TEST(quotes_are_places)
{
  const OlOption *memory = option_of("twelve-bytes", 1), *lane = option_of("what-it-costs", 0);
  ck_assert_str_eq(memory->run, "adam");
  ck_assert_int_eq(memory->show, OL_SHOW_PAYLOAD);
  ck_assert_int_eq(memory->target, OL_PAYLOAD_MASTER);
  ck_assert_int_eq(lane->show, OL_SHOW_LANE);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {every_point_leads_somewhere, every_explanation_leads_somewhere,
                                nowhere_is_told, quotes_are_places, NULL};
  return suite_run_with("shows", tests, 60, set_up, tear_down);
}
