/* A course file with a fault: each is found, told with its line and key path, and nothing else is.
 */
#include "engine/config/hardware.h"
#include "lessons/course.h"
#include <string.h>
#include <unistd.h>

#include "tests/lessons/mini-course.h"

static const struct {
  const char *find, *by; /* the fault is made so */
  const char *at;        /* and told at the line where this first stands */
  const char *path, *says;
} faults[] = {
    {"\"format\": 1", "\"format\": 2", "\"format\"", "format", "format 1"},
    {"\"id\": \"mini\"", "\"id\": \"Mini Course\"", "\"format\"", "id", "lower-case"},
    {"\"id\": \"first\", ", "", "{\n      \"title\"", "lessons[0].id", "missing"},
    {"\"title\": \"First\"", "\"title\": 7", "\"title\": 7", "lessons[0].title", "must be a text"},
    {"\"goal\": \"To have", "\"gaol\": \"To have", "\"gaol\"", "lessons[0].gaol", "unknown key"},
    {"\"steps\": 2", "\"steps\": 0", "\"steps\"", "lessons[0].experiment.base.steps", "100000"},
    {"\"prefetch\": 0}", "\"prefech\": 0}", "\"prefech\"",
     "lessons[0].experiment.base.overlap.prefech", "unknown key"},
    {"{\"overlap.prefetch\": 2}", "{\"overlap.prefech\": 2}", "\"overlap.prefech\"",
     "lessons[0].experiment.runs[1].set.overlap.prefech", "unknown key"},
    {"{\"overlap.prefetch\": 2}", "{\"overlap.prefetch\": -2}", "{\"overlap.prefetch\": -2}",
     "lessons[0].experiment.runs[1].set.overlap.prefetch", "0"},
    {"{\"overlap.prefetch\": 2}", "{\"hardware.profile\": \"rtx4090-pcie4\"}", "rtx4090",
     "lessons[0].experiment.runs[1].set", "all runs of a lesson share it"},
    {"{\"overlap.prefetch\": 2}", "{\"hardware.profile\": \"abacus\"}", "abacus",
     "lessons[0].experiment.runs[1].set.hardware.profile", "must be one of"},
    {"\"steps\": 2", "\"hardware\":\n{\"profile\": \"abacus\"}, \"steps\": 2", "{\"profile\"",
     "lessons[0].experiment.base.hardware.profile", "it is \"abacus\""},
    {"{\"overlap.prefetch\": 2}", "{\"hardware.stands_for\": \"gpt-9t\"}", "gpt-9t",
     "lessons[0].experiment.runs[1].set.hardware.stands_for", "must be one of"},
    {"{\"overlap.prefetch\": 2}", "{\"parallel.chunks\": 2}", "\"parallel.chunks\"",
     "lessons[0].experiment.runs[1].set.parallel.chunks", "unless parallel.schedule is"},
    {"\"steps\": 2", "\"parallel\":\n{\"chunks\": 2}, \"steps\": 2", "{\"chunks\"",
     "lessons[0].experiment.base.parallel.chunks", "unless parallel.schedule is"},
    {",\n          {\"text\": \"For no reason\", \"why\": \"No.\"}", "", "\"options\"",
     "lessons[0].question.options", "are 3; a question has exactly 4"},
    {"{\"text\": \"For no reason\"",
     "{\"text\": \"By chance\", \"why\": \"No.\"}, {\"text\": \"For no reason\"", "\"options\"",
     "lessons[0].question.options", "are 5; a question has exactly 4"},
    {"\"name\": \"overlap\"", "\"name\": \"serial\"", "\"title\": \"Overlapped\"",
     "lessons[0].experiment.runs[1].name", "another run"},
    {"\"hidden\": true", "\"hidden\": \"yes\"", "\"yes\"", "lessons[0].experiment.runs[2].hidden",
     "true or false"},
    {"[\"overlap.prefetch\"]", "[\"overlap.speed\"]", "\"overlap.speed\"", "lessons[0].controls[0]",
     "no key of a config"},
    {"\"kind\": \"number\"", "\"kind\": \"guess\"", "\"guess\"", "lessons[0].prediction.kind",
     "one of: number, choice"},
    {"\"metric\": \"step.seconds\", \"unit\"", "\"metric\": \"step.hours\", \"unit\"", "step.hours",
     "lessons[0].prediction.metric", "no metric"},
    {"\"metric\": \"step.seconds\", \"unit\"", "\"metric\": \"weights.hash\", \"unit\"",
     "\"metric\": \"weights.hash\"", "lessons[0].prediction.metric", "a number is wanted"},
    {"\"unit\": \"s\"", "\"unit\": \"MiB\"", "\"MiB\"", "lessons[0].prediction.unit", "no unit"},
    {"\"from\": 0, \"to\": 2", "\"from\": 3, \"to\": 2", "\"to\": 2", "lessons[0].prediction.to",
     "more than"},
    {"\"step\": 0.1", "\"step\": -1", "\"step\": -1", "lessons[0].prediction.step", "from 0"},
    {"\"kind\": \"number\", \"run\": \"overlap\"", "\"kind\": \"number\", \"run\": \"other-seed\"",
     "\"ask\"", "lessons[0].prediction.run", "hidden"},
    {"{serial:step.seconds}", "{cereal:step.seconds}", "{cereal", "lessons[0].observe[0].text",
     "no run “cereal”"},
    {"{serial:step.seconds}", "{serial:step.hours}", "step.hours", "lessons[0].observe[0].text",
     "no metric"},
    {"{serial:step.seconds}", "{serial}", "{serial}", "lessons[0].observe[0].text",
     "a { that opens"},
    {"{serial:config.model.layers}", "{serial:config.model.layer}", "config.model.layer}",
     "lessons[0].observe[1].text", "no metric"},
    {"{\"lane\": \"gpu_to_host\"}", "{\"lane\": \"motorway\"}", "motorway",
     "lessons[0].observe[0].show.lane", "no lane"},
    {"{\"unit\": \"block 1\"}", "{\"unit\": \"block 2\"}", "\"block 2\"",
     "lessons[0].observe[1].show.unit", "no unit"},
    {"{\"unit\": \"block 1\"}", "{\"unit\": \"head\", \"tier\": \"gpu\"}", "\"tier\"",
     "lessons[0].observe[1].show", "wants one of"},
    {"\"For no reason\", \"why\"", "\"For no reason\", \"run\": \"cereal\", \"why\"", "cereal",
     "lessons[0].question.options[3].run", "no run “cereal”"},
    {"\"For no reason\", \"why\"", "\"For no reason\", \"run\": \"other-seed\", \"why\"",
     "For no reason", "lessons[0].question.options[3].run", "hidden"},
    {"\"For no reason\", \"why\"", "\"For no reason\", \"show\": {\"tier\": \"gpu\"}, \"why\"",
     "For no reason", "lessons[0].question.options[3].run", "missing"},
    {"\"For no reason\", \"why\"",
     "\"For no reason\", \"run\": \"serial\", \"show\": {\"tier\": \"tape\"}, \"why\"", "tape",
     "lessons[0].question.options[3].show.tier", "no tier"},
    {"\"is\": \"less than\"", "\"is\": \"below\"", "\"below\"", "lessons[0].evidence[0].is",
     "at least, at most"},
    {"\"fails_on\": \"other-seed\"", "\"fails_on\": \"overlap\"", "\"fails_on\": \"overlap\"",
     "lessons[0].evidence[1].fails_on", "own run"},
    {"\"fails_on\": \"other-seed\"", "\"fails_on\": \"serial\"",
     "{\"run\": \"serial\"}, \"fails_on\": \"serial\"", "lessons[0].evidence[1].fails_on",
     "with itself"},
    {", \"fails_on\": \"other-seed\"", "", "\"metric\": \"weights.hash\"",
     "lessons[0].evidence[1].fails_on", "missing"},
    {"\"value\": 0.5,", "", "\"hidden.fraction\"", "lessons[0].evidence[2]", "either"},
    {"\"value\": 0.5,", "\"value\": \"half\",", "\"half\"", "lessons[0].evidence[2].value",
     "must be a number"},
    {"\"metric\": \"weights.hash\", \"is\": \"exactly\"",
     "\"metric\": \"weights.hash\", \"is\": \"at least\"", "weights.hash",
     "lessons[0].evidence[1].is", "is a text"},
    {"\"than\": {\"run\": \"serial\"}", "\"than\": {\"run\": \"serial\", \"metric\": \"late\"}",
     "\"metric\": \"late\"", "lessons[0].evidence[1].than", "cannot be compared"},
    {"\"right\": true", "\"right\": false", "\"options\"", "lessons[0].question.options", "0 are"},
    {"\"why\": \"No.\"", "\"why\": \"No.\", \"right\": true", "\"options\"",
     "lessons[0].question.options", "2 are right"},
    {"Because of a third", "Because of another", "\"options\"", "lessons[0].question.options",
     "same text"},
    {"\"why\": \"Yes.\", ", "", "Because of another", "lessons[0].question.options[1].why",
     "missing"},
    {"\"why\": \"Yes.\"", "\"why\": \"Yes: {other-seed:weights.hash}\"", "{other-seed",
     "lessons[0].question.options[1].why", "hidden run"},
    {"\"controls\": [\"overlap.prefetch\"]", "\"controls\": {}", "\"controls\"",
     "lessons[0].controls", "a list"},
    {"\"lessons\": [\n    {", "\"lessons\": [\n    7, {", "7, {", "lessons[0]", "an object"},
};

