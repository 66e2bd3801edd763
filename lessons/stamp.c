#include "lessons/stamp.h"

#include <string.h>

#define LENGTH 20

static GDateTime *read_stamp(const char *text)
{
  if (text == NULL || strlen(text) != LENGTH || text[LENGTH - 1] != 'Z')
    return NULL;
  return g_date_time_new_from_iso8601(text, NULL);
}

gboolean ol_stamp_is_valid(const char *text)
{
  g_autoptr(GDateTime) time = read_stamp(text);
  return time != NULL;
}

gint64 ol_stamp_to_seconds(const char *text)
{
  g_autoptr(GDateTime) time = read_stamp(text);
  return time != NULL ? g_date_time_to_unix(time) : 0;
}

char *ol_stamp_dup_after(const char *stamp)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  g_autoptr(GDateTime) then = read_stamp(stamp);
  g_autoptr(GDateTime) after = then != NULL ? g_date_time_add_seconds(then, 1) : NULL;
  gboolean late = after != NULL && g_date_time_compare(after, now) > 0;
  return g_date_time_format(late ? after : now, "%Y-%m-%dT%H:%M:%SZ");
}
