#include "tests/charts/scenes.h"

#include "engine/trace/critical-path.h"
#include "tests/charts/rank-trace.h"

#include <math.h>

/* Sixty ems, as in a large window, and forty-four. */
#define WIDE   540
#define NARROW 400

static Scene make_empty(void)
{
  return scene_new(NULL);
}

/* One block, one step. */
static Scene make_tiny(void)
{
  return scene_new(sample_trace_new(&(SampleOptions){.steps = 1, .blocks = 1}));
}

static Scene make_typical(void)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  scene.view.cursor_ns = scene.view.end_ns * 3 / 4;
  scene.view.selected_span = 40;
  return scene;
}

/* A span with what it waited for, what waited for it and what it holds; and the critical path. */
static Scene make_selected(void)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  guint first, n;
  ol_trace_index_find(scene.index, 0, OL_LANE_HOST_UPDATE, scene.view.end_ns * 3 / 4,
                      scene.view.end_ns, &first, &n);
  guint span = ol_trace_index_lane_span(scene.index, 0, OL_LANE_HOST_UPDATE, first);
  scene.view.selected_span = (int)span;
  scene.view.ties = scene.ties = ol_ties_new_of_span(&scene.view, (int)span);
  scene.view.critical = scene.critical = ol_critical_path(scene.trace, 0);
  return scene;
}

/* A buffer of activations, and the spans that made and freed it. */
static Scene make_layer(void)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1}));
  gint64 when;
  OlHeld held;
  ol_trace_index_payload_peak(scene.index, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, &when);
  if (ol_held_at(&scene.view, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, when, 0, &held))
    scene.view.ties = scene.ties = ol_ties_new_of_layer(&scene.view, &held, when);
  return scene;
}

/* Held in the middle of a step: what comes next, and what waits for the links. */
static Scene make_held(void)
{
  g_autoptr(OlTrace) whole = sample_trace_new(&(SampleOptions){.steps = 2});
  const OlStep *step = ol_trace_step(whole, 1);
  gint64 when = step->begin_ns + (step->end_ns - step->begin_ns) * 2 / 3;
  Scene scene = scene_new(sample_trace_until(whole, when));
  scene.view.end_ns += scene.view.end_ns / 8;
  scene.view.is_stepping = TRUE;
  return scene;
}

/* Cut in the middle of a forward pass, on a GPU in which the next block's activations do not fit.
 */
static Scene make_out_of_memory(void)
{
  g_autoptr(OlTrace) whole = sample_trace_new(&(SampleOptions){.steps = 1});
  const OlStep *step = ol_trace_step(whole, 0);
  gint64 cut_ns = step->begin_ns + (step->end_ns - step->begin_ns) / 5;
  OlTrace *trace = sample_trace_until(whole, cut_ns);
  gint64 bytes[OL_N_PAYLOADS], held = 0;
  OlTraceIndex *index = ol_trace_index_new(trace);
  ol_trace_index_memory_at(index, 0, OL_TIER_GPU, cut_ns, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    held += bytes[p];
  ol_trace_index_free(index);
  g_array_index(trace->header.capacities, guint64, OL_TIER_GPU) = (guint64)held + (1 << 20);
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY,
               "out of memory on GPU: 2.00 MiB of activations asked, 1.00 MiB free",
               "activations 8.00 MiB");
  return scene_new(trace);
}

/* A block far larger than what is left, refused before anything was computed. */
static Scene make_refused_home(void)
{
  g_autoptr(OlTrace) whole = sample_trace_new(&(SampleOptions){.steps = 1});
  OlTrace *trace = sample_trace_until(whole, -1);
  for (guint i = 0; i < whole->graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(whole->graph, i);
    OlMemoryChange change = {.buffer = i, .bytes = (gint64)buffer->bytes};
    if (buffer->kind == OL_BUFFER_HOME && buffer->tier == OL_TIER_GPU)
      g_array_append_val(trace->changes, change);
    else if (buffer->kind == OL_BUFFER_HOME)
      break;
  }
  g_array_index(trace->header.capacities, guint64, OL_TIER_HOST) = 1 << 16;
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY, "out of memory on host", NULL);
  return scene_new(trace);
}

/* So many steps that spans become columns. */
static Scene make_dense(void)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 90}));
  scene.view.shown_lane = OL_LANE_GPU_TO_HOST;
  return scene;
}

