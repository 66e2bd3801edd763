#include "engine/base/whole-file.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW                 ".offload-lab-new-" /* and six random characters */
#define LEFT_BEHIND_SECONDS 600

struct OlWholeFile {
  FILE *stream;
  char *path;  /* as it was named, for messages */
  char *place; /* links followed */
  char *fresh; /* the new file; NULL when written in place */
  gboolean is_plain;
};

static gboolean fail(const char *path, int number, GError **error)
{
  g_autofree char *name = g_filename_display_name(path);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("cannot write %s: %s"), name,
              g_strerror(number));
  return FALSE;
}

/* Behind a link lies the file that is meant. A new file is where its name says. */
static char *dup_place(const char *path)
{
  char *resolved = realpath(path, NULL);
  char *place = g_strdup(resolved != NULL ? resolved : path);
  free(resolved);
  return place;
}

/* -1 with errno set. */
static int open_fresh(OlWholeFile *file, const struct stat *old)
{
  g_autofree char *folder = g_path_get_dirname(file->place);
  g_autofree char *fresh = g_build_filename(folder, NEW "XXXXXX", NULL);
  int fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0666);
  if (fd >= 0 && old != NULL && fchmod(fd, old->st_mode & 07777) != 0 && errno != EPERM) {
    int number = errno;
    close(fd);
    unlink(fresh);
    errno = number;
    return -1;
  }
  if (fd >= 0)
    file->fresh = g_steal_pointer(&fresh);
  return fd;
}

static int open_in_place(const char *place)
{
  return open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static int open_some(OlWholeFile *file, gboolean in_place)
{
  struct stat old;
  gboolean exists = stat(file->place, &old) == 0;
  file->is_plain = !exists || S_ISREG(old.st_mode);
  if (!file->is_plain)
    return open_in_place(file->place);
  /* A rename asks nobody whether the file itself may be written. */
  if (exists && access(file->place, W_OK) != 0)
    return -1;
  int fd = open_fresh(file, exists ? &old : NULL);
  if (fd < 0 && exists && in_place && (errno == EACCES || errno == EPERM || errno == EROFS))
    fd = open_in_place(file->place);
  return fd;
}

static void free_file(OlWholeFile *file)
{
  g_free(file->path);
  g_free(file->place);
  g_free(file->fresh);
  g_free(file);
}

static OlWholeFile *open_file(const char *path, gboolean in_place, GError **error)
{
  OlWholeFile *file = g_new0(OlWholeFile, 1);
  file->path = g_strdup(path);
  file->place = dup_place(path);
  int fd = open_some(file, in_place);
  if (fd >= 0)
    file->stream = fdopen(fd, "w");
  if (file->stream == NULL) {
    fail(path, errno, error);
    free_file(file);
    return NULL;
  }
  return file;
}

OlWholeFile *ol_whole_file_open(const char *path, GError **error)
{
  return open_file(path, TRUE, error);
}

gboolean ol_whole_file_write(OlWholeFile *file, gconstpointer bytes, gsize length, GError **error)
{
  return fwrite(bytes, 1, length, file->stream) == length || fail(file->path, errno, error);
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

static gboolean take_name(const OlWholeFile *file)
{
  if (file->fresh == NULL)
    return TRUE;
  if (rename(file->fresh, file->place) != 0)
    return FALSE;
  sync_folder(file->place);
  return TRUE;
}

/* Everything on the disk before the name is; a pipe has no disk to wait for. */
static gboolean finish(OlWholeFile *file)
{
  gboolean fine = fflush(file->stream) == 0 &&
                  (!file->is_plain || fsync(fileno(file->stream)) == 0 || errno == EINVAL);
  int number = errno;
  if (fclose(file->stream) != 0 && fine)
    return FALSE;
  errno = number;
  return fine && take_name(file);
}

/* Half a file is of no use. */
static void remove_rest(const OlWholeFile *file)
{
  if (file->fresh != NULL)
    unlink(file->fresh);
  else if (file->is_plain)
    unlink(file->place);
}

gboolean ol_whole_file_keep(OlWholeFile *file, GError **error)
{
  gboolean fine = finish(file) || fail(file->path, errno, error);
  if (!fine)
    remove_rest(file);
  free_file(file);
  return fine;
}

void ol_whole_file_drop(OlWholeFile *file)
{
  fclose(file->stream);
  remove_rest(file);
  free_file(file);
}

gboolean ol_whole_file_replace(const char *path, const char *text, gsize length, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path);
  if (g_mkdir_with_parents(folder, 0700) != 0)
    return fail(path, errno, error);
  OlWholeFile *file = open_file(path, FALSE, error);
  if (file == NULL)
    return FALSE;
  if (ol_whole_file_write(file, text, length, error))
    return ol_whole_file_keep(file, error);
  ol_whole_file_drop(file);
  return FALSE;
}

static gboolean is_left_behind(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         g_get_real_time() / G_USEC_PER_SEC - status.st_mtime > LEFT_BEHIND_SECONDS;
}

void ol_whole_file_sweep(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *candidate = g_build_filename(folder, name, NULL);
    if (g_str_has_prefix(name, NEW) && is_left_behind(candidate))
      unlink(candidate);
  }
}

char *ol_whole_file_move_aside(const char *path, GError **error)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  g_autofree char *time = g_date_time_format(now, "%Y%m%dT%H%M%SZ");
  g_autofree char *name = g_strdup_printf("%s.damaged-%s", path, time);
  for (guint i = 2; g_file_test(name, G_FILE_TEST_EXISTS) && i < 1000; i++) {
    g_free(name);
    name = g_strdup_printf("%s.damaged-%s-%u", path, time, i);
  }
  if (rename(path, name) == 0 || errno == ENOENT)
    return g_steal_pointer(&name);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("%s: cannot be kept aside as %s: %s"), path,
              name, g_strerror(errno));
  return NULL;
}
