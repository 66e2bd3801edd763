#include "app/window/class-text.h"

#define POINTS_AN_INCH 72.0
#define USUAL_DPI      96.0
#define USUAL_POINTS   11.0

struct OlClassText {
  GtkWidget *widget;
  GtkCssProvider *provider;
  double size;
};

OlClassText *ol_class_text_new(GtkWidget *widget)
{
  OlClassText *text = g_new0(OlClassText, 1);

  text->widget = widget;
  text->provider = gtk_css_provider_new();
  gtk_style_context_add_provider(gtk_widget_get_style_context(widget),
                                 GTK_STYLE_PROVIDER(text->provider),
                                 GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  return text;
}

void ol_class_text_free(OlClassText *text)
{
  g_object_unref(text->provider);
  g_free(text);
}

/* A share of the desktop's size, so that this moves along when that changes. */
void ol_class_text_set(OlClassText *text, double size)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *css = NULL;

  if (size == text->size)
    return;
  text->size = size;
  css = g_strdup_printf(
      "* { font-size: %s%%; }",
      g_ascii_formatd(share, sizeof share, "%.2f", 100 * size / ol_class_text_get_desktop()));
  gtk_css_provider_load_from_data(text->provider, css, -1);
}

double ol_class_text_get_desktop(void)
{
  g_autofree char *name = NULL;
  int dpi = -1;
  PangoFontDescription *font;
  double size;

  g_object_get(gtk_settings_get_default(), "gtk-font-name", &name, "gtk-xft-dpi", &dpi, NULL);
  font = pango_font_description_from_string(name ? name : "");
  size = (double)pango_font_description_get_size(font) / PANGO_SCALE;
  if (size <= 0)
    size = USUAL_POINTS;
  if (!pango_font_description_get_size_is_absolute(font))
    size *= (dpi > 0 ? dpi / 1024.0 : USUAL_DPI) / POINTS_AN_INCH;
  pango_font_description_free(font);
  return size;
}
