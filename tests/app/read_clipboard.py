"""Another program into which what was copied is pasted: prints the clipboard's text."""

import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def main():
    Gtk.init()
    clipboard = Gdk.Display.get_default().get_clipboard()
    loop = GLib.MainLoop()

    def on_read(source, result):
        sys.stdout.write(source.read_text_finish(result) or "")
        loop.quit()

    clipboard.read_text_async(None, on_read)
    loop.run()


main()
