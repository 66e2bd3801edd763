#include "lessons/next-lesson.h"

typedef struct {
  const OlLesson *lesson;
  const OlCourse *course;
} Place;

static GArray *list_places(GPtrArray *courses)
{
  GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++) {
      Place place = {&course->lessons[j], course};
      g_array_append_val(places, place);
    }
  }
  return places;
}

/* Where the search begins: behind `after`. */
static guint find_begin(const GArray *places, const OlLesson *after)
{
  for (guint i = 0; after != NULL && i < places->len; i++)
    if (g_array_index(places, Place, i).lesson == after)
      return i + 1;
  return 0;
}

const OlLesson *ol_courses_find_next(GPtrArray *courses, const OlProgress *progress,
                                     const OlLesson *after, const OlCourse **course)
{
  g_autoptr(GArray) places = list_places(courses);
  guint begin = find_begin(places, after);
  for (guint i = 0; i < places->len; i++) {
    const Place *place = &g_array_index(places, Place, (begin + i) % places->len);
    if (place->lesson == after || ol_progress_is_done(progress, place->lesson->id))
      continue;
    if (course != NULL)
      *course = place->course;
    return place->lesson;
  }
  return NULL;
}
