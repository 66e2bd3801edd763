#include "app/window/shortcuts-window.h"

#include "app/window/escape.h"
#include "app/window/fold-row.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include <adwaita.h>

#define MOST_ROWS 14

/* `keys` as GtkShortcutLabel reads them. */
typedef struct {
  const char *keys, *title;
} Shortcut;

typedef struct {
  const char *title;
  gboolean last_column;
  Shortcut shortcuts[MOST_ROWS];
} Group;

static const Group groups[] = {
    {N_("Lesson"),
     FALSE,
     {{"F5 <Control>r", N_("Make the next run")},
      {"Escape", N_("Stop the run")},
      {"1...4", N_("Choose an answer (or A to D)")},
      {"F8", N_("One op: begin a run held, then let the next node run")},
      {"<Shift>F8", N_("Hold the run, or let it go on")},
      {"<Alt>1...4", N_("Open predict, run, observe, answer")},
      {"<Control>Page_Up <Control>Up", N_("Lesson before")},
      {"<Control>Page_Down <Control>Down", N_("Next lesson")}}},
    {N_("Sandbox and Scale up"),
     FALSE,
     {{"<Control>o", N_("Open a config")},
      {"<Control>s", N_("Save the config")},
      {"<Control>z", N_("Undo the last change")},
      {"<Control><Shift>z <Control>y", N_("Redo")}}},
    {N_("Files"),
     FALSE,
     {{"<Control><Shift>o", N_("Open a saved run")},
      {"<Control><Shift>s", N_("Save the run")},
      {"<Control>e", N_("Save the charts as a picture")},
      {"<Control><Shift>e", N_("Save the spans in sight as CSV")},
      {"<Control><Shift>p", N_("Save a trace for Perfetto")}}},
    {N_("Charts, when one has the focus"),
     TRUE,
     {{"Left Right", N_("Walk along the spans of a lane, or the buffers of a layer")},
      {"Up Down", N_("Walk from lane to lane, or from layer to layer")},
      {"plus minus", N_("Zoom in and out")},
      {"<Shift>Left <Shift>Right", N_("Earlier, later")},
      {"Return", N_("Zoom to what is marked or selected")},
      {"Home", N_("Show the whole run")},
      {"End", N_("Follow the run, or show its last steps")},
      {"BackSpace <Shift>BackSpace", N_("Back to the range before, forward again")},
      {"Escape", N_("Clear marks and selection")},
      {"c", N_("Critical path of the steps in sight")},
      {"u", N_("Units: this machine, or what it stands for")},
      {"<Control>c", N_("Copy as text")},
      {"<Shift>F10 Menu", N_("What can be done with the chart")}}},
    {N_("Window"),
     TRUE,
     {{"F9", N_("Show or hide the lessons")},
      {"<Alt>Left <Alt>Right", N_("Lesson or bench, in a narrow window")},
      {"<Control>p", N_("Pin the run on the bench, or unpin it")},
      {"<Control>b", N_("Pinned run behind or beside the other")},
      {"<Control>i", N_("Figures, and what differs")},
      {"F11", N_("Classroom")},
      {"F10", N_("Menu")},
      {"F1", N_("Help on what has the focus")},
      {"<Control>question", N_("Keyboard shortcuts")},
      {"<Control>q", N_("Quit")}}},
    {N_("Classroom, while a class is shown"),
     FALSE,
     {{"space Page_Down", N_("Go on")},
      {"Page_Up", N_("Go back")},
      {"Left Right", N_("Question before, next question")},
      {"a...d", N_("Vote, while a vote is open")},
      {"BackSpace", N_("Take the last vote back")},
      {"v", N_("Vote again")},
      {"e", N_("Bench")},
      {"r", N_("Make the next run")},
      {"b period", N_("Blank the screen")},
      {"<Control>s", N_("Save the results")},
      {"Escape", N_("Leave the class")}}},
};

static GtkWidget *make_row(const Shortcut *shortcut)
{
  GtkWidget *title = GTK_WIDGET(ol_words_label_new(_(shortcut->title), NULL));
  GtkWidget *keys = gtk_shortcut_label_new(shortcut->keys);
  GtkWidget *row;

  gtk_widget_set_valign(keys, GTK_ALIGN_CENTER);
  gtk_widget_set_halign(keys, GTK_ALIGN_START);
  row = ol_fold_row_new(title, keys);
  gtk_widget_add_css_class(row, "shortcut-row");
  return row;
}

static GtkWidget *make_group(const Group *group)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append(GTK_BOX(box), GTK_WIDGET(ol_words_label_new(_(group->title), "heading")));
  for (guint i = 0; i < MOST_ROWS && group->shortcuts[i].keys; i++)
    gtk_box_append(GTK_BOX(box), make_row(&group->shortcuts[i]));
  gtk_widget_add_css_class(box, "shortcut-group");
  return box;
}

static GtkWidget *make_columns(void)
{
  GtkWidget *columns[] = {gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
                          gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)};
  GtkWidget *both;

  for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
    gtk_box_append(GTK_BOX(columns[groups[i].last_column]), make_group(&groups[i]));
  both = ol_fold_row_new(columns[0], columns[1]);
  gtk_widget_add_css_class(both, "shortcuts");
  return both;
}

/* What it needs, as far as the parent has it. */
static void choose_size(GtkWidget *window, GtkWidget *header, GtkWidget *columns, GtkWidget *parent)
{
  int bar, width, height;

  gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  width = MIN(width, gtk_widget_get_width(parent));
  gtk_widget_measure(columns, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  gtk_widget_measure(header, GTK_ORIENTATION_VERTICAL, width, NULL, &bar, NULL, NULL);
  gtk_window_set_default_size(GTK_WINDOW(window), width,
                              MIN(bar + height, gtk_widget_get_height(parent)));
}

void ol_shortcuts_window_show(GtkWindow *parent)
{
  GtkWidget *window = adw_window_new(), *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new(), *scroller = gtk_scrolled_window_new();
  GtkWidget *columns = make_columns();

  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width(GTK_SCROLLED_WINDOW(scroller), TRUE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), columns);
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_widget_set_focusable(scroller, TRUE); /* arrows and Page Down turn the pages */
  gtk_accessible_update_property(GTK_ACCESSIBLE(scroller), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Keyboard shortcuts"), -1);
  gtk_box_append(GTK_BOX(content), header);
  gtk_box_append(GTK_BOX(content), scroller);
  adw_window_set_content(ADW_WINDOW(window), content);
  gtk_window_set_title(GTK_WINDOW(window), _("Keyboard shortcuts"));
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_set_modal(GTK_WINDOW(window), TRUE);
  ol_escape_closes(window);
  choose_size(window, header, columns, GTK_WIDGET(parent));
  gtk_window_set_focus(GTK_WINDOW(window), scroller);
  gtk_window_present(GTK_WINDOW(window));
}
