"""A window with nothing but a file to be dragged out of it: what a file manager is to the lab."""

import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="drag source", decorated=False)
    label = Gtk.Label(label="a file", width_request=200, height_request=100)
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    uri = Gio.File.new_for_path(sys.argv[1]).get_uri()
    content = Gdk.ContentProvider.new_for_bytes("text/uri-list", GLib.Bytes.new((uri + "\r\n").encode()))
    source.set_content(content)
    label.add_controller(source)
    window.set_child(label)
    window.present()


application = Gtk.Application(application_id="org.offloadlab.DragSource",
                              flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", activate)
application.run([])
