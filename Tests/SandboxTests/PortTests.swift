import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// Ports inside a sandbox that this process listens on.
@Suite(.needsUserNamespaces) struct PortTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    /// Answers one connection with a byte.
    private func answer(_ listener: Int32) -> Bool {
        var waited = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, Int32(Patience.seconds) * 1000) == 1 else { return false }
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        return write(connection, "k", 1) == 1
    }

    @Test func aPortInsideIsAnsweredOutsideAndOnlyThere() throws {
        // The port is not known before the sandbox is made, so the command reads it from its work folder.
        let script = SandboxRun.client(0).replacing("\", 0)", with: "\", int(open('port').read()))")
        let (first, other) = (
            try SandboxRun(python: script, in: work.url.path), try SandboxRun(python: script, in: work.url.path)
        )
        let (listener, port) = try first.sandbox.listen(onLoopback: nil)
        defer { close(listener) }
        #expect(port != 0 && fcntl(listener, F_GETFD) & FD_CLOEXEC != 0)
        try ClosedOnExec.write("\(port)", to: work.path("port"))
        #expect(try other.result().text == "ConnectionRefusedError\n")
        try first.sandbox.start()
        #expect(answer(listener))
        #expect(try first.result().text == "k\n")
    }

    @Test func aChosenPortIsTakenOnce() throws {
        let run = try SandboxRun(script: "true", in: work.url.path)
        let (listener, port) = try run.sandbox.listen(onLoopback: 80)
        #expect(port == 80)
        #expect(throws: SandboxError.port(80, SystemError(EADDRINUSE))) { try run.sandbox.listen(onLoopback: 80) }
        close(listener)
        #expect(try run.result().status == 0)
    }

    @Test func thePortsOfTheMachineAreReachedWithItsNetworkOnly() throws {
        let sharing = try SandboxRun(script: "true", in: work.url.path) { $0.sharesNetwork = true }
        let (listener, port) = try sharing.sandbox.listen(onLoopback: nil)
        defer { close(listener) }
        let script = SandboxRun.client(port)
        #expect(try SandboxRun(python: script, in: work.url.path).result().text == "ConnectionRefusedError\n")
        let reaching = try SandboxRun(python: script, in: work.url.path) { $0.sharesNetwork = true }
        try reaching.sandbox.start()
        #expect(answer(listener))
        #expect(try reaching.result().text == "k\n")
        #expect(try sharing.result().status == 0)
    }
}
