#include "app/window/forecast-card.h"

#include "app/window/tier-bar.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlForecastCard {
  GtkBox parent_instance;
  OlForecast *forecast; /* the last one, or NULL */
  gboolean there;
  GtkGrid *tiers;
  OlTierBar *bars[OL_N_TIERS];
  GtkLabel *bytes[OL_N_TIERS];
  GtkLabel *verdict, *times, *why;
};

G_DEFINE_FINAL_TYPE(OlForecastCard, ol_forecast_card, GTK_TYPE_BOX)

static void set_css_class(gpointer widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

static void refresh(OlForecastCard *self)
{
  const OlForecast *forecast = self->forecast;
  g_autofree char *verdict =
      forecast ? ol_forecast_dup_verdict(forecast, self->there) : g_strdup(_("Working it out …"));
  g_autofree char *times = forecast ? ol_forecast_dup_times(forecast) : g_strdup("");

  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    g_autofree char *bytes =
        forecast ? ol_forecast_dup_bytes(forecast, tier, self->there) : g_strdup("");
    g_autofree char *parts =
        forecast ? ol_forecast_dup_parts(forecast, tier, self->there) : g_strdup("");
    ol_tier_bar_show(self->bars[tier], forecast);
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->bars[tier]), parts);
    gtk_label_set_text(self->bytes[tier], bytes);
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->bytes[tier]),
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, parts, -1);
    set_css_class(self->bytes[tier], "too-much", forecast && !ol_forecast_fits(forecast, tier));
  }
  gtk_label_set_text(self->verdict, verdict);
  gtk_label_set_text(self->times, times);
  set_css_class(self->verdict, "too-much", forecast && forecast->refusal);
}

void ol_forecast_card_show(OlForecastCard *self, const OlForecast *forecast)
{
  OlForecast *copy = ol_forecast_copy(forecast);

  ol_forecast_free(self->forecast);
  self->forecast = copy;
  refresh(self);
}

void ol_forecast_card_set_there(OlForecastCard *self, gboolean there)
{
  self->there = there;
  refresh(self);
}

void ol_forecast_card_grey(OlForecastCard *self, const char *why)
{
  set_css_class(self->tiers, "stale", why != NULL);
  set_css_class(self->verdict, "stale", why != NULL);
  set_css_class(self->times, "stale", why != NULL);
  gtk_label_set_text(self->why, why ? why : "");
  gtk_widget_set_visible(GTK_WIDGET(self->why), why != NULL);
}

static void finalize(GObject *object)
{
  ol_forecast_free(OL_FORECAST_CARD(object)->forecast);
  G_OBJECT_CLASS(ol_forecast_card_parent_class)->finalize(object);
}

static void ol_forecast_card_class_init(OlForecastCardClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void add_tier(OlForecastCard *self, OlTier tier)
{
  GtkWidget *name = gtk_label_new(ol_tier_name(tier));

  gtk_label_set_xalign(GTK_LABEL(name), 0);
  self->bars[tier] = OL_TIER_BAR(ol_tier_bar_new(tier));
  gtk_widget_set_hexpand(GTK_WIDGET(self->bars[tier]), TRUE);
  gtk_widget_set_valign(GTK_WIDGET(self->bars[tier]), GTK_ALIGN_CENTER);
  self->bytes[tier] = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->bytes[tier], 1);
  gtk_widget_add_css_class(GTK_WIDGET(self->bytes[tier]), "forecast-bytes");
  gtk_grid_attach(self->tiers, name, 0, (int)tier, 1, 1);
  gtk_grid_attach(self->tiers, GTK_WIDGET(self->bars[tier]), 1, (int)tier, 1, 1);
  gtk_grid_attach(self->tiers, GTK_WIDGET(self->bytes[tier]), 2, (int)tier, 1, 1);
}

/* Its words change with every slider: the column must not get wider or narrower with them. */
static GtkLabel *make_words(const char *css_class)
{
  GtkLabel *label = ol_words_label_new(NULL, css_class);

  gtk_label_set_max_width_chars(label, 1);
  return label;
}

static void ol_forecast_card_init(OlForecastCard *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "card");
  gtk_widget_add_css_class(GTK_WIDGET(self), "forecast");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("What it will take"), -1);
  self->tiers = GTK_GRID(gtk_grid_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->tiers), "forecast-tiers");
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    add_tier(self, (OlTier)tier);
  self->verdict = make_words("heading");
  self->times = make_words("forecast-times");
  self->why = make_words("forecast-why");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->verdict));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->times));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->tiers));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->why));
  ol_forecast_card_grey(self, NULL);
  refresh(self);
}

GtkWidget *ol_forecast_card_new(void)
{
  return g_object_new(OL_TYPE_FORECAST_CARD, NULL);
}
