#include "app/cli/terminal.h"

#include "engine/base/intl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80

void ol_terminal_print(const char *before, const char *text)
{
  glong indent = g_utf8_strlen(before, -1), column = indent;

  fputs(before, stdout);
  while (*text) {
    gsize bytes = strcspn(text, " \n");
    glong length = g_utf8_strlen(text, (gssize)bytes);
    if (column > indent && column + 1 + length > COLUMNS) {
      printf("\n%*s", (int)indent, "");
      column = indent;
    }
    printf("%s%.*s", column > indent ? " " : "", (int)bytes, text);
    column += length + (column > indent);
    text += bytes;
    if (*text == '\n') {
      printf("\n%*s", (int)indent, "");
      column = indent;
    }
    text += *text != '\0';
  }
  fputc('\n', stdout);
}

void ol_terminal_print_option(guint index, const char *text)
{
  const char before[] = {' ', ' ', 'A' + (char)index, ' ', ' ', '\0'};
  ol_terminal_print(before, text);
}

char *ol_terminal_ask(const char *prompt)
{
  char *line = NULL;
  size_t size = 0;

  printf("%s ", prompt);
  fflush(stdout);
  if (getline(&line, &size, stdin) < 0) {
    free(line);
    fputc('\n', stdout);
    return NULL;
  }
  char *answer = g_strdup(g_strstrip(line));
  free(line);
  return answer;
}

int ol_terminal_choice(const char *answer, guint n)
{
  char *end;
  guint64 number = g_ascii_isdigit(answer[0]) ? g_ascii_strtoull(answer, &end, 10) : 0;
  int letter = g_ascii_toupper(answer[0]) - 'A';
  if (number > 0 && *end == '\0')
    return number <= n ? (int)number - 1 : -1;
  return strlen(answer) == 1 && letter >= 0 && (guint)letter < n ? letter : -1;
}

int ol_terminal_ask_letter(const char *prompt, guint n)
{
  for (;;) {
    g_autofree char *answer = ol_terminal_ask(prompt);
    if (!answer)
      return -1;
    int choice = ol_terminal_choice(answer, n);
    if (choice >= 0)
      return choice;
    printf(_("  A to %c, please.\n"), 'A' + (char)n - 1);
  }
}
