import Foundation
import SecretService
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// Programs that take more than their part.
@Suite(.enabled(if: Desktop.hasPython("gi"), "skipped: needs dbus-daemon and python3-gi"), .waitsForProcesses)
struct LimitTests {
    /// A budget of a few bytes.
    private final class Room: Sendable {
        let left: Mutex<Int>

        init(_ bytes: Int) { left = Mutex(bytes) }

        final class Share: Sendable {
            let room: Room
            let bytes: Int

            init(_ room: Room, _ bytes: Int) { (self.room, self.bytes) = (room, bytes) }

            deinit { room.left.withLock { $0 += bytes } }
        }

        func share(of bytes: Int) -> Share? {
            let isThere = left.withLock { left in
                if left < bytes { return false }
                left -= bytes
                return true
            }
            return isThere ? Share(self, bytes) : nil
        }
    }

    private static let follow = """
        seen = []
        def completed(c, sender, path, interface, signal, arguments):
            seen.append(arguments.unpack())
        bus.signal_subscribe('org.freedesktop.secrets', secret + 'Prompt', 'Completed', None, None, 0, completed)
        def wait(count):
            while len(seen) < count: GLib.MainContext.default().iteration(True)
        properties = {secret + 'Item.Label': GLib.Variant('s', 'x'), secret + 'Item.Attributes': GLib.Variant('a{ss}', {})}
        own = session()
        def ask(value):
            return error(login, secret + 'Collection', 'CreateItem', V('(a{sv}(oayays)b)', properties, (own, b'', value, ''), False))

        """

    @Test func secretsThatWaitForAPromptShareTheRoom() throws {
        let room = Room(100)
        let desktop = try Desktop { _, settings in settings.reserve = { room.share(of: $0) } }
        desktop.store.lockCollection()
        try desktop.runCalls(
            Self.follow + """
                first = ask(b'x' * 60)
                assert first[0] == '/', first
                assert ask(b'x' * 60) == 'org.freedesktop.DBus.Error.LimitsExceeded'
                call(first[1], secret + 'Prompt', 'Dismiss')
                wait(1)
                second = ask(b'x' * 60)
                call(second[1], secret + 'Prompt', 'Prompt', V('(s)', ''))
                wait(2)
                assert seen[0] == (True, '/') and not seen[1][0], seen
                assert ask(b'x' * 101) == 'org.freedesktop.DBus.Error.LimitsExceeded'
                assert ask(b'')[1] == '/'
                """)
        #expect(desktop.store.all.count == 2)
        #expect(Patience.wait { room.left.withLock { $0 } == 100 }, "all bytes are given back")
    }

    @Test func aPromptThatIsNotStartedEnds() throws {
        let room = Room(100)
        let desktop = try Desktop { _, settings in
            settings.reserve = { room.share(of: $0) }
            settings.millisecondsToStart = 300
        }
        desktop.store.lockCollection()
        try desktop.runCalls(
            Self.follow + """
                import time
                began = time.monotonic()
                prompt = ask(b'x' * 60)[1]
                wait(1)
                assert seen == [(True, '/')], seen
                assert time.monotonic() - began >= 0.29
                assert error(prompt, secret + 'Prompt', 'Prompt', V('(s)', '')) == secret + 'Error.NoSuchObject'
                assert ask(b'x' * 60)[0] == '/'
                """)
        #expect(desktop.store.prompts.isEmpty && desktop.store.all.isEmpty)
        #expect(Patience.wait { room.left.withLock { $0 } == 100 }, "all bytes are given back")
    }

    @Test func nothingIsStoredAfterItsPromptWasDismissed() throws {
        let desktop = try Desktop()
        desktop.store.lockCollection()
        desktop.store.answersLate = true
        try desktop.runCalls(
            Self.follow + """
                prompt = ask(b'x')[1]
                import time
                call(prompt, secret + 'Prompt', 'Prompt', V('(s)', ''))
                time.sleep(0.3)
                call(prompt, secret + 'Prompt', 'Dismiss')
                wait(1)
                assert seen == [(True, '/')], seen
                """)
        #expect(Patience.wait { desktop.store.asking == 0 })
        // On a busy machine, the prompt may be dismissed before the work begins. Then the store is not called.
        let wasCalled = !desktop.store.prompts.isEmpty
        #expect(!wasCalled || Patience.wait { !desktop.store.isLocked(StoreInMemory.login) })
        Thread.sleep(forTimeInterval: 0.1)
        #expect(desktop.store.all.isEmpty)
    }

