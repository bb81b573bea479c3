import Foundation
import TestSupport
import Testing

extension SSHTests {
    /// A mock of the program that shows the notifications of a desktop, on a bus of its own.
    final class MockDesktop {
        private let bus: PrivateBus
        private let program: PrivateBus.Client
        private var log: String { bus.folder.path("log") }

        static let isPossible: Bool = {
            guard PrivateBus.isPossible else { return false }
            let words = ["-I", "-c", "import gi, dbusmock.templates.notification_daemon"]
            let look = try? Command.run(words, program: URL(filePath: "/usr/bin/python3"))
            return look?.status == 0
        }()

        struct DoesNotAnswer: Error {}

        /// Starts both, where the agent of a vault looks for the bus of its session.
        init(for vault: VaultAtTerminal) throws {
            bus = try PrivateBus()
            try FileManager.default.createSymbolicLink(
                atPath: vault.runtime + "/bus", withDestinationPath: bus.folder.path("bus"))
            program = try bus.begin(
                "/usr/bin/python3",
                [
                    "-I", "-m", "dbusmock", "--session", "--template", "notification_daemon", "--logfile",
                    bus.folder.path("log"),
                ])
            let words = [
                "--session", "--print-reply", "--dest=org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications.GetCapabilities",
            ]
            guard Patience.wait(until: { (try? bus.run("/usr/bin/dbus-send", words))?.status == 0 }) else {
                throw DoesNotAnswer()
            }
        }

        deinit { program.process.terminate() }

        /// The notifications so far, as the mock has written them down.
        var notifications: [String] {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").filter { $0.contains(" Notify ") }.map(String.init)
        }

        /// Returns true once there is a notification with these words.
        func shows(_ words: String) -> Bool {
            Patience.wait(until: { notifications.contains { $0.contains(words) } })
        }
    }

    @Test(.enabled(if: MockDesktop.isPossible, "skipped: needs dbus, python3-dbusmock and python3-gi"))
    func aSignatureWithoutAPromptIsANotification() throws {
        let desktop = try MockDesktop(for: vault)
        let home = vault.place.path("home")
        #expect(try sh(ssh("open", "bastion.test echo IN")).output == "IN\n")
        #expect(desktop.shows("SSH key open signed"), "\(desktop.notifications)")
        let sentence = "\"ssh\" wanted to log in to bastion.test as \(NSUserName()). No prompt was needed."
        #expect(desktop.shows(sentence), "\(desktop.notifications)")

        // Words of the client are no markup. What follows at once shares a notification.
        try write("a message\n", "file")
        let sign = "ssh-keygen -q -Y sign -f '\(vault.folder)/ssh/open.pub' -n 'a<b>&' - <'\(home)/file'"
        #expect(try sh("\(sign) && \(sign) && \(sign)").status == 0)
        #expect(desktop.shows("SSH key open signed 3 times"), "\(desktop.notifications)")
        #expect(desktop.shows("wanted to sign a file (namespace 'a&lt;b&gt;&amp;')."), "\(desktop.notifications)")

        // Whoever was asked knows of it.
        let asked = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(asked.prompts == 1)
        try vault.at("config", "--notify", "no", asked: vault.typingPasscode)
        #expect(try sh(ssh("open", "inner.test echo IN")).output == "IN\n")
        try vault.at("config", "--notify", "yes", asked: vault.typingPasscode)
        // Too many kinds at once are only counted.
        let last = sign.replacing("'a<b>&'", with: "last")
        let isShown = Patience.wait {
            _ = try? sh(last)
            return desktop.notifications.contains { $0.contains("namespace last") }
        }
        #expect(isShown, "\(desktop.notifications)")

        // A burst of different ones is counted.
        let burst = "for i in $(seq 20); do \(sign.replacing("'a<b>&'", with: "n$i")) & done; wait"
        #expect(try sh(burst).status == 0)
        #expect(desktop.shows(" signatures more"), "\(desktop.notifications)")
        #expect(!desktop.notifications.contains { $0.contains("work/each") || $0.contains("inner.test") })
    }

    /// A desktop that does not answer holds up nothing.
    @Test func aSignatureWaitsForNoNotification() throws {
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listening) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.dropLast().copyBytes(from: (vault.runtime + "/bus").utf8.prefix($0.count - 1))
        }
        let isBound = withUnsafeBytes(of: &address) {
            bind(listening, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
        }
        try #require(isBound && listen(listening, 5) == 0)
        let before = ContinuousClock.now
        for _ in 0..<4 { #expect(try sh(ssh("open", "bastion.test echo IN")).output == "IN\n") }
        #expect(try vault.run("agent", "stop").status == 0)
        // Each would have waited for ten seconds.
        #expect(ContinuousClock.now - before < .seconds(35))
    }
}
