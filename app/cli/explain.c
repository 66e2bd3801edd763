#include "app/cli/explain.h"

#include "engine/base/intl.h"
#include <stdio.h>

static const OlOption *option_at(const OlOption *options, const guint *order, guint shown)
{
  return &options[order ? order[shown] : shown];
}

void ol_explain_answer(const OlOption *options, guint n, const guint *order, guint shown,
                       OlExplainPrint print, gpointer data)
{
  const OlOption *chosen = option_at(options, order, shown);

  printf("\n  %s\n", chosen->right ? _("Right.") : _("Not quite."));
  print(chosen->why, data);
  for (guint i = 0; !chosen->right && i < n; i++) {
    const OlOption *option = option_at(options, order, i);
    if (!option->right)
      continue;
    printf(_("\n  The right answer is %c.\n"), 'A' + (char)i);
    print(option->why, data);
  }
}
