import Foundation
import SecretService
import Synchronization
import SystemServices
import TestSupport
import Testing

/// Requests of the portal for secrets.
@Suite(.enabled(if: Desktop.hasPython("gi"), "skipped: needs dbus-daemon and python3-gi"), .waitsForProcesses)
struct PortalTests {
    private static let later = """
        answers = {}
        def begin(name, connection, app, handle, target=None):
            reading, writing = target or os.pipe()
            fds = Gio.UnixFDList.new()
            index = fds.append(writing)
            os.close(writing)
            def done(source, result):
                try:
                    answers[name] = source.call_with_unix_fd_list_finish(result)[0].unpack()[0], reading
                except GLib.Error as e:
                    answers[name] = Gio.DBusError.get_remote_error(e), reading
            connection.call_with_unix_fd_list(
                'org.freedesktop.impl.portal.desktop.latchkey', '/org/freedesktop/portal/desktop',
                'org.freedesktop.impl.portal.Secret', 'RetrieveSecret', V('(osha{sv})', handle, app, index, {}), None, 0, 170000, fds, None, done)
        def wait(name):
            while name not in answers: GLib.MainContext.default().iteration(True)
            return answers[name]
        def close(connection, handle):
            return connection.call_sync('org.freedesktop.impl.portal.desktop.latchkey', handle,
                'org.freedesktop.impl.portal.Request', 'Close', None, None, 0, 170000, None).unpack()
        handle = '/org/freedesktop/portal/desktop/request/1/a'

        """

    @Test func connectionsShareAnAppAndAHandleAndOneThatLeavesTakesOnlyItsOwnRequests() throws {
        let desktop = try Desktop()
        desktop.store.firstAnswers = [.none]
        let asked = desktop.bus.folder.path("asked")
        try #require(mkfifo(asked, 0o600) == 0)
        let pipe = try ClosedOnExec.open(asked, O_RDWR)
        let client = try desktop.beginCalls(
            Self.later + """
                first = retrieve('com.example.App', handle)
                assert first[0] == 0, first
                one, two, three = connect(), connect(), connect()
                # The answer to a later call shows that the service has the request: the order of connections is open.
                for name, connection in ('one', one), ('two', two), ('three', three):
                    begin(name, connection, 'com.example.App', handle)
                    session(connection)
                # Wait until the prompt of the first one is shown: otherwise the second one's would be the prompt without an answer.
                os.read(os.open('\(asked)', os.O_RDONLY), 1)
                begin('again', two, 'com.example.App', handle)
                assert wait('again')[0] == 'org.freedesktop.DBus.Error.InvalidArgs', answers
                assert close(three, handle) == ()
                assert wait('three')[0] == 1, answers
                assert 'one' not in answers and 'two' not in answers, answers
                one.close_sync(None)
                code, reading = wait('two')
                assert (code, os.read(reading, 100)) == first, answers
                """)
        #expect(Patience.wait { desktop.store.asking == 1 })
        try pipe.write(contentsOf: Data([1]))
        let run = try client.end()
        #expect(run.status == 0, "\(run.errors)\(run.output)")
        #expect(desktop.store.prompts.count == 2)
        #expect(desktop.store.all.count == 1)
    }

    @Test func twoConnectionsNeverMakeTwoSecretsForAnApp() throws {
        let desktop = try Desktop()
        try desktop.runCalls(
            Self.later + """
                connections = [connect() for n in range(16)]
                for n, connection in enumerate(connections): begin(n, connection, 'com.example.App', handle)
                found = {os.read(wait(n)[1], 100) for n in range(16)}
                assert len(found) == 1 and len(found.pop()) == 64, found
                """)
        #expect(desktop.store.all.count == 1)
    }

    @Test func anAppThatDoesNotReadGetsAnErrorAndNoOtherWaits() throws {
        let desktop = try Desktop()
        try desktop.runCalls(
            Self.later + """
                import time
                reading, writing = os.pipe()
                os.set_blocking(writing, False)
                try:
                    while True: os.write(writing, b'x' * 4096)
                except BlockingIOError: pass
                os.set_blocking(writing, True)
                began = time.monotonic()
                begin('full', bus, 'com.example.App', handle, (reading, writing))
                assert retrieve('com.example.Other', handle + 'b')[0] == 0
                assert wait('full')[0] == 2, answers
                assert time.monotonic() - began > 4
                """)
    }

    @Test func theServiceWorksWithoutTheNameOfThePortal() throws {
        final class Nothing: BusHandler {
            func handle(_ call: BusCall) {}
            func forget(_ caller: BusCaller) {}
            func pause() {}
            func end() {}
        }
        let holder = Mutex(BusService?.none)
        let desktop = try Desktop { bus, _ in
            let other = BusService(BusService.Settings(address: bus.address, names: [SecretServer.portalName])) { _ in
                Nothing()
            }
            other.start()
            #expect(Patience.wait { other.state == .serving })
            holder.withLock { $0 = other }
        }
        #expect(desktop.state == .serving)
        try desktop.runCalls("assert create(login, 'Sample', {'a': 'b'}, b'x')[1] == '/'")
        #expect(desktop.state == .serving)
        holder.withLock { $0 }?.stop()
        try desktop.runCalls(
            """
            import time
            end = time.monotonic() + 170
            while time.monotonic() < end:
                try:
                    assert retrieve('com.example.App', '/org/freedesktop/portal/desktop/request/1/a')[0] == 0
                    break
                except GLib.Error: time.sleep(0.05)
            else: assert False
            """)
    }
}