/* Eight ranks on all three axes; a second one is unfolded in the lanes. */
static void set_guess(Scene *scene, OlGuess guess)
{
  scene->view.guess = scene->guess = g_memdup2(&guess, sizeof guess);
}

/* A prediction that can still be dragged, before anything has run. */
static Scene make_guess_open(void)
{
  Scene scene = scene_new(NULL);
  set_guess(&scene, (OlGuess){.tier = OL_TIER_GPU,
                              .capacity = 46.9e6,
                              .predicted = 9.4e6,
                              .measured = NAN,
                              .is_open = TRUE,
                              .said = (char *)"8 B"});
  return scene;
}

/* Locked, and beside it what the run measured: where the second payload begins. */
static Scene make_guess_measured(void)
{
  Scene scene = make_typical();
  double capacity = (double)ol_trace_capacity(scene.trace, 0, OL_TIER_GPU);
  set_guess(&scene, (OlGuess){.tier = OL_TIER_GPU,
                              .first = OL_PAYLOAD_GRADIENTS,
                              .capacity = capacity,
                              .predicted = capacity / 5,
                              .measured = capacity / 3,
                              .said = (char *)"predicted 8 B",
                              .found = (char *)"measured 12 B"});
  return scene;
}

static Scene make_ranks(void)
{
  static const guint8 open[8] = {
      [3] = 1 << OL_CHART_LANES | 1 << OL_CHART_MEMORY, [4] = 1 << OL_CHART_LANES};
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){2, 2, 2, 4, 2}));
  scene.view.rank = 3;
  scene.view.open_ranks = open;
  scene.view.cursor_ns = scene.view.end_ns / 3;
  return scene;
}

/* In the selected rank's small box. */
static Scene make_guess_ranks(void)
{
  Scene scene = make_ranks();
  double capacity = (double)ol_trace_capacity(scene.trace, scene.view.rank, OL_TIER_GPU);
  set_guess(&scene, (OlGuess){.tier = OL_TIER_GPU,
                              .capacity = capacity,
                              .predicted = capacity / 2,
                              .measured = capacity / 4,
                              .said = (char *)"predicted 8 B",
                              .found = (char *)"measured 4.06 B"});
  return scene;
}

/* A folded rank of four ran out of memory: its weights found no room on the GPU. */
static Scene make_refused_rank(void)
{
  static const guint8 open[4] = {1 << OL_CHART_MEMORY | 1 << OL_CHART_LANES};
  g_autoptr(OlTrace) whole = rank_trace_new(&(RankTraceOptions){1, 4, 1, 2, 1});
  OlTrace *trace = sample_trace_until(whole, -1);
  for (guint i = 0; i < whole->graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(whole->graph, i);
    OlMemoryChange change = {.buffer = i, .bytes = (gint64)buffer->bytes};
    if (buffer->kind == OL_BUFFER_HOME && !(buffer->rank == 2 && buffer->tier == OL_TIER_GPU))
      g_array_append_val(trace->changes, change);
  }
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY, "out of memory on GPU of rank 2", NULL);
  Scene scene = scene_new(trace);
  scene.view.rank = 0;
  scene.view.open_ranks = open;
  return scene;
}

/* A pipeline alone, in a narrow window. */
static Scene make_stages(void)
{
  return scene_new(rank_trace_new(&(RankTraceOptions){1, 4, 1, 4, 2}));
}

/* With overlap, in front of the same without. */
static Scene make_compared(void)
{
  static OlPinnedRun run;
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 3}));
  scene.other = sample_trace_new(&(SampleOptions){.steps = 2, .serial = TRUE});
  scene.other_index = ol_trace_index_new(scene.other);
  run = (OlPinnedRun){scene.other, scene.other_index, "run 1, pinned", TRUE};
  scene.view.pinned = &run;
  scene.view.begin_ns = ol_trace_step(scene.trace, 1)->begin_ns;
  scene.view.cursor_ns = (scene.view.begin_ns + scene.view.end_ns) / 2;
  return scene;
}

/* A scene in every look: large is as in a small window with text of 200 % and more, thirty ems.
 * Bits of `images` say of which a picture is kept, too. */
