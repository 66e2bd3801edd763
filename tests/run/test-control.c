/* The hand on a run: commands, the gate before each node, the modelled clock. */
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/run/pace.h"
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>

#define MS               G_GINT64_CONSTANT(1000000)
#define LONG_ENOUGH_USEC 60000 /* for a thread that may move to have moved */

typedef struct {
  OlControl *control;
  OlPace *pace;
} Fixture;

static Fixture fixture_new(guint n_lanes)
{
  Fixture fixture = {ol_control_new(), NULL};
  fixture.pace = ol_pace_new(fixture.control, n_lanes);
  return fixture;
}

static void fixture_clear(Fixture *fixture)
{
  ol_pace_free(fixture->pace);
  ol_control_unref(fixture->control);
}

/* A lane that passes the gate some times, counting. */
typedef struct {
  OlPace *pace;
  guint lane;
  guint64 first, stride;
  guint nodes;
  atomic_uint passed;
  atomic_bool refused;
  pthread_t thread;
} Lane;

static void *pass_all(void *data)
{
  Lane *lane = data;
  for (guint i = 0; i < lane->nodes; i++) {
    guint64 following =
        i + 1 < lane->nodes ? lane->first + (i + 1) * lane->stride : OL_PACE_NO_MORE;
    if (!ol_pace_pass(lane->pace, lane->lane, following)) {
      atomic_store(&lane->refused, TRUE);
      break;
    }
    atomic_fetch_add(&lane->passed, 1);
  }
  return NULL;
}

static void start_lane(Lane *lane)
{
  ol_pace_set_next(lane->pace, lane->lane, lane->first);
  ck_assert_int_eq(pthread_create(&lane->thread, NULL, pass_all, lane), 0);
}

static void await_passed(Lane *lane, guint n)
{
  while (atomic_load(&lane->passed) < n)
    g_usleep(500);
}

START_TEST(test_commands)
{
  OlControl *control = ol_control_new();
  g_autoptr(GError) error = NULL;
  ck_assert(ol_control_command(control, "resume\n", &error));
  ck_assert(!ol_control_was_touched(control));
  ck_assert(ol_control_command(control, "speed 0.5", &error));
  ck_assert(ol_control_was_touched(control));
  ck_assert(ol_control_command(control, " pause ", &error));
  ck_assert(ol_control_command(control, "next", &error));
  ck_assert(!ol_control_is_stopped(control));
  ck_assert(ol_control_command(control, "stop", &error));
  ck_assert(ol_control_is_stopped(control));
  ol_control_unref(control);
}
END_TEST

