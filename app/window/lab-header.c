#include "app/window/lab-header.h"

#include "app/charts/chart-table.h"
#include "app/window/learner-button.h"
#include "app/window/scale-button.h"
#include "engine/base/intl.h"
#include <adwaita.h>

struct _OlLabHeader {
  GtkBox parent_instance;
  GtkWidget *run, *stop, *one_op, *scale, *columns, *lesson, *bench;
  GtkWidget *news; /* a dot on the lesson's half of the switch: go on there */
  OlLearnerButton *learner;
  AdwWindowTitle *title;
  gboolean is_very_narrow;
};

G_DEFINE_FINAL_TYPE(OlLabHeader, ol_lab_header, GTK_TYPE_BOX)

static void set_css_class(GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

void ol_lab_header_refresh(OlLabHeader *self, OlLessonWork *work, gboolean busy)
{
  const OlCourse *course = ol_lesson_work_get_course(work);
  const char *title = ol_lesson_work_get_lesson(work)->title;
  gboolean is_lesson = ol_lesson_work_is_lesson(work);
  g_autofree char *number =
      is_lesson
          ? g_strdup_printf(_("%u of %u"), ol_lesson_work_get_position(work) + 1, course->n_lessons)
          : g_strdup(title);
  g_autofree char *place = is_lesson ? g_strdup_printf("%s · %s · %s", course->title, number, title)
                                     : g_strdup_printf("%s · %s", course->title, title);

  adw_window_title_set_subtitle(self->title, self->is_very_narrow ? number : place);
  /* One place for both: while a run is under way there is nothing else to run. */
  gtk_widget_set_visible(self->run, !busy);
  gtk_widget_set_visible(self->stop, busy);
}

void ol_lab_header_show_page(OlLabHeader *self, const char *title, gboolean busy)
{
  adw_window_title_set_subtitle(self->title, title);
  gtk_widget_set_visible(self->run, !busy);
  gtk_widget_set_visible(self->stop, busy);
  gtk_widget_set_visible(self->columns, FALSE);
  ol_lab_header_suggest(self, OL_SUGGEST_NOTHING);
}

void ol_lab_header_set_columns(OlLabHeader *self, gboolean folded, gboolean lesson_in_sight)
{
  gtk_widget_set_visible(self->columns, folded);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(lesson_in_sight ? self->lesson : self->bench),
                               TRUE);
}

void ol_lab_header_set_narrow(OlLabHeader *self, gboolean narrow, gboolean very)
{
  self->is_very_narrow = very;
  gtk_widget_set_visible(self->scale, !narrow);
  gtk_widget_set_visible(self->one_op, !narrow);
  ol_learner_button_set_narrow(self->learner, narrow);
}

void ol_lab_header_set_title_shown(OlLabHeader *self, gboolean shown)
{
  gtk_widget_set_visible(GTK_WIDGET(self->title), shown);
}

void ol_lab_header_suggest(OlLabHeader *self, OlSuggestion suggestion)
{
  set_css_class(self->run, "suggested-action", suggestion == OL_SUGGEST_RUN);
  gtk_widget_set_visible(self->news, suggestion == OL_SUGGEST_LESSON);
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(self->lesson), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      suggestion == OL_SUGGEST_LESSON ? _("The lesson goes on there") : "", -1);
}

static GtkWidget *make_button(const char *icon, const char *words, const char *action,
                              const char *tooltip)
{
  GtkWidget *button = gtk_button_new();
  GtkWidget *content = adw_button_content_new();

  adw_button_content_set_icon_name(ADW_BUTTON_CONTENT(content), icon);
  adw_button_content_set_label(ADW_BUTTON_CONTENT(content), words);
  gtk_button_set_child(GTK_BUTTON(button), content);
  gtk_widget_add_css_class(button, "raised");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_widget_set_tooltip_text(button, tooltip);
  return button;
}

/* The word, and at its corner a dot that takes no room. */
static GtkWidget *make_lesson_half(OlLabHeader *self)
{
  GtkWidget *button = gtk_toggle_button_new(), *both = gtk_overlay_new();

  self->news = g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                            "halign", GTK_ALIGN_END, "valign", GTK_ALIGN_START, NULL);
  gtk_widget_add_css_class(self->news, "news");
  gtk_overlay_set_child(GTK_OVERLAY(both), gtk_label_new(_("Lesson")));
  gtk_overlay_add_overlay(GTK_OVERLAY(both), self->news);
  gtk_button_set_child(GTK_BUTTON(button), both);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Lesson"),
                                 -1);
  return button;
}

/* A switch between the folded columns; pressing follows the window, not the other way round. */
static GtkWidget *make_switch(OlLabHeader *self)
{
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->lesson = make_lesson_half(self);
  self->bench = gtk_toggle_button_new_with_label(_("Bench"));
  gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(self->bench), GTK_TOGGLE_BUTTON(self->lesson));
  gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(self->lesson), "win.column::lesson");
  gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(self->bench), "win.column::bench");
  gtk_widget_add_css_class(both, "linked");
  gtk_widget_add_css_class(both, "column-switch");
  gtk_box_append(GTK_BOX(both), self->lesson);
  gtk_box_append(GTK_BOX(both), self->bench);
  return both;
}

