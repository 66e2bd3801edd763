#include "lessons/file-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define LOCK_TRIES 300
#define LOCK_PAUSE 10000 /* µs */

/* The folder is locked, not the file, which another takes the place of. */
int ol_file_lock(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_mkdir_with_parents(folder, 0700); /* when it cannot be made, the save says so */
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (guint i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
      return fd;
    if (errno != EWOULDBLOCK && errno != EINTR)
      break;
    g_usleep(LOCK_PAUSE);
  }
  ol_file_unlock(fd);
  return -1;
}

void ol_file_unlock(int lock)
{
  if (lock >= 0)
    close(lock); /* which unlocks it */
}