/* Faults of recipes: in the run, in the recipe itself, and in what it means for the config. */
static const struct {
  const char *deepspeed; /* the value */
  const char *at, *path, *says;
} recipe_faults[] = {
    {"7", "\"deepspeed\"", "deepspeed", "must be a text"},
    {"\"../../etc/passwd\"", "\"deepspeed\"", "deepspeed", "lower-case letters"},
    {"\"no-such-recipe\"", "\"deepspeed\"", "deepspeed", "recipes/no-such-recipe.json"},
    {"{\"zero_optimization\":\n {\"stage\": 4}}", "{\"stage\": 4}",
     "deepspeed.zero_optimization.stage", "from 0 to 3"},
    {"{\"aio\": [],\n \"gradient_clipping\": \"much\"}", "\"gradient_clipping\"",
     "deepspeed.gradient_clipping", "must be a number"},
    {"{\"zero_optimization\": {\"stage\": 2, \"offload_optimizer\": {\"device\": \"cpu\"}},\n"
     " \"bf16\": {\"enabled\": false}}",
     "\"deepspeed\"", "deepspeed.placement.optimizer", "with precision fp32"},
};

static char *edit_recipe(const char *deepspeed)
{
  g_autofree char *by = g_strdup_printf("\"deepspeed\": %s, \"set\"", deepspeed);
  return mini_course_edit("\"set\"", by);
}

