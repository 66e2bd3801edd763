/* The scenes whose drawing is kept under reference/. */
#pragma once

#include "tests/charts/views.h"

typedef struct {
  const char *name;
  OlLook look;
  int width;                     /* units, at a text of REFERENCE_TEXT */
  gboolean has_calls, has_image; /* what is kept of it */
  Scene (*make)(void);
} ReferenceScene;

const ReferenceScene *reference_scenes(guint *n);

/* All three views, one below the other. */
double reference_height(const Scene *scene, const OlChartStyle *style, double width);
void reference_draw(cairo_t *cairo, const Scene *scene, const OlChartStyle *style, double width);

#define REFERENCE_TEXT 9

/* reference/<name><suffix> of the source tree. Caller frees. */
char *reference_path(const char *name, const char *suffix);
/* Whether the references are to be written anew: OL_UPDATE_REFERENCE=1. */
gboolean reference_is_renewed(void);
