/* Loaded before the window by LD_PRELOAD: writes a line to the file that $FRAME_COUNTER names for
 * every frame that was drawn, when it was done: the time on the monotonic clock in ns. A frame in
 * which nothing looks different is not drawn and does not count. */
#include <gtk/gtk.h>
#include <stdio.h>
#include <time.h>

typedef struct {
  FILE *file;
  gboolean drawn; /* since the last frame was done */
} Counter;

static gboolean on_render(GSignalInvocationHint *hint G_GNUC_UNUSED, guint n G_GNUC_UNUSED,
                          const GValue *values, gpointer data)
{
  Counter *counter = data;
  counter->drawn |= GDK_IS_TOPLEVEL(g_value_get_object(values));
  return TRUE;
}

static gboolean on_after_paint(GSignalInvocationHint *hint G_GNUC_UNUSED, guint n G_GNUC_UNUSED,
                               const GValue *values G_GNUC_UNUSED, gpointer data)
{
  Counter *counter = data;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (counter->drawn)
    fprintf(counter->file, "%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
  counter->drawn = FALSE;
  return TRUE;
}

/* A signal is there once its class is. */
static void watch(GType type, const char *signal, GSignalEmissionHook hook, Counter *counter)
{
  g_type_class_unref(g_type_class_ref(type));
  g_signal_add_emission_hook(g_signal_lookup(signal, type), 0, hook, counter, NULL);
}

__attribute__((constructor)) static void begin(void)
{
  const char *path = g_getenv("FRAME_COUNTER");
  FILE *file = path != NULL ? fopen(path, "we") : NULL;
  g_unsetenv("LD_PRELOAD"); /* the engine is no window */
  if (file == NULL)
    return;
  setvbuf(file, NULL, _IOLBF, 0);
  Counter *counter = g_new0(Counter, 1);
  counter->file = file;
  watch(GDK_TYPE_SURFACE, "render", on_render, counter);
  watch(GDK_TYPE_FRAME_CLOCK, "after-paint", on_after_paint, counter);
}
