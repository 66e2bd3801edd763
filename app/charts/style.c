#include "app/charts/style.h"

#include "app/charts/text-cache.h"

#include <math.h>

/* Okabe and Ito, "Color Universal Design" (2008): told apart with every common colour vision. */
static const guint32 payload_rgb[OL_N_PAYLOADS] = {
    [OL_PAYLOAD_WEIGHTS] = 0x0072B2,     /* blue */
    [OL_PAYLOAD_GRADIENTS] = 0xE69F00,   /* orange */
    [OL_PAYLOAD_MASTER] = 0x009E73,      /* bluish green */
    [OL_PAYLOAD_MOMENT1] = 0x56B4E9,     /* sky blue */
    [OL_PAYLOAD_MOMENT2] = 0xCC79A7,     /* reddish purple */
    [OL_PAYLOAD_ACTIVATIONS] = 0xD55E00, /* vermillion */
    [OL_PAYLOAD_STAGING] = 0x999999,     /* grey */
};

/* What is not a payload: by [look][high contrast]. */
typedef struct {
  guint32 text, dim_text, background, line, accent, capacity, hidden;
} Inks;

static const Inks inks[2][2] = {
    [OL_LOOK_LIGHT] = {{0x2E3436, 0x66666C, 0xFAFAFA, 0xDADADF, 0x1C71D8, 0xE01B24, 0x8FD3B8},
                       {0x000000, 0x303034, 0xFAFAFA, 0x6E6E74, 0x0F4FA8, 0xB00010, 0x3DA882}},
    [OL_LOOK_DARK] = {{0xF2F2F4, 0xA9A9B0, 0x242424, 0x56565C, 0x78AEED, 0xFF7B72, 0x2E8062},
                      {0xFFFFFF, 0xDEDEE2, 0x242424, 0xA2A2A8, 0xA8CDFA, 0xFFA39C, 0x4FBF98}},
};

OlChartStyle *ol_chart_style_new(OlLook look, gboolean high_contrast, double text_size,
                                 const char *font)
{
  OlChartStyle *style = g_new0(OlChartStyle, 1);
  style->look = look;
  style->high_contrast = high_contrast;
  style->text_size = isfinite(text_size) ? CLAMP(text_size, 1, 1000) : 13;
  style->font = g_strdup(font != NULL && *font != '\0' ? font : "Inter");
  style->lines = ol_text_cache_new();
  return style;
}

OlChartStyle *ol_chart_style_copy(const OlChartStyle *style)
{
  return ol_chart_style_new(style->look, style->high_contrast, style->text_size, style->font);
}

void ol_chart_style_free(OlChartStyle *style)
{
  if (style == NULL)
    return;
  g_free(style->font);
  ol_text_cache_free(style->lines);
  g_free(style);
}

static OlColour from_rgb(guint32 rgb)
{
  return (OlColour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1};
}

static const Inks *get_inks(const OlChartStyle *style)
{
  return &inks[style->look == OL_LOOK_DARK][style->high_contrast != FALSE];
}

OlColour ol_style_payload(const OlChartStyle *style, OlPayload payload)
{
  g_return_val_if_fail(payload < OL_N_PAYLOADS, from_rgb(0x999999));
  return from_rgb(payload_rgb[payload]);
}

OlColour ol_colour_mix(OlColour from, OlColour to, double share)
{
  return (OlColour){from.r + (to.r - from.r) * share, from.g + (to.g - from.g) * share,
                    from.b + (to.b - from.b) * share, from.a + (to.a - from.a) * share};
}

static double linear(double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

static double luminance(OlColour colour)
{
  return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double ol_colour_contrast(OlColour one, OlColour other)
{
  double a = luminance(one), b = luminance(other);
  return (MAX(a, b) + 0.05) / (MIN(a, b) + 0.05);
}

/* Away from the background in small steps until the contrast is there. */
OlColour ol_style_payload_outline(const OlChartStyle *style, OlPayload payload)
{
  OlColour fill = ol_style_payload(style, payload), outline = fill;
  OlColour background = ol_style_background(style);
  OlColour far = from_rgb(style->look == OL_LOOK_DARK ? 0xFFFFFF : 0x000000);
  double wanted = style->high_contrast ? 4.5 : 3.0;
  double share = 0.12; /* seen as an outline even where the fill alone would do */
  do
    outline = ol_colour_mix(fill, far, share);
  while (ol_colour_contrast(outline, background) < wanted && (share += 0.04) < 1);
  return outline;
}

OlColour ol_style_text(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->text);
}

OlColour ol_style_dim_text(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->dim_text);
}

OlColour ol_style_background(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->background);
}

OlColour ol_style_line(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->line);
}

OlColour ol_style_accent(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->accent);
}

OlColour ol_style_capacity(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->capacity);
}

OlColour ol_style_hidden(const OlChartStyle *style)
{
  return from_rgb(get_inks(style)->hidden);
}

/* White is kept as long as it is readable in a strong weight: a little above the 3:1 of WCAG's
 * large text, in high contrast 4.5:1. */
OlColour ol_colour_on(const OlChartStyle *style, OlColour fill)
{
  OlColour white = from_rgb(0xFFFFFF), black = from_rgb(0x141417);
  return ol_colour_contrast(fill, white) >= (style->high_contrast ? 4.5 : 3.3) ? white : black;
}
