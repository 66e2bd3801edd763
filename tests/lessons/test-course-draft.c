/* A course file being edited: changed and changed back, written as it was, faults told by key. */
#include "engine/config/hardware.h"
#include "lessons/course-draft.h"
#include "lessons/course.h"
#include "tests/lessons/mini-course.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *folder;

static void setup(void)
{
  folder = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  ck_assert_ptr_nonnull(folder);
}

static JsonNode *words(const char *text)
{
  return json_node_init_string(json_node_alloc(), text);
}

static OlCourseDraft *open_mini(void)
{
  g_autofree char *text = mini_course_read();
  g_autofree char *path = g_build_filename(folder, "mini.json", NULL);
  g_autoptr(GError) error = NULL;
  ck_assert(g_file_set_contents(path, text, -1, NULL));
  OlCourseDraft *draft = ol_course_draft_open(path, &error);
  ck_assert_msg(draft != NULL, "%s", error != NULL ? error->message : "");
  return draft;
}

static const char *text_at(const OlCourseDraft *draft, const char *key)
{
  JsonNode *node = ol_course_draft_get(draft, key);
  ck_assert_msg(node != NULL, "nothing at %s", key);
  return json_node_get_string(node);
}

static const OlDraftFault *find_fault(GPtrArray *faults, const char *key)
{
  for (guint i = 0; i < faults->len; i++) {
    const OlDraftFault *fault = g_ptr_array_index(faults, i);
    if (g_str_equal(fault->key, key))
      return fault;
  }
  return NULL;
}

/* Both of the lab's courses, changed in one place and back, are the same JSON in the new file. */
START_TEST(what_is_saved_is_what_was_opened)
{
  static const char *const names[] = {"offloading.json", "training-stacks.json", NULL};
  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *path = g_build_filename(ol_data_folder(), "courses", names[i], NULL);
    g_autofree char *copy = g_build_filename(folder, "new", names[i], NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(OlCourseDraft) draft = ol_course_draft_open(path, &error);
    g_autoptr(GPtrArray) faults = ol_course_draft_dup_faults(draft);
    ck_assert_uint_eq(faults->len, 0);
    ck_assert(ol_course_draft_set(draft, "lessons[0].title", words("Another")));
    ol_course_draft_undo(draft);
    ck_assert(!ol_course_draft_is_changed(draft));
    ck_assert_msg(ol_course_draft_save(draft, copy, &error), "%s",
                  error != NULL ? error->message : "");

    g_autoptr(JsonParser) was = json_parser_new();
    g_autoptr(JsonParser) is = json_parser_new();
    ck_assert(json_parser_load_from_file(was, path, NULL));
    ck_assert(json_parser_load_from_file(is, copy, NULL));
    ck_assert(json_node_equal(json_parser_get_root(was), json_parser_get_root(is)));
    g_autoptr(OlCourse) course = ol_course_load(copy, &error);
    ck_assert_ptr_nonnull(course);
  }
}
END_TEST

START_TEST(a_change_is_undone_and_done_again)
{
  g_autoptr(OlCourseDraft) draft = open_mini();
  g_autofree char *was = g_strdup(text_at(draft, "lessons[0].title"));
  ck_assert(!ol_course_draft_can_undo(draft));

  ck_assert(ol_course_draft_set(draft, "lessons[0].title", words("Mine")));
  ck_assert(ol_course_draft_is_changed(draft));
  ck_assert(!ol_course_draft_can_redo(draft));
  ol_course_draft_undo(draft);
  ck_assert_str_eq(text_at(draft, "lessons[0].title"), was);
  ol_course_draft_undo(draft); /* nothing left: nothing happens */
  ol_course_draft_redo(draft);
  ck_assert_str_eq(text_at(draft, "lessons[0].title"), "Mine");

  ol_course_draft_undo(draft);
  ck_assert(ol_course_draft_set(draft, "lessons[0].goal", words("Another way")));
  ck_assert(!ol_course_draft_can_redo(draft));
  ck_assert_str_eq(text_at(draft, "lessons[0].title"), was);
}
END_TEST

