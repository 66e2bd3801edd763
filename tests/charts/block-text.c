/* Takes the place of app/charts/text.c where drawing calls are compared: every character is a box
 * of one width, so that no font of the machine has a say, and each text is noted in the list. */
#include "app/charts/canvas.h"
#include "tests/charts/recording.h"

static double size_of(const OlCanvas *canvas, OlTextRole role)
{
  static const double sizes[OL_N_TEXT_ROLES] = {0.92, 0.96, 0.84, 0.8, 1.4};
  return sizes[role] * canvas->em;
}

double ol_text_width(OlCanvas *canvas, OlTextRole role, const char *text)
{
  return 0.55 * size_of(canvas, role) * (double)g_utf8_strlen(text, -1);
}

static void note(OlCanvas *canvas, OlBox box, OlColour colour, const char *text)
{
  recording_text(canvas->cairo, text);
  ol_paint_set(canvas, colour);
  cairo_new_path(canvas->cairo);
  cairo_rectangle(canvas->cairo, box.x, box.y, box.width, box.height);
  cairo_fill(canvas->cairo);
}

double ol_text_draw(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                    OlAlign align, double max_width, const char *text)
{
  double width = ol_text_width(canvas, role, text), height = size_of(canvas, role);
  if (max_width > 0)
    width = MIN(width, max_width);
  x -= align == OL_ALIGN_RIGHT ? width : align == OL_ALIGN_CENTRE ? width / 2 : 0;
  note(canvas, (OlBox){x, y - height / 2, width, height}, colour, text);
  return width;
}

double ol_text_draw_paragraph(OlCanvas *canvas, OlTextRole role, OlColour colour, OlBox box,
                              OlAlign align, int max_lines, const char *text)
{
  box.height = 1.3 * size_of(canvas, role);
  note(canvas, box, colour, text);
  return box.height;
}

void ol_text_draw_on_patch(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                           OlAlign align, OlBox inside, const char *text)
{
  ol_text_draw(canvas, role, colour, x, y, align, inside.width, text);
}
