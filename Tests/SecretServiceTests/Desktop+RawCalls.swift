import TestSupport
import Testing

extension Desktop {
    /// Functions in Python that call the service as any program on the bus can.
    private static let rawCalls = """
        from gi.repository import Gio, GLib
        import os, sys
        def connect():
            flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
            return Gio.DBusConnection.new_for_address_sync(os.environ['DBUS_SESSION_BUS_ADDRESS'], flags, None, None)
        bus = connect()
        root = '/org/freedesktop/secrets'
        login = root + '/collection/login'
        secret = 'org.freedesktop.Secret.'
        def call(path, interface, method, arguments=None, on=bus):
            return on.call_sync('org.freedesktop.secrets', path, interface, method, arguments, None, 0, 60000, None).unpack()
        def error(path, interface, method, arguments=None, on=bus):
            try:
                return call(path, interface, method, arguments, on)
            except GLib.Error as e:
                return Gio.DBusError.get_remote_error(e)
        def V(kind, *values):
            return GLib.Variant(kind, values)
        def session(on=bus):
            return call(root, secret + 'Service', 'OpenSession', V('(sv)', 'plain', GLib.Variant('s', '')), on)[1]
        def retrieve(app, handle):
            reading, writing = os.pipe()
            fds = Gio.UnixFDList.new()
            index = fds.append(writing)
            os.close(writing)
            reply, _ = bus.call_with_unix_fd_list_sync(
                'org.freedesktop.impl.portal.desktop.latchkey', '/org/freedesktop/portal/desktop',
                'org.freedesktop.impl.portal.Secret', 'RetrieveSecret', V('(osha{sv})', handle, app, index, {}), None, 0, 60000, fds, None)
            del fds
            data = os.read(reading, 100) if reply.unpack()[0] == 0 else b''
            os.close(reading)
            return reply.unpack()[0], data
        def create(path, label, attributes, value, replace=False, on=bus):
            properties = {secret + 'Item.Label': GLib.Variant('s', label), secret + 'Item.Attributes': GLib.Variant('a{ss}', attributes)}
            return call(path, secret + 'Collection', 'CreateItem', V('(a{sv}(oayays)b)', properties, (session(on), b'', value, 'text/plain'), replace), on)

        """

    /// Runs a program in Python that has these functions. It fails if an assertion of the program does.
    func runCalls(_ text: String) throws {
        let run = try python(Self.rawCalls + text)
        #expect(run.status == 0, "\(run.errors)\(run.output)")
    }

    /// Starts such a program, while the test goes on.
    func beginCalls(_ text: String) throws -> PrivateBus.Client {
        try bus.begin("/usr/bin/python3", ["-I", "-c", Self.rawCalls + text])
    }
}