enum { LIGHT = 1, DARK = 2, HIGH = 4, HIGH_DARK = 8, LARGE = 16 };
#define ONCE  REFERENCE_TEXT
#define TWICE (2 * REFERENCE_TEXT)
#define SCENE(name, look, high, text, width, calls, image, make)                                   \
  {                                                                                                \
    name, look, high, text, width, calls, (image) != 0, make                                       \
  }
#define IN_EVERY_LOOK(name, width, images, make)                                                   \
  SCENE(name, OL_LOOK_LIGHT, FALSE, ONCE, width, CALLS, (images)&LIGHT, make),                     \
      SCENE(name "-dark", OL_LOOK_DARK, FALSE, ONCE, width, PACKED_CALLS, (images)&DARK, make),    \
      SCENE(name "-high", OL_LOOK_LIGHT, TRUE, ONCE, width, PACKED_CALLS, (images)&HIGH, make),    \
      SCENE(name "-high-dark", OL_LOOK_DARK, TRUE, ONCE, width, PACKED_CALLS, (images)&HIGH_DARK,  \
            make),                                                                                 \
      SCENE(name "-large", OL_LOOK_LIGHT, FALSE, TWICE, WIDE, PACKED_CALLS, (images)&LARGE, make)

const ReferenceScene *reference_scenes(guint *n)
{
  static const ReferenceScene scenes[] = {
      IN_EVERY_LOOK("empty", WIDE, LIGHT | HIGH, make_empty),
      IN_EVERY_LOOK("tiny", WIDE, LIGHT | LARGE, make_tiny),
      IN_EVERY_LOOK("typical", WIDE, LIGHT | DARK | HIGH | HIGH_DARK | LARGE, make_typical),
      IN_EVERY_LOOK("ranks", WIDE, LIGHT | DARK | HIGH | LARGE, make_ranks),
      IN_EVERY_LOOK("out-of-memory", NARROW, DARK | HIGH | LARGE, make_out_of_memory),
      {"selected", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_selected},
      {"layer", OL_LOOK_DARK, FALSE, ONCE, NARROW, CALLS, TRUE, make_layer},
      {"held", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_held},
      {"refused-home", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_refused_home},
      {"refused-rank", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_refused_rank},
      {"stages", OL_LOOK_DARK, FALSE, ONCE, NARROW, CALLS, FALSE, make_stages},
      {"compared", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_compared},
      {"compared-dark", OL_LOOK_DARK, FALSE, ONCE, NARROW, NO_CALLS, TRUE, make_compared},
      {"guess-open", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, TRUE, make_guess_open},
      {"guess-measured", OL_LOOK_DARK, FALSE, ONCE, WIDE, CALLS, TRUE, make_guess_measured},
      {"guess-ranks", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, PACKED_CALLS, FALSE, make_guess_ranks},
      {"dense", OL_LOOK_LIGHT, FALSE, ONCE, WIDE, CALLS, FALSE, make_dense},
  };
  *n = G_N_ELEMENTS(scenes);
  return scenes;
}

OlChartStyle *reference_style(const ReferenceScene *reference)
{
  return ol_chart_style_new(reference->look, reference->high_contrast, reference->text, NULL);
}

/* Loss and speed is kept where two runs are compared. */
static int last_chart(const Scene *scene)
{
  return scene->view.pinned != NULL ? OL_CHART_LOSS : OL_CHART_LANES;
}

double reference_height(const Scene *scene, const OlChartStyle *style, double width)
{
  double height = 0;
  for (int chart = 0; chart <= last_chart(scene); chart++)
    height += ol_chart_height((OlChart)chart, &scene->view, style, width);
  return height;
}

void reference_draw(cairo_t *cairo, const Scene *scene, const OlChartStyle *style, double width)
{
  for (int chart = 0; chart <= last_chart(scene); chart++) {
    double height = ol_chart_height((OlChart)chart, &scene->view, style, width);
    ol_chart_draw((OlChart)chart, cairo, width, height, &scene->view, style);
    cairo_translate(cairo, 0, height);
  }
}

char *reference_path(const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat(name, suffix, NULL);
  const char *folder = g_getenv("OL_REFERENCE_FOLDER");
  return g_build_filename(folder != NULL ? folder : "tests/charts/reference", file, NULL);
}

gboolean reference_is_renewed(void)
{
  return g_strcmp0(g_getenv("OL_UPDATE_REFERENCE"), "1") == 0;
}
