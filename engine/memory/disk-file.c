#include "engine/base/error.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/memory/disk-private.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

/* What a person can do about it. */
static const char *advice(int failure)
{
  switch (failure) {
  case ENOENT:
    return _("make it, or name another in hardware.nvme_folder");
  case EACCES:
  case EPERM:
  case EROFS:
    return _("name a folder that you may write in hardware.nvme_folder");
  case EFBIG:
    return _("raise the file size limit (ulimit -f), or use a smaller model");
  case ENOSPC:
  case EDQUOT:
    return _("free some, name another folder in hardware.nvme_folder, or use a smaller model");
  default:
    return _("name another folder in hardware.nvme_folder");
  }
}

static gboolean refuse_folder(const char *folder, int failure, GError **error)
{
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
              _("the NVMe tier cannot have a file in %s: %s; %s"), folder, g_strerror(failure),
              advice(failure));
  return FALSE;
}

static gboolean refuse_room(const OlDiskFile *file, guint64 bytes, int failure, GError **error)
{
  g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
  g_autofree char *left = NULL;
  struct statvfs space;

  if (fstatvfs(file->descriptor, &space) == 0)
    left = ol_measure_dup_bytes((double)space.f_bavail * (double)space.f_frsize);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
              _("the NVMe tier cannot reserve %s in %s: %s (%s is free); %s"), asked, file->folder,
              g_strerror(failure), left ? left : _("an unknown amount"), advice(failure));
  return FALSE;
}

/* The file is unlinked before anything is written to it; only a death between these two lines
 * could leave it, and then empty. */
static int open_and_unlink(const char *folder, const OlDiskSystem *system)
{
  g_autofree char *pattern = g_build_filename(folder, ".offload-lab-XXXXXX", NULL);
  int file = system->open_named(pattern);
  if (file >= 0)
    unlink(pattern);
  return file;
}

/* Some file systems know no unnamed files, and say so in one of three ways. */
static int open_nameless(const char *folder, const OlDiskSystem *system)
{
  int file = system->open_unnamed(folder);
  if (file == -EOPNOTSUPP || file == -EISDIR || file == -EINVAL)
    file = open_and_unlink(folder, system);
  return file;
}

/* Some let O_DIRECT be set and then refuse every transfer: one is tried. */
static gboolean go_direct(const OlDiskFile *file, const OlDiskSystem *system)
{
  if (system->set_direct(file->descriptor, TRUE) != 0)
    return FALSE;
  void *block = aligned_alloc(OL_DISK_ALIGNMENT, OL_DISK_ALIGNMENT);
  gssize answer = block ? system->read_at(file->descriptor, block, OL_DISK_ALIGNMENT, 0) : -ENOMEM;
  free(block);
  return answer > 0 || system->set_direct(file->descriptor, FALSE) != 0;
}

/* Asked for here because the kernel answers a file beyond the limit with a deadly signal. */
static gboolean over_size_limit(guint64 bytes)
{
  struct rlimit limit;
  return bytes > G_MAXINT64 || (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                                limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur);
}

gboolean ol_disk_file_open(OlDiskFile *file, const char *folder, guint64 bytes,
                           const OlDiskSystem *system, GError **error)
{
  struct statfs type;
  int failure;

  *file = (OlDiskFile){.descriptor = -1};
  file->folder =
      folder ? g_strdup(folder) : g_build_filename(g_get_user_cache_dir(), "offload-lab", NULL);
  if (!folder && g_mkdir_with_parents(file->folder, 0700) != 0)
    return refuse_folder(file->folder, errno, error);

  file->descriptor = open_nameless(file->folder, system);
  if (file->descriptor < 0)
    return refuse_folder(file->folder, -file->descriptor, error);
  file->in_memory = fstatfs(file->descriptor, &type) == 0 &&
                    (type.f_type == TMPFS_MAGIC || type.f_type == RAMFS_MAGIC);

  failure = over_size_limit(bytes) ? EFBIG : -system->reserve(file->descriptor, bytes);
  if (failure)
    return refuse_room(file, bytes, failure, error);
  file->direct = go_direct(file, system);
  return TRUE;
}

void ol_disk_file_close(OlDiskFile *file)
{
  if (file->descriptor >= 0)
    close(file->descriptor);
  g_free(file->folder);
}
