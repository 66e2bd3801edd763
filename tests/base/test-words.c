/* Every word has one nick, that finds it again, and a name. */
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/words.h"
#include "tests/suite.h"

#include <string.h>

/* The table below holds ints; each kind of word gets a function that takes one. */
#define TAKES_INT(type, Type)                                                                      \
  static const char *type##_nick(int value)                                                        \
  {                                                                                                \
    return ol_##type##_nick((Type)value);                                                          \
  }

TAKES_INT(tier, OlTier)
TAKES_INT(payload, OlPayload)
TAKES_INT(lane, OlLane)
TAKES_INT(op, OlOp)
TAKES_INT(part, OlPart)
TAKES_INT(source, OlSource)
TAKES_INT(outcome, OlOutcome)

static const struct {
  const char *type;
  const char *(*nick)(int);
  int (*from_nick)(const char *, gssize);
  int n;
} words[] = {
    {"tier", tier_nick, ol_tier_from_nick, OL_N_TIERS},
    {"payload", payload_nick, ol_payload_from_nick, OL_N_PAYLOADS},
    {"lane", lane_nick, ol_lane_from_nick, OL_N_LANES},
    {"op", op_nick, ol_op_from_nick, OL_N_OPS},
    {"part", part_nick, ol_part_from_nick, OL_N_PARTS},
    {"source", source_nick, ol_source_from_nick, OL_N_SOURCES},
    {"outcome", outcome_nick, ol_outcome_from_nick, OL_N_OUTCOMES},
};

START_TEST(nicks_round_trip)
{
  for (int value = 0; value < words[_i].n; value++) {
    const char *nick = words[_i].nick(value);
    ck_assert_msg(*nick && strspn(nick, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(nick),
                  "%s %s", words[_i].type, nick);
    ck_assert_int_eq(words[_i].from_nick(nick, -1), value);
    g_autofree char *longer = g_strconcat(nick, "x", NULL);
    ck_assert_int_eq(words[_i].from_nick(longer, -1), -1);
    ck_assert_int_eq(words[_i].from_nick(longer, strlen(nick)), value); /* needs no NUL */
    ck_assert_int_eq(words[_i].from_nick(nick, strlen(nick) - 1), -1);
  }
  ck_assert_int_eq(words[_i].from_nick("", -1), -1);
}
END_TEST

/* Files and metric paths depend on these spellings (contracts.md). */
START_TEST(spellings_are_those_of_the_contract)
{
  static const char *const lanes[] = {"compute",   "gpu_to_host", "host_to_gpu", "host_update",
                                      "nvme_read", "nvme_write",  "peer"};
  static const char *const payloads[] = {"weights", "gradients",   "master", "moment1",
                                         "moment2", "activations", "staging"};
  for (int i = 0; i < OL_N_LANES; i++)
    ck_assert_str_eq(ol_lane_nick(i), lanes[i]);
  for (int i = 0; i < OL_N_PAYLOADS; i++)
    ck_assert_str_eq(ol_payload_nick(i), payloads[i]);
  ck_assert_str_eq(ol_tier_nick(OL_TIER_NVME), "nvme");
  ck_assert_str_eq(ol_outcome_nick(OL_OUTCOME_OUT_OF_MEMORY), "out_of_memory");
}
END_TEST

START_TEST(names_are_text_for_people)
{
  for (int i = 0; i < OL_N_LANES; i++)
    ck_assert(*ol_lane_name(i) && g_utf8_validate(ol_lane_name(i), -1, NULL));
  for (int i = 0; i < OL_N_PAYLOADS; i++)
    ck_assert(*ol_payload_name(i) && g_utf8_validate(ol_payload_name(i), -1, NULL));
  for (int i = 0; i < OL_N_OPS; i++)
    ck_assert(*ol_op_name(i) && g_utf8_validate(ol_op_name(i), -1, NULL));
  for (int i = 0; i < OL_N_TIERS; i++)
    ck_assert(*ol_tier_name(i) && g_utf8_validate(ol_tier_name(i), -1, NULL));
}
END_TEST

START_TEST(the_clock_never_goes_back)
{
  gint64 last = ol_clock_now_ns();
  for (int i = 0; i < 10000; i++) {
    gint64 now = ol_clock_now_ns();
    ck_assert_int_ge(now, last);
    last = now;
  }
}
END_TEST

START_TEST(the_error_domain_has_its_name)
{
  ck_assert_str_eq(g_quark_to_string(OL_ERROR), "ol-error-quark");
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("words");
  tcase_add_loop_test(tcase, nicks_round_trip, 0, G_N_ELEMENTS(words));
  tcase_add_test(tcase, spellings_are_those_of_the_contract);
  tcase_add_test(tcase, names_are_text_for_people);
  tcase_add_test(tcase, the_clock_never_goes_back);
  tcase_add_test(tcase, the_error_domain_has_its_name);
  return run_suite("words", tcase);
}
