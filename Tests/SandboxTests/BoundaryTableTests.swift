import CSandbox
import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// What a program can reach of its owner's, at each boundary that lending knows: the table of docs/lend.md.
@Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "skipped: needs python3"), .timeLimit(.minutes(20)))
struct BoundaryTableTests {
    /// A way that is tried.
    private enum Way: String, CaseIterable {
        case ptrace, environ, mem
        case descriptors = "pidfd_getfd"
        case signals, bus, agent, abstract, loopback, keyring
    }

    private static let script = Repository.root.appending(path: "Fixtures/lending/boundary.py").path
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The things of the owner, and the command that tries the ways to them.
    private final class Victim {
        let command: [String]
        let hasKey: Bool
        private var program: SpawnedProgram?
        private let key: Int32

        init(in folder: String, isOtherUser: Bool = false) throws {
            key = latchkey_add_session_key("latchkey-test-\(UUID().uuidString)")
            // A machine may have no keyrings.
            hasKey = key > 0
            var program = try SpawnedProgram(
                path: "/usr/bin/env", ["VICTIM=1", "/usr/bin/python3", "-B", script, "victim", folder])
            guard let line = program.line() else { throw CocoaError(.executableLoad) }
            self.program = program
            let places = line.dropLast() + ", \"key\": \(key), \"login\": \(isOtherUser)}"
            // The boundary may hide the file.
            let text = try String(contentsOfFile: script, encoding: .utf8)
            command = ["/usr/bin/python3", "-B", "-c", text, "try", String(places)]
        }

        func end() {
            if key > 0 { latchkey_revoke_key(key) }
            guard let program else { return }
            self.program = nil
            program.kill()
            program.end()
        }
    }

    /// Runs the attempts behind these words, by the present thread, whose session keyring they get. Returns the ways that are open.
    private func open(behind words: [String], _ victim: Victim) throws -> [Way] {
        let pipe = try LinuxSystem.Pipe()
        defer { close(pipe.reading) }
        var child = Child()
        child.output = .descriptor(pipe.writing)
        let all = words + victim.command
        let process = try child.start(
            all[0], isSearched: true, all, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"])
        close(pipe.writing)
        let text = SandboxRun.everything(from: pipe.reading)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        return try ways(text)
    }

    private func ways(_ text: String) throws -> [Way] {
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.last == "over", "\(text)")
        return try lines.dropLast().map { try #require(Way(rawValue: $0)) }
    }

    private func expect(_ found: [Way], _ open: [Way], _ victim: Victim) {
        #expect(found == (victim.hasKey ? open : open.filter { $0 != .keyring }))
    }

    @Test func withoutASandboxEverythingIsOpen() throws {
        let victim = try Victim(in: folder.url.path)
        defer { victim.end() }
        expect(try open(behind: [], victim), Way.allCases, victim)
    }

    @Test(.needsUserNamespaces) func theSandboxOfLendKeepsEverythingOut() throws {
        let victim = try Victim(in: folder.url.path)
        defer { victim.end() }
        let work = try TemporaryFolder()
        expect(try ways(SandboxRun(victim.command, in: work.url.path).result().text), [], victim)
    }

    /// With the network of the machine, its ports and abstract sockets are open, and nothing else.
    @Test(.needsUserNamespaces) func theSandboxWithTheNetworkKeepsTheRestOut() throws {
        let victim = try Victim(in: folder.url.path)
        defer { victim.end() }
        let work = try TemporaryFolder()
        let run = try SandboxRun(victim.command, in: work.url.path) { $0.sharesNetwork = true }
        expect(try ways(run.result().text), [.abstract, .loopback], victim)
    }

    /// A read-only file system does not keep a program from sockets in it.
    @Test(.needsUserNamespaces) func aSandboxWithAllFilesIsNoBoundary() throws {
        let victim = try Victim(in: folder.url.path)
        defer { victim.end() }
        let words = [
            "bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--",
        ]
        expect(try open(behind: words, victim), [.bus, .agent, .abstract, .loopback, .keyring], victim)
    }

    @Test(.needsUserNamespaces) func aUserNamespaceIsNoBoundary() throws {
        let victim = try Victim(in: folder.url.path)
        defer { victim.end() }
        let words = ["bwrap", "--unshare-user", "--dev-bind", "/", "/", "--"]
        expect(try open(behind: words, victim), [.signals, .bus, .agent, .abstract, .loopback, .keyring], victim)
    }

    /// Another user has what the network of the machine has.
    @Test(.needsRoot) func anotherUserReachesTheNetworkOfTheMachine() throws {
        let victim = try Victim(in: folder.url.path, isOtherUser: true)
        defer { victim.end() }
        expect(try open(behind: Privileges.words(), victim), [.abstract, .loopback], victim)
    }
}