START_TEST(test_unknown_commands_change_nothing)
{
  static const char *const bad[] = {"",           "Stop",      "stop now", "speed",     "speed x",
                                    "speed 0.01", "speed nan", "speed 51", "speed 1 2", "\xff\xfe"};
  OlControl *control = ol_control_new();
  for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    ck_assert(!ol_control_command(control, bad[i], &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
    ck_assert(g_utf8_validate(error->message, -1, NULL));
  }
  ck_assert(!ol_control_was_touched(control) && !ol_control_is_stopped(control));
  ol_control_unref(control);
}
END_TEST

START_TEST(test_no_other_speed_where_nothing_is_modelled)
{
  OlControl *control = ol_control_new();
  g_autoptr(GError) error = NULL;
  ol_control_forbid_speed(control);
  ck_assert(!ol_control_command(control, "speed 0.5", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert(!ol_control_was_touched(control));
  ol_control_unref(control);
}
END_TEST

START_TEST(test_next_takes_plan_order)
{
  Fixture f = fixture_new(2);
  Lane even = {.pace = f.pace, .lane = 0, .first = 0, .stride = 2, .nodes = 3};
  Lane odd = {.pace = f.pace, .lane = 1, .first = 1, .stride = 2, .nodes = 3};
  ol_pace_set_next(f.pace, 1, odd.first);
  ol_control_pause(f.control);
  start_lane(&even);
  start_lane(&odd);
  for (guint i = 0; i < 6; i++) {
    ol_control_next(f.control);
    await_passed(i % 2 == 0 ? &even : &odd, i / 2 + 1);
    ck_assert_uint_eq(atomic_load(&even.passed) + atomic_load(&odd.passed), i + 1);
  }
  pthread_join(even.thread, NULL);
  pthread_join(odd.thread, NULL);
  fixture_clear(&f);
}
END_TEST

START_TEST(test_pause_then_resume)
{
  Fixture f = fixture_new(1);
  Lane lane = {.pace = f.pace, .nodes = 1000, .stride = 1};
  ol_control_pause(f.control);
  start_lane(&lane);
  g_usleep(LONG_ENOUGH_USEC);
  ck_assert_uint_eq(atomic_load(&lane.passed), 0);
  ol_control_resume(f.control);
  pthread_join(lane.thread, NULL);
  ck_assert_uint_eq(atomic_load(&lane.passed), 1000);
  fixture_clear(&f);
}
END_TEST

START_TEST(test_stop_wakes_the_gate)
{
  Fixture f = fixture_new(1);
  Lane lane = {.pace = f.pace, .nodes = 1};
  ol_control_pause(f.control);
  start_lane(&lane);
  ol_control_stop(f.control);
  pthread_join(lane.thread, NULL);
  ck_assert(atomic_load(&lane.refused));
  fixture_clear(&f);
}
END_TEST

/* Someone who is held. */
typedef struct {
  OlPace *pace;
  gint64 due, late, took;
  gboolean open;
  atomic_bool ended;
  pthread_t thread;
} Held;

static void *hold(void *data)
{
  Held *held = data;
  gint64 begin = ol_clock_now_ns();
  held->open = ol_pace_hold(held->pace, 0, held->due, &held->late);
  held->took = ol_clock_now_ns() - begin;
  atomic_store(&held->ended, TRUE);
  return NULL;
}

START_TEST(test_hold_is_never_early)
{
  Fixture f = fixture_new(1);
  for (guint i = 1; i <= 5; i++) {
    Held held = {.pace = f.pace, .due = i * 2 * MS};
    ol_pace_start(f.pace);
    hold(&held);
    ck_assert(held.open);
    ck_assert_int_ge(held.late, 0);
    ck_assert_int_ge(held.took, held.due - MS / 2);
  }
  fixture_clear(&f);
}
END_TEST

START_TEST(test_what_is_past_due_is_not_held)
{
  Fixture f = fixture_new(1);
  ol_pace_start(f.pace);
  g_usleep(5000);
  Held held = {.pace = f.pace, .due = MS};
  hold(&held);
  ck_assert(held.open);
  ck_assert_int_ge(held.late, 4 * MS);
  fixture_clear(&f);
}
END_TEST

START_TEST(test_speed)
{
  Fixture f = fixture_new(1);
  ol_control_set_speed(f.control, 0.5);
  ol_pace_start(f.pace);
  Held slow = {.pace = f.pace, .due = 10 * MS};
  hold(&slow);
  ck_assert_int_ge(slow.took, 19 * MS);
  /* 3 s of modelled time in 60 ms: far less than 3 s on any machine. */
  ol_control_set_speed(f.control, 50);
  Held quick = {.pace = f.pace, .due = 3000 * MS};
  hold(&quick);
  ck_assert_int_ge(quick.took, 55 * MS);
  ck_assert_int_lt(quick.took, 2500 * MS);
  fixture_clear(&f);
}
END_TEST

START_TEST(test_pause_stops_modelled_time)
{
  Fixture f = fixture_new(1);
  Held held = {.pace = f.pace, .due = 20 * MS};
  ol_pace_start(f.pace);
  ol_control_pause(f.control);
  ck_assert_int_eq(pthread_create(&held.thread, NULL, hold, &held), 0);
  g_usleep(LONG_ENOUGH_USEC);
  ck_assert(!atomic_load(&held.ended));
  ol_control_resume(f.control);
  pthread_join(held.thread, NULL);
  ck_assert(held.open);
  ck_assert_int_ge(held.late, 0);
  fixture_clear(&f);
}
END_TEST

START_TEST(test_a_step_by_hand_moves_time_on)
{
  Fixture f = fixture_new(1);
  Held held = {.pace = f.pace, .due = 20 * MS};
  ol_pace_start(f.pace);
  ol_control_pause(f.control);
  ck_assert_int_eq(pthread_create(&held.thread, NULL, hold, &held), 0);
  ol_control_next(f.control);
  pthread_join(held.thread, NULL);
  ck_assert(held.open);
  ck_assert_int_eq(held.late, 0); /* and no further than to its due */
  fixture_clear(&f);
}
END_TEST

START_TEST(test_stop_and_close_end_a_hold)
{
  for (guint close = 0; close < 2; close++) {
    Fixture f = fixture_new(1);
    Held held = {.pace = f.pace, .due = 3600 * OL_NS_PER_SECOND};
    ol_pace_start(f.pace);
    ck_assert_int_eq(pthread_create(&held.thread, NULL, hold, &held), 0);
    if (close)
      ol_pace_close(f.pace);
    else
      ol_control_stop(f.control);
    pthread_join(held.thread, NULL);
    ck_assert(!held.open);
    fixture_clear(&f);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("control");
  TCase *commands = tcase_create("commands");
  tcase_add_test(commands, test_commands);
  tcase_add_test(commands, test_unknown_commands_change_nothing);
  tcase_add_test(commands, test_no_other_speed_where_nothing_is_modelled);
  suite_add_tcase(suite, commands);
  TCase *gate = tcase_create("gate");
  tcase_add_test(gate, test_next_takes_plan_order);
  tcase_add_test(gate, test_pause_then_resume);
  tcase_add_test(gate, test_stop_wakes_the_gate);
  suite_add_tcase(suite, gate);
  TCase *clock = tcase_create("clock");
  tcase_add_test(clock, test_hold_is_never_early);
  tcase_add_test(clock, test_what_is_past_due_is_not_held);
  tcase_add_test(clock, test_speed);
  tcase_add_test(clock, test_pause_stops_modelled_time);
  tcase_add_test(clock, test_a_step_by_hand_moves_time_on);
  tcase_add_test(clock, test_stop_and_close_end_a_hold);
  suite_add_tcase(suite, clock);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
