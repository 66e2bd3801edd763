#include "lessons/file.h"

#include "engine/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW                 ".new-" /* between a file's name and six random characters */
#define LEFT_BEHIND_SECONDS 60
#define LOCK_TRIES          300
#define LOCK_PAUSE          10000 /* µs */

static void refuse(GError **error, const char *path, const char *what, const char *why)
{
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "%s: %s: %s", path, what, why);
}

static gboolean write_all(int fd, const char *text, gsize length)
{
  while (length > 0) {
    gssize n = write(fd, text, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      errno = n == 0 ? ENOSPC : errno;
      return FALSE;
    }
    text += n;
    length -= (gsize)n;
  }
  return TRUE;
}

/* Writes, syncs and closes; a close may be the first to tell of a full disk. */
static gboolean write_and_close(int fd, const char *text, gsize length)
{
  gboolean written = write_all(fd, text, length) && fsync(fd) == 0;
  int why = errno;
  if (close(fd) != 0 && written)
    return FALSE;
  errno = why;
  return written;
}

/* Makes the new name last. A file system that cannot sync a folder has nothing to add here. */
static void sync_folder(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

gboolean ol_file_replace(const char *path, const char *text, gsize length, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path);
  if (g_mkdir_with_parents(folder, 0700) != 0) {
    refuse(error, folder, "this folder cannot be made", g_strerror(errno));
    return FALSE;
  }
  g_autofree char *fresh = g_strconcat(path, NEW, "XXXXXX", NULL);
  int fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) {
    refuse(error, path, "cannot be saved", g_strerror(errno));
    return FALSE;
  }
  if (!write_and_close(fd, text, length) || rename(fresh, path) != 0) {
    refuse(error, path, "cannot be saved", g_strerror(errno));
    unlink(fresh);
    return FALSE;
  }
  sync_folder(path);
  return TRUE;
}

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

static gboolean is_left_behind(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         g_get_real_time() / G_USEC_PER_SEC - status.st_mtime > LEFT_BEHIND_SECONDS;
}

void ol_file_sweep(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *own = g_path_get_basename(path);
  g_autofree char *prefix = g_strconcat(own, NEW, NULL);
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *candidate = g_build_filename(folder, name, NULL);
    if (g_str_has_prefix(name, prefix) && is_left_behind(candidate))
      unlink(candidate);
  }
}
