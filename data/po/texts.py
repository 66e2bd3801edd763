"""The texts of the data folder that people read, as C for xgettext: courses, help pages, machines and
models, and what software centres show. Which keys those are is what lessons/course-*.c and
engine/config/hardware.c translate, and msgfmt of the last."""

import json
import os
import sys
from xml.etree import ElementTree

COURSE_KEYS = {"title", "goal", "ask", "text", "why", "unit"}


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def course_texts(value, key=None):
    """All texts of a course, in the order of the file."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "show":
                continue
            if name == "choices":
                yield from inner
            else:
                yield from course_texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from course_texts(inner, key)
    elif isinstance(value, str) and key in COURSE_KEYS:
        yield value


def help_texts(text):
    """The parts of a help page, joined as app/window/help-text.c joins them."""
    paragraph = []
    for line in text.split("\n") + [""]:
        line = line.strip()
        starts = line[:1] in ("", "=") or line[:2] in ("# ", "* ")
        if starts and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if line[:2] in ("# ", "* "):
            yield line[2:].strip()
        elif line[:1] == "=":
            yield line.split("|", 1)[1].strip()
        elif line:
            paragraph.append(line)


def desktop_texts(text):
    """The keys that msgfmt --desktop translates."""
    for line in text.split("\n"):
        key, _, value = line.partition("=")
        if key in ("Name", "GenericName", "Comment", "Keywords"):
            yield value


def metainfo_texts(text):
    """The elements that msgfmt --xml translates, in one line each, as it joins them."""
    for element in ElementTree.fromstring(text).iter():
        if element.tag in ("name", "summary", "developer_name", "p", "li"):
            yield " ".join(element.text.split())


def files(folder, end):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(end)]


def main(data):
    found = {}
    for path in files(os.path.join(data, "courses"), ".json"):
        with open(path, encoding="utf-8") as file:
            found[path] = list(course_texts(json.load(file)))
    for path in files(os.path.join(data, "help"), ".txt"):
        with open(path, encoding="utf-8") as file:
            found[path] = list(help_texts(file.read()))
    for folder in ("hardware", "models"):
        for path in files(os.path.join(data, folder), ".json"):
            with open(path, encoding="utf-8") as file:
                found[path] = [json.load(file)["title"]]
    for end, texts_of in ((".desktop", desktop_texts), (".metainfo.xml", metainfo_texts)):
        for path in files(data, end):
            with open(path, encoding="utf-8") as file:
                found[path] = list(texts_of(file.read()))
    for path, texts in found.items():
        print(f'#line 1 "{path}"')
        for text in texts:
            print(f"N_({quote(text)})")


main(sys.argv[1])
