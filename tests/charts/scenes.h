/* The scenes whose drawing is kept under reference/. */
#pragma once

#include "tests/charts/views.h"

/* How the list of a scene's drawing calls is kept: to be read, or small. */
typedef enum { NO_CALLS, CALLS, PACKED_CALLS } KeptCalls;

typedef struct {
  const char *name;
  OlLook look;
  gboolean high_contrast;
  double text; /* units an em */
  int width;   /* units */
  KeptCalls calls;
  gboolean has_image;
  Scene (*make)(void);
} ReferenceScene;

const ReferenceScene *reference_scenes(guint *n);

/* In the scene's look; free with ol_chart_style_free(). */
OlChartStyle *reference_style(const ReferenceScene *reference);

/* All three views, one below the other. */
double reference_height(const Scene *scene, const OlChartStyle *style, double width);
void reference_draw(cairo_t *cairo, const Scene *scene, const OlChartStyle *style, double width);

#define REFERENCE_TEXT 9

/* reference/<name><suffix> of the source tree. Caller frees. */
char *reference_path(const char *name, const char *suffix);
/* Whether the references are to be written anew: OL_UPDATE_REFERENCE=1. */
gboolean reference_is_renewed(void);