START_TEST(lists_are_put_in_another_order)
{
  static const char *const list = "lessons[0].question.options";
  g_autoptr(OlCourseDraft) draft = open_mini();
  g_autofree char *first = g_strdup(text_at(draft, "lessons[0].question.options[0].text"));
  g_autofree char *last = g_strdup(text_at(draft, "lessons[0].question.options[3].text"));

  ck_assert(ol_course_draft_move(draft, list, 0, 2));
  ck_assert_str_eq(text_at(draft, "lessons[0].question.options[2].text"), first);
  ck_assert_str_eq(text_at(draft, "lessons[0].question.options[3].text"), last);
  ck_assert(ol_course_draft_move(draft, list, 2, 0));
  ck_assert(!ol_course_draft_is_changed(draft));
  ck_assert(!ol_course_draft_move(draft, list, 0, 4));

  ck_assert(ol_course_draft_append(draft, list, words("fifth")));
  ck_assert_str_eq(text_at(draft, "lessons[0].question.options[4]"), "fifth");
  ck_assert(ol_course_draft_set(draft, "lessons[0].question.options[0]", words("whole")));
  ck_assert_str_eq(text_at(draft, "lessons[0].question.options[0]"), "whole");
  ck_assert(ol_course_draft_remove(draft, "lessons[0].question.options[4]"));
  ck_assert_ptr_null(ol_course_draft_get(draft, "lessons[0].question.options[4]"));
}
END_TEST

/* A key of `set` has dots in it; a path that leads nowhere changes nothing. */
START_TEST(paths_are_those_of_the_loader)
{
  g_autoptr(OlCourseDraft) draft = ol_course_draft_new("mine", "Mine");
  static const char *const nowhere[] = {"lessons[0].title", "title.more",  "lessons[",
                                        "lessons[x]",       "a..b",        "",
                                        "lessons[0]",       "none.at.all", NULL};
  for (guint i = 0; nowhere[i] != NULL; i++)
    ck_assert_msg(!ol_course_draft_set(draft, nowhere[i], words("x")), "%s", nowhere[i]);
  ck_assert(!ol_course_draft_remove(draft, "goal"));
  ck_assert(!ol_course_draft_append(draft, "title", words("x")));
  ck_assert(!ol_course_draft_can_undo(draft));

  JsonNode *empty = json_node_init_object(json_node_alloc(), NULL);
  json_node_take_object(empty, json_object_new());
  ck_assert(ol_course_draft_set(draft, "set", empty));
  ck_assert(ol_course_draft_set(draft, "set.model.layers", words("4")));
  ck_assert_str_eq(text_at(draft, "set.model.layers"), "4");
  JsonObject *set = json_node_get_object(ol_course_draft_get(draft, "set"));
  ck_assert(json_object_has_member(set, "model.layers"));
}
END_TEST

/* Each fault is told at the key under which the draft has the faulty value. */
START_TEST(faults_are_told_by_key)
{
  g_autoptr(OlCourseDraft) draft = open_mini();
  ck_assert(ol_course_draft_remove(draft, "lessons[0].title"));
  ck_assert(ol_course_draft_set(draft, "lessons[0].evidence[0].metric", words("no.such")));
  ck_assert(ol_course_draft_set(draft, "lessons[0].question.options[1].why", words("{none:late}")));
  g_autoptr(GPtrArray) faults = ol_course_draft_dup_faults(draft);

  ck_assert_ptr_nonnull(find_fault(faults, "lessons[0].title"));
  ck_assert_ptr_nonnull(find_fault(faults, "lessons[0].evidence[0].metric"));
  const OlDraftFault *quote = find_fault(faults, "lessons[0].question.options[1].why");
  ck_assert_ptr_nonnull(quote);
  ck_assert_ptr_nonnull(strstr(quote->message, "none"));
  for (guint i = 0; i < 3; i++)
    ol_course_draft_undo(draft);
  g_autoptr(GPtrArray) none = ol_course_draft_dup_faults(draft);
  ck_assert_uint_eq(none->len, 0);
}
END_TEST

/* A folder's name that is a file's takes nothing: that is told, and the draft stays unsaved. */
START_TEST(what_cannot_be_saved_is_kept)
{
  g_autofree char *file = g_build_filename(folder, "file", NULL);
  g_autofree char *path = g_build_filename(file, "mine.json", NULL);
  g_autoptr(OlCourseDraft) draft = ol_course_draft_new("mine", "Mine");
  GError *error = NULL;
  ck_assert(g_file_set_contents(file, "", -1, NULL));
  ck_assert(!ol_course_draft_save(draft, path, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, "file");
  ck_assert(ol_course_draft_is_changed(draft));
  ck_assert_ptr_null(ol_course_draft_open(file, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "file");
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {what_is_saved_is_what_was_opened,
                                a_change_is_undone_and_done_again,
                                lists_are_put_in_another_order,
                                paths_are_those_of_the_loader,
                                faults_are_told_by_key,
                                what_cannot_be_saved_is_kept,
                                NULL};
  return suite_run_with("course-draft", tests, 60, setup, NULL);
}