START_TEST(each_fault_of_a_recipe_is_told_at_its_line)
{
  for (guint i = 0; i < G_N_ELEMENTS(recipe_faults); i++) {
    g_autofree char *text = edit_recipe(recipe_faults[i].deepspeed);
    g_autofree char *told =
        g_strdup_printf("mini:%u: lessons[0].experiment.runs[1].%s: ",
                        mini_course_line_of(text, recipe_faults[i].at), recipe_faults[i].path);
    GError *error = NULL;
    ck_assert_ptr_null(ol_course_parse(text, -1, "mini", &error));
    ck_assert_msg(strstr(error->message, told) != NULL, "no “%s” in:\n%s", told, error->message);
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, recipe_faults[i].says);
  }
}
END_TEST

START_TEST(an_inline_recipe_comes_before_the_runs_keys)
{
  g_autofree char *text =
      edit_recipe("{\"zero_optimization\": {\"stage\": 3, \"offload_optimizer\": {\"device\": "
                  "\"nvme\", \"pipeline_read\": true}}, \"aio\": {\"single_submit\": true}}");
  GError *error = NULL;
  g_autoptr(OlCourse) course = ol_course_parse(text, -1, "mini", &error);
  ck_assert_msg(course != NULL, "%s", error != NULL ? error->message : "");
  const OlLessonRun *run = &course->lessons[0].runs[1];
  ck_assert_int_eq(run->config->placement.optimizer, OL_TIER_NVME);
  ck_assert_uint_eq(run->config->overlap.prefetch, 2); /* the recipe alone means 1 */
  ck_assert_uint_eq(run->config->model.layers, 2);
  ck_assert_ptr_nonnull(strstr(run->recipe_text, "\"single_submit\" : true"));
  ck_assert_uint_eq(g_strv_length(run->recipe_unused), 1);
  ck_assert(g_str_has_prefix(run->recipe_unused[0], "aio.single_submit: "));
  ck_assert_ptr_null(course->lessons[0].runs[0].recipe_text);
}
END_TEST

