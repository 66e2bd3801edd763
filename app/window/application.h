/* The program: courses, the learner's progress, looks, and the one window. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OL_APPLICATION_ID "org.offloadlab.OffloadLab"

#define OL_TYPE_APPLICATION (ol_application_get_type())
G_DECLARE_FINAL_TYPE(OlApplication, ol_application, OL, APPLICATION, AdwApplication)

OlApplication *ol_application_new(void);

G_END_DECLS
