#include "app/window/chart-look.h"

#include <adwaita.h>

/* Chart labels are a little smaller than running text, as captions are. */
#define TEXT_SHARE     0.86
#define POINTS_AN_INCH 72.0

OlChartStyle *ol_chart_look_dup_style(GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_default();
  PangoContext *context = gtk_widget_get_pango_context(widget);
  const PangoFontDescription *font = pango_context_get_font_description(context);
  double size = (double)pango_font_description_get_size(font) / PANGO_SCALE;

  if (!pango_font_description_get_size_is_absolute(font))
    size *= pango_cairo_context_get_resolution(context) / POINTS_AN_INCH;
  return ol_chart_style_new(adw_style_manager_get_dark(manager) ? OL_LOOK_DARK : OL_LOOK_LIGHT,
                            adw_style_manager_get_high_contrast(manager), size * TEXT_SHARE,
                            pango_font_description_get_family(font));
}

void ol_chart_look_watch(GtkWidget *widget, GCallback changed)
{
  AdwStyleManager *manager = adw_style_manager_get_default();

  g_signal_connect_object(manager, "notify::dark", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object(manager, "notify::high-contrast", changed, widget, G_CONNECT_SWAPPED);
}