START_TEST(mini_course_loads)
{
  g_autofree char *text = mini_course_read();
  GError *error = NULL;
  g_autoptr(OlCourse) course = ol_course_parse(text, -1, "mini", &error);
  ck_assert_msg(course != NULL, "%s", error != NULL ? error->message : "");
  const OlLesson *lesson = &course->lessons[0];
  ck_assert_str_eq(lesson->id, "first");
  ck_assert_uint_eq(lesson->n_runs, 4);
  ck_assert_uint_eq(lesson->runs[0].config->overlap.prefetch, 0);
  ck_assert_uint_eq(lesson->runs[1].config->overlap.prefetch, 2);
  ck_assert_uint_eq(lesson->runs[1].config->model.layers, 2);
  ck_assert_str_eq(lesson->runs[1].config->name, "Overlapped");
  ck_assert_str_eq(lesson->controls[0], "overlap.prefetch");
  ck_assert_ptr_null(lesson->controls[1]);
  ck_assert_int_eq(lesson->observations[0].show, OL_SHOW_LANE);
  ck_assert_int_eq(lesson->observations[0].target, OL_LANE_GPU_TO_HOST);
  ck_assert_int_eq(lesson->observations[1].target, 2); /* block 1 stands behind the embedding */
  ck_assert_int_eq(lesson->claims[0].is, OL_IS_LESS_THAN);
  ck_assert_str_eq(lesson->claims[0].than_metric, "step.seconds");
  ck_assert(lesson->claims[0].than_times == 0.9);
  ck_assert(lesson->claims[2].value == 0.5);
  ck_assert(lesson->question.options[1].right && !lesson->question.options[0].right);
  ck_assert_ptr_eq(ol_lesson_find_run(lesson, "other-seed"), &lesson->runs[3]);
  ck_assert_ptr_null(ol_lesson_find_run(lesson, "overlap "));
}
END_TEST

START_TEST(each_fault_is_told_at_its_line)
{
  for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
    g_autofree char *text = mini_course_edit(faults[i].find, faults[i].by);
    g_autofree char *told =
        g_strdup_printf("mini:%u: %s: ", mini_course_line_of(text, faults[i].at), faults[i].path);
    GError *error = NULL;
    ck_assert_msg(ol_course_parse(text, -1, "mini", &error) == NULL, "loads: %s", faults[i].by);
    ck_assert_msg(strstr(error->message, told) != NULL, "%s → no “%s” in:\n%s", faults[i].by, told,
                  error->message);
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, faults[i].says);
  }
}
END_TEST

START_TEST(all_faults_are_told_at_once)
{
  g_autofree char *text = mini_course_read();
  char *goal = strstr(text, "\"goal\"");
  memcpy(goal, "\"gaol\"", 6);
  memcpy(strstr(text, "at least"), "on Sunday", 8);
  GError *error = NULL;
  ck_assert_ptr_null(ol_course_parse(text, -1, "mini", &error));
  ck_assert_ptr_nonnull(strstr(error->message, "lessons[0].gaol"));
  ck_assert_ptr_nonnull(strstr(error->message, "lessons[0].goal: missing"));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "lessons[0].evidence[2].is");
}
END_TEST

