"""The desktop file and the metainfo in another language: msgfmt finds all their texts in the
translation that is made of the template."""

import os
import subprocess
import tempfile
import unittest

import pseudo

DATA = os.path.join(os.path.dirname(__file__), "..", "..", "data")
APP = "org.offloadlab.OffloadLab"


def merge(kind, name):
    with tempfile.TemporaryDirectory() as folder:
        with open(pseudo.TEMPLATE, encoding="utf-8") as template, \
                open(os.path.join(folder, "xx.po"), "w", encoding="utf-8") as file:
            file.write(pseudo.translate(template.read()))
        with open(os.path.join(folder, "LINGUAS"), "w", encoding="utf-8") as file:
            file.write("xx\n")
        target = os.path.join(folder, "merged")
        subprocess.run(["msgfmt", f"--{kind}", "--template", os.path.join(DATA, name), "-d", folder,
                        "-o", target], check=True)
        with open(target, encoding="utf-8") as file:
            return file.read()


class Desktop(unittest.TestCase):
    def test_desktop_file(self):
        merged = merge("desktop", f"{APP}.desktop")
        for key in ("GenericName", "Comment", "Keywords"):
            self.assertIn(f"{key}[xx]=", merged)

    def test_metainfo(self):
        merged = merge("xml", f"{APP}.metainfo.xml")
        with open(os.path.join(DATA, f"{APP}.metainfo.xml"), encoding="utf-8") as file:
            source = file.read()
        for tag in ("summary", "p", "li"):
            self.assertEqual(merged.count(f'<{tag} xml:lang="xx">'), source.count(f"<{tag}>"), tag)


unittest.main()
