/* Choices one below the other, of which at most one is chosen: by mouse, by Tab and Space, or by
 * the keys 1-4 and A-D from anywhere in the window. */
#pragma once

#include "app/window/choice-button.h"
#include "lessons/course.h"

G_BEGIN_DECLS

#define OL_TYPE_CHOICE_GROUP (ol_choice_group_get_type())
G_DECLARE_FINAL_TYPE(OlChoiceGroup, ol_choice_group, OL, CHOICE_GROUP, GtkBox)

/* Signal "chosen": (guint position), by the learner. */
GtkWidget *ol_choice_group_new(void);
void ol_choice_group_set_texts(OlChoiceGroup *group, const char *const *texts, guint n);
/* The texts of n options in the order that they are shown in: [n], position → option. */
void ol_choice_group_set_options(OlChoiceGroup *group, const OlOption *options, const guint *order,
                                 guint n);
/* -1: none. Emits nothing. */
void ol_choice_group_set_chosen(OlChoiceGroup *group, int position);
void ol_choice_group_set_verdict(OlChoiceGroup *group, guint position, OlVerdict verdict);
/* Closed: what is chosen stays, and stays readable. */
void ol_choice_group_set_open(OlChoiceGroup *group, gboolean open);
void ol_choice_group_grab(OlChoiceGroup *group);

G_END_DECLS