START_TEST(lesson_ids_are_unique)
{
  g_autofree char *text = mini_course_read();
  const char *lesson = strstr(text, "    {\n      \"id\"");
  const char *end = strstr(text, "  ]\n}\n");
  g_autofree char *head = g_strndup(text, (gsize)(lesson - text));
  g_autofree char *body = g_strndup(lesson, (gsize)(end - lesson));
  g_autofree char *twice = g_strconcat(head, body, ",\n", body, end, NULL);
  GError *error = NULL;
  ck_assert_ptr_null(ol_course_parse(twice, -1, "mini", &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "lessons[1].id: another lesson");
}
END_TEST

/* A data folder with the lab's own machines and models, and no course. */
static char *make_folder(void)
{
  static const char *const shared[] = {"hardware", "models"};
  char *folder = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  ck_assert_ptr_nonnull(folder);
  for (guint i = 0; i < G_N_ELEMENTS(shared); i++) {
    g_autofree char *here = g_build_filename(folder, shared[i], NULL);
    g_autofree char *there = g_build_filename(ol_data_folder(), shared[i], NULL);
    ck_assert_int_eq(symlink(there, here), 0);
  }
  return folder;
}

START_TEST(ids_are_unique_over_courses)
{
  g_autofree char *text = mini_course_read();
  g_autofree char *other = mini_course_edit("\"id\": \"mini\"", "\"id\": \"other\"");
  g_autofree char *data = make_folder();
  g_autofree char *folder = g_build_filename(data, "courses", NULL);
  g_autofree char *a = g_build_filename(folder, "a.json", NULL);
  g_autofree char *b = g_build_filename(folder, "b.json", NULL);
  GError *error = NULL;
  ck_assert_ptr_null(ol_courses_load(data, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, folder);
  ck_assert_int_eq(g_mkdir_with_parents(folder, 0700), 0);
  ck_assert(g_file_set_contents(a, text, -1, NULL));
  g_autoptr(GPtrArray) courses = ol_courses_load(data, &error);
  ck_assert_ptr_nonnull(courses);
  ck_assert_uint_eq(courses->len, 1);
  const OlCourse *course = NULL;
  ck_assert_ptr_nonnull(ol_courses_find(courses, "first", &course));
  ck_assert_str_eq(course->id, "mini");
  ck_assert_ptr_null(ol_courses_find(courses, "second", NULL));

  ck_assert(g_file_set_contents(b, other, -1, NULL));
  ck_assert_ptr_null(ol_courses_load(data, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "b.json: lessons[0].id");
}
END_TEST

/* A recipe lies beside the courses of the same data folder; what is wrong in it is told by file and
 * key, and with the place in the course that names it. */
START_TEST(a_recipes_file_is_found_and_its_faults_are_named)
{
  g_autofree char *text = edit_recipe("\"mine\"");
  g_autofree char *data = make_folder();
  g_autofree char *courses_folder = g_build_filename(data, "courses", NULL);
  g_autofree char *recipes_folder = g_build_filename(data, "recipes", NULL);
  g_autofree char *course_file = g_build_filename(courses_folder, "a.json", NULL);
  g_autofree char *recipe_file = g_build_filename(recipes_folder, "mine.json", NULL);
  ck_assert_int_eq(g_mkdir_with_parents(courses_folder, 0700), 0);
  ck_assert_int_eq(g_mkdir_with_parents(recipes_folder, 0700), 0);
  ck_assert(g_file_set_contents(course_file, text, -1, NULL));

  const char *recipe = "# mine\n{\"zero_optimization\": {\"stage\": 1},}\n";
  ck_assert(g_file_set_contents(recipe_file, recipe, -1, NULL));
  GError *error = NULL;
  g_autoptr(GPtrArray) courses = ol_courses_load(data, &error);
  ck_assert_msg(courses != NULL, "%s", error != NULL ? error->message : "");
  const OlLesson *lesson = ol_courses_find(courses, "first", NULL);
  ck_assert_str_eq(lesson->runs[1].recipe_text, recipe);
  ck_assert_uint_eq(lesson->runs[1].config->parallel.zero, 1);

  recipe = "{\"zero_optimization\": {\"stage\": \"three\"}, \"gradient_clipping\": -1}";
  ck_assert(g_file_set_contents(recipe_file, recipe, -1, NULL));
  ck_assert_ptr_null(ol_courses_load(data, &error));
  g_autofree char *told = g_strdup_printf(
      "lessons[0].experiment.runs[1].deepspeed: %s: zero_optimization.stage: ", recipe_file);
  ck_assert_msg(strstr(error->message, told) != NULL, "%s", error->message);
  ck_assert_ptr_nonnull(strstr(error->message, course_file));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "gradient_clipping");

  ck_assert(g_file_set_contents(recipe_file, "{\"zero_optimization\"", -1, NULL));
  ck_assert_ptr_null(ol_courses_load(data, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, recipe_file);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {mini_course_loads,
                                each_fault_is_told_at_its_line,
                                each_fault_of_a_recipe_is_told_at_its_line,
                                an_inline_recipe_comes_before_the_runs_keys,
                                a_recipes_file_is_found_and_its_faults_are_named,
                                all_faults_are_told_at_once,
                                lesson_ids_are_unique,
                                ids_are_unique_over_courses,
                                NULL};
  return suite_run("course faults", tests, 60);
}