    @Test func aPathThatIsNamedOftenCountsOnceAndAnAnswerHasALimit() throws {
        let desktop = try Desktop()
        desktop.store.needsPrompt = false
        for _ in 0..<3 {
            let item = NewSecretItem(
                label: "Large", attributes: [:], secret: try SecureBytes(count: 8 << 20), contentType: "")
            _ = try desktop.store.create(
                item, in: StoreInMemory.login, replaces: false, for: SecretCaller(connection: ":1.0", process: 0),
                CallLifetime())
        }
        try desktop.runCalls(
            """
            items = call(login, 'org.freedesktop.DBus.Properties', 'Get', V('(ss)', secret + 'Collection', 'Items'))[0]
            assert len(items) == 3
            own = session()
            def count(paths):
                arguments = V('(aoo)', paths, own)
                reply = bus.call_sync('org.freedesktop.secrets', root, secret + 'Service', 'GetSecrets', arguments, None, 0, 60000, None)
                return reply.get_child_value(0).n_children()
            assert count(items[:1] * 1000) == 1
            assert count(items) == 2
            assert call(root, secret + 'Service', 'Unlock', V('(ao)', items[:1] * 1000)) == (items[:1], '/')
            assert call(root, secret + 'Service', 'Lock', V('(ao)', [login] * 1000)) == ([login], '/')
            """)
    }

    @Test func argumentsThatAreTooLargeAreRefused() throws {
        let desktop = try Desktop()
        try desktop.runCalls(
            """
            limit = 'org.freedesktop.DBus.Error.LimitsExceeded'
            def search(attributes): return error(root, secret + 'Service', 'SearchItems', V('(a{ss})', attributes))
            assert search({str(n): 'x' for n in range(256)}) == ([], [])
            assert search({str(n): 'x' for n in range(257)}) == limit
            assert search({'a': 'x' * 65536}) == ([], [])
            assert search({'a': 'x' * 65537}) == search({'x' * 65537: 'a'}) == limit
            assert search({str(n): 'x' * 65536 for n in range(17)}) == limit
            none = root + '/collection/none'
            assert error(root, secret + 'Service', 'Unlock', V('(ao)', [none] * 65536)) == ([], '/')
            assert error(root, secret + 'Service', 'Unlock', V('(ao)', [none] * 65537)) == limit
            label = {secret + 'Collection.Label': GLib.Variant('s', 'x' * 65537)}
            assert error(root, secret + 'Service', 'CreateCollection', V('(a{sv}s)', label, '')) == limit
            many = {str(n): GLib.Variant('s', '') for n in range(1000)}
            assert error(root, secret + 'Service', 'CreateCollection', V('(a{sv}s)', many, '')) == limit
            key = GLib.Variant('ay', b'x' * 65537)
            assert error(root, secret + 'Service', 'OpenSession', V('(sv)', 'dh-ietf1024-sha256-aes128-cbc-pkcs7', key)) == limit
            assert error(root + '/x' * 4096, secret + 'Service', 'Lock', V('(ao)', [])) == secret + 'Error.NoSuchObject'
            """)
    }

    @Test func promptsOfManyConnectionsKeepNothingElseWaiting() throws {
        let desktop = try Desktop()
        desktop.store.firstAnswers = [.granted]
        desktop.store.answer = .none
        try desktop.runCalls(
            """
            item = create(login, 'Sample', {'a': 'b'}, b'x')[0]
            own = session()
            read = lambda: bytes(call(item, secret + 'Item', 'GetSecret', V('(o)', own))[0][2])
            assert read() == b'x'
            others = [connect() for n in range(70)]
            for other in others:
                prompt = call(root, secret + 'Service', 'Unlock', V('(ao)', [item]), other)[1]
                call(prompt, secret + 'Prompt', 'Prompt', V('(s)', ''), other)
            assert read() == b'x'
            assert create(login, 'Other', {'a': 'c'}, b'x')[1] == '/'
            assert call(root, secret + 'Service', 'Lock', V('(ao)', [item])) == ([item], '/')
            """)
        #expect(desktop.store.prompts.count > 60)
    }

    @Test(.timeLimit(.minutes(20))) func manyNewItemsAreAnnouncedTogether() throws {
        let desktop = try Desktop()
        let count = 10_000
        let client = try desktop.beginCalls(
            """
            new, lists, loop = set(), [], GLib.MainLoop()
            def created(c, sender, path, interface, signal, arguments): new.add(arguments.unpack()[0])
            def changed(c, sender, path, interface, signal, arguments):
                lists.append(arguments.unpack())
                if len(new) > \(count): loop.quit()
            bus.signal_subscribe('org.freedesktop.secrets', secret + 'Collection', 'ItemCreated', login, None, 0, created)
            bus.signal_subscribe('org.freedesktop.secrets', 'org.freedesktop.DBus.Properties', 'PropertiesChanged', login, None, 0, changed)
            create(login, 'Ready', {}, b'x')
            loop.run()
            assert len(new) == \(count) + 1
            assert lists[0][1] or lists[0][2], lists[0]
            assert lists[-1] == (secret + 'Collection', {}, ['Items']), lists[-1]
            print(len(lists))
            """)
        #expect(Patience.wait { desktop.store.all.count == 1 })
        for _ in 0..<count {
            let item = NewSecretItem(label: "", attributes: [:], secret: try SecureBytes(count: 1), contentType: "")
            _ = try desktop.store.create(
                item, in: StoreInMemory.login, replaces: false, for: SecretCaller(connection: ":1.0", process: 0),
                CallLifetime())
        }
        let run = try client.end()
        #expect(run.status == 0, "\(run.errors)")
        let lists = try #require(Int(run.output.trimmingCharacters(in: .newlines)))
        #expect(lists < count / 20)
    }
}
