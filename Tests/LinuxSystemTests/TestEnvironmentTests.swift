import Foundation
import TestSupport
import Testing

/// The environment of the tests themselves.
@Suite struct TestEnvironmentTests {
    /// A vault, a bus, an agent of SSH or a key ring of the user must not be found by a test, nor by a program that it starts.
    @Test func theTestsSeeNothingOfTheUsersEnvironment() throws {
        let environment = ProcessInfo.processInfo.environment
        let foreign = environment.keys.filter { name in
            ["DBUS_SESSION", "XDG_", "SSH_", "GNUPG", "GPG_", "GIT_", "DISPLAY", "WAYLAND", "EDITOR", "PASSWORD_STORE"]
                .contains { name.hasPrefix($0) }
        }
        #expect(foreign == [])
        for name in ["LATCHKEY_HOME", "LATCHKEY_PROMPT", "LATCHKEY_READY", "LATCHKEY_DEVICE"] {
            #expect(environment[name] == nil)
        }
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        #expect(folders.prefix(4) == ["/usr/bin", "/bin", "/usr/sbin", "/sbin"] && folders.count <= 5, "\(folders)")
        let home = try #require(environment["HOME"])
        #expect(
            home.contains("/latchkey-tests-") && getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } != home)
        let seen = try Command.run([], program: URL(filePath: "/usr/bin/env")).output
        #expect(seen.contains("HOME=\(home)\n") && !seen.contains("SSH_AUTH_SOCK"))
    }
}
