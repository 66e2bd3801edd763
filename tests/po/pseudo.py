"""A language made of the translators' template: every text in brackets, and longer by a third if asked
for. What is shown without brackets has not gone through gettext."""

import os
import re
import subprocess

TEMPLATE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "po", "offload-lab.pot")
HEADER = ('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Plural-Forms: nplurals=2; plural=n != 1;\\n"')
FIELD = re.compile(r'^(msgid|msgid_plural) ((?:".*"\n?)+)', re.M)


def bracket(text, longer):
    """`text` as a PO file has it; line breaks at its edges stay outside the brackets."""
    before, body, after = re.fullmatch(r"((?:\\n)*)(.*?)((?:\\n)*)", text).groups()
    more = " " + "~" * (len(body) // 3) if longer and len(body) > 3 else ""
    return f"{before}[{body}{more}]{after}"


def translate(template, longer=False):
    entries = [HEADER]
    for entry in template.split("\n\n")[1:]:
        texts = ["".join(re.findall(r'^"(.*)"$', field, re.M)) for _, field in FIELD.findall(entry)]
        forms = [bracket(text, longer) for text in texts]
        head = entry[:entry.index("\nmsgstr")]
        if len(forms) == 1:
            entries.append(f'{head}\nmsgstr "{forms[0]}"')
        else:
            entries.append(f'{head}\nmsgstr[0] "{forms[0]}"\nmsgstr[1] "{forms[1]}"')
    return "\n\n".join(entries) + "\n"


def make(folder, language, longer=False):
    """The environment in which programs speak it."""
    catalogs = os.path.join(folder, language, "LC_MESSAGES")
    os.makedirs(catalogs)
    po = os.path.join(catalogs, "offload-lab.po")
    with open(TEMPLATE, encoding="utf-8") as template, open(po, "w", encoding="utf-8") as file:
        file.write(translate(template.read(), longer))
    subprocess.run(["msgfmt", "--check-format", "-o", po[:-2] + "mo", po], check=True)
    return {"LANGUAGE": language, "OFFLOAD_LAB_LOCALE": folder}
