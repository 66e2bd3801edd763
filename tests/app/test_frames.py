"""Measured, simulated and replayed runs in high contrast: each has the frame that style.css gives it,
and no text is cut off in either."""

import os

import gi

import lab_app
from lab_app import Lab, check
from saved_runs import make_run

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

LINE_CONTRAST = 120  # of 255: lines of the text's colour, not tints


def column(picture, x, top, down):
    """Brightnesses from top to bottom."""
    pixels, stride, channels = picture.get_pixels(), picture.get_rowstride(), picture.get_n_channels()
    return [pixels[y * stride + x * channels + 1] for y in range(top, down)]


def lines(brightnesses):
    """How many dark lines on light, or light ones on dark, one comes across."""
    ground = brightnesses[-1]
    inked = [abs(b - ground) > LINE_CONTRAST for b in brightnesses]
    return sum(now and not before for before, now in zip([False] + inked, inked))


def frame(lab, name):
    """The upper edge of a chart's card, seen in a picture: for every pixel along its middle third,
    how many lines lie there."""
    lab.picture(name)
    picture = GdkPixbuf.Pixbuf.new_from_file(os.path.join(os.environ["LAB_PICTURES"], name + ".png"))
    x, y, width, _ = map(int, lab.place(lab.find("Memory over time", "image")))
    # Away from the corners and the words above; the border lies just above the chart.
    return [lines(column(picture, at, y - 6, y + 3))
            for at in range(x + width // 3, x + 2 * width // 3)]


def share(counts, n):
    return counts.count(n) / len(counts)


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(home, width, height, watches_text=True)
    plain = frame(lab, "1-nothing-yet")
    check(share(plain, 1) == 1, f"no whole plain frame: {plain}")
    lab.close()

    lab = Lab(home, width, height, arguments=[make_run(home, "run")], watches_text=True)
    lab.wait("the file", lambda: lab.find("measured, replayed", "image"))
    replayed = frame(lab, "2-replayed")
    check(share(replayed, 2) == 1, f"no double frame: {replayed}")
    lab.close()

    lab = Lab(home, width, height, arguments=[make_run(home, "simulate")], watches_text=True)
    lab.wait("the file", lambda: lab.find("simulated, replayed", "image"))
    frame(lab, "3-simulated-replayed")
    lab.close()


lab_app.main(test)
