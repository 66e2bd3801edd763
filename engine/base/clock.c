#include "engine/base/clock.h"

#include <time.h>

gint64 ol_clock_now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * OL_NS_PER_SECOND + now.tv_nsec;
}