/* A table each, by the name it has on screen. */
static GMenuModel *make_tables_menu(void)
{
  GMenu *menu = g_menu_new();

  for (int kind = 0; kind < OL_N_TABLES; kind++) {
    g_autofree char *action =
        g_strdup_printf("win.save-table::%s", ol_table_nick((OlTableKind)kind));
    g_menu_append(menu, ol_table_title((OlTableKind)kind), action);
  }
  return G_MENU_MODEL(menu);
}

static GMenuModel *make_files_menu(void)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenuModel) tables = make_tables_menu();

  g_menu_append(menu, _("Open a saved run…"), "win.open-run");
  g_menu_append(menu, _("Save the run…"), "win.save-run");
  g_menu_append(menu, _("Save the charts as a picture…"), "win.save-picture");
  g_menu_append_submenu(menu, _("Save a table as CSV"), tables);
  g_menu_append(menu, _("Save a trace for Perfetto…"), "win.save-trace");
  return G_MENU_MODEL(menu);
}

static GMenuModel *make_menu(void)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenuModel) files = make_files_menu();
  g_autoptr(GMenu) looks = g_menu_new(), units = g_menu_new(), rest = g_menu_new();

  g_menu_append(looks, _("As the desktop"), "app.look::follow");
  g_menu_append(looks, _("Light"), "app.look::light");
  g_menu_append(looks, _("Dark"), "app.look::dark");
  g_menu_append(units, _("This machine"), "win.units::here");
  g_menu_append(units, _("What it stands for"), "win.units::there");
  g_menu_append(rest, _("One op at a time"), "win.one-op");
  g_menu_append(rest, _("Classroom"), "win.open-page::classroom");
  g_menu_append(rest, _("Help"), "app.help");
  g_menu_append(rest, _("Keyboard shortcuts"), "app.shortcuts");
  g_menu_append(rest, _("About Offload Lab"), "app.about");
  g_menu_append_section(menu, NULL, files);
  g_menu_append_section(menu, _("Look"), G_MENU_MODEL(looks));
  g_menu_append_section(menu, _("Units"), G_MENU_MODEL(units));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(rest));
  return G_MENU_MODEL(menu);
}

static GtkWidget *make_menu_button(void)
{
  GtkWidget *button = gtk_menu_button_new();
  g_autoptr(GMenuModel) menu = make_menu();

  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "open-menu-symbolic");
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), menu);
  gtk_menu_button_set_primary(GTK_MENU_BUTTON(button), TRUE);
  gtk_widget_set_tooltip_text(button, _("Menu (F10)"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Menu"),
                                 -1);
  return button;
}

static void ol_lab_header_class_init(OlLabHeaderClass *class)
{
}

static void ol_lab_header_init(OlLabHeader *self)
{
}

GtkWidget *ol_lab_header_new(OlLabSession *session, OlProgress *progress)
{
  OlLabHeader *self = g_object_new(OL_TYPE_LAB_HEADER, NULL);
  AdwHeaderBar *bar = ADW_HEADER_BAR(adw_header_bar_new());
  GtkWidget *lessons = gtk_button_new_from_icon_name("sidebar-show-symbolic");

  gtk_actionable_set_action_name(GTK_ACTIONABLE(lessons), "win.lessons");
  gtk_widget_set_tooltip_text(lessons, _("Show or hide the lessons (F9)"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(lessons), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Show or hide the lessons"), -1);
  self->run = make_button("media-playback-start-symbolic", _("Run"), "win.run",
                          _("Make the next run (F5 or Ctrl+R)"));
  self->stop = make_button("media-playback-stop-symbolic", _("Stop"), "win.stop",
                           _("Stop the run (Escape)"));
  self->one_op =
      make_button("media-skip-forward-symbolic", _("One op"), "win.one-op",
                  _("One op at a time: begin a run held, or let the next node run (F8)"));
  self->scale = ol_scale_button_new(session);
  self->columns = make_switch(self);
  self->title = ADW_WINDOW_TITLE(adw_window_title_new(_("Offload Lab"), NULL));
  adw_header_bar_pack_start(bar, lessons);
  adw_header_bar_pack_start(bar, self->run);
  adw_header_bar_pack_start(bar, self->stop);
  adw_header_bar_pack_start(bar, self->one_op);
  adw_header_bar_pack_start(bar, self->scale);
  adw_header_bar_set_title_widget(bar, GTK_WIDGET(self->title));
  self->learner = OL_LEARNER_BUTTON(ol_learner_button_new(progress));
  adw_header_bar_pack_end(bar, make_menu_button());
  adw_header_bar_pack_end(bar, GTK_WIDGET(self->learner));
  adw_header_bar_pack_end(bar, self->columns);
  gtk_widget_set_hexpand(GTK_WIDGET(bar), TRUE);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(bar));
  return GTK_WIDGET(self);
}
