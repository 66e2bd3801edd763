"""What `meson install` leaves, moved somewhere else: the programs there run as from the build tree,
on the data beside them alone."""

import json
import os
import shutil
import subprocess

import lab_app
from lab_app import Lab, check

MARK = "Twelve bytes, as installed"
EXPECTED = [
    "bin/offload-lab",
    "bin/offload-lab-cli",
    "share/applications/org.offloadlab.OffloadLab.desktop",
    "share/icons/hicolor/scalable/apps/org.offloadlab.OffloadLab.svg",
    "share/icons/hicolor/symbolic/apps/org.offloadlab.OffloadLab-symbolic.svg",
    "share/metainfo/org.offloadlab.OffloadLab.metainfo.xml",
]


def install(work):
    """The prefix, in another place than it was built for."""
    stage, moved = os.path.join(work, "stage"), os.path.join(work, "else where")
    subprocess.run(["meson", "install", "-C", os.environ["LAB_BUILD"], "--no-rebuild", "--quiet",
                    "--destdir", stage], check=True, timeout=120)
    prefix = os.path.join(stage, os.environ["LAB_PREFIX"].lstrip("/"))
    shutil.move(prefix, moved)
    return moved


def mark_a_lesson(prefix):
    """A change in the installed data, by which it is told from the checkout's."""
    path = os.path.join(prefix, "share/offload-lab/courses/offloading.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    title = json.loads(text)["lessons"][0]["title"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(json.dumps(title, ensure_ascii=False), json.dumps(MARK), 1))


def cli(program, *arguments):
    environment = {key: value for key, value in os.environ.items() if key != "OFFLOAD_LAB_DATA"}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True,
                          timeout=120)
    check(done.returncode == 0, f"{program} {arguments}: {done.returncode}: {done.stderr}")
    return done.stdout


def validate(prefix):
    desktop = os.path.join(prefix, "share/applications/org.offloadlab.OffloadLab.desktop")
    subprocess.run(["desktop-file-validate", desktop], check=True)
    metainfo = os.path.join(prefix, "share/metainfo/org.offloadlab.OffloadLab.metainfo.xml")
    subprocess.run(["appstreamcli", "validate", "--no-net", metainfo], check=True)
    with open(desktop, encoding="utf-8") as file:
        keys = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
    check(os.path.exists(os.path.join(prefix, "bin", keys["Exec"].split()[0])), "Exec is no program")
    icon = os.path.join(prefix, "share/icons/hicolor/scalable/apps", keys["Icon"] + ".svg")
    check(os.path.exists(icon), "the icon has another name")


def test():
    home = os.environ["LAB_HOME"]
    prefix = install(home)
    for name in EXPECTED:
        check(os.path.exists(os.path.join(prefix, name)), f"{name} is not installed")
    validate(prefix)

    installed = os.path.join(prefix, "bin/offload-lab-cli")
    run = ("run", "--set", "steps=1", "--set", "hardware.clock=machine", "--summary")
    hashes = [json.loads(cli(program, *run))["weights.hash"]
              for program in (installed, os.environ["LAB_ENGINE"])]
    check(hashes[0] == hashes[1], f"other weights when installed: {hashes}")

    mark_a_lesson(prefix)
    check(MARK in cli(installed, "lesson", "--list"), "the data of another place was read")
    os.environ["LAB_WINDOW"] = os.path.join(prefix, "bin/offload-lab")
    lab = Lab(home, extra={"OFFLOAD_LAB_DATA": "", "OFFLOAD_LAB_CLI": ""})
    lab.await_text(MARK)
    lab.picture("installed")
    lab.close()


lab_app.main(test)
