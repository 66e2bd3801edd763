/* The mini course, and copies of it with a fault. */
#pragma once

#include "tests/lessons/suite.h"

char *mini_course_read(void);

/* The mini course with `find`, which is there, replaced by `by` once. */
char *mini_course_edit(const char *find, const char *by);

/* The line of the first `words` in the text, from 1. */
guint mini_course_line_of(const char *text, const char *words);
