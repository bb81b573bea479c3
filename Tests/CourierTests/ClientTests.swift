import Foundation
import HTTPWire
import LinuxSystem
import TestSupport
import Testing

@testable import Courier

/// The clients that a courier serves, and those that it refuses before the keeper is asked.
@Suite(.timeLimit(.minutes(20))) struct ClientTests {
    private static let token = LoanToken()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A courier at a Unix socket or at a port, for these clients.
    private func rig(_ rules: ClientRules, at path: String? = nil) throws -> Rig {
        try Rig(ScriptedServer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"), at: path) { $0.clients = rules }
    }

    private func answer(of rig: Rig, at path: String) throws -> String {
        let client = try TestSocket(connectingTo: path)
        client.send("GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client.message() ?? ""
    }

    @Test func aTokenIsLongAndNewEachTime() {
        let tokens = (0..<50).map { _ in LoanToken().text }
        #expect(Set(tokens).count == 50)
        #expect(tokens.allSatisfy { $0.wholeMatch(of: /lend_[0-9a-f]{32}/) != nil }, "\(tokens)")
    }

    /// Clients send the token in many forms. A request without it gets nothing, and the keeper does not hear of it.
    @Test(arguments: [
        ("Authorization: Bearer TOKEN", true), ("authorization: token TOKEN", true), ("x-api-key: TOKEN", true),
        ("private-token: TOKEN", true), ("Authorization: Basic BASE64(user:TOKEN)", true),
        ("Authorization: basic BASE64(TOKEN:)", true), ("Cookie: a=TOKEN", true),
        ("Authorization: AWS4-HMAC-SHA256 Credential=TOKEN/20261129/eu-central-1/s3/aws4_request", true),
        ("Authorization: Bearer lend_TOKEN", true), ("", false), ("Authorization: Bearer OTHER", false),
        ("x-other: TOKEN", false), ("Authorization: Bearer lend_", false), ("Authorization: Basic !!!", false),
        ("Authorization: Basic BASE64(user:OTHER)", false), ("Authorization: Basic", false),
    ])
    func aRequestNeedsTheToken(_ field: String, _ isServed: Bool) throws {
        let rig = try rig(ClientRules(token: Self.token))
        var field = field.replacing("TOKEN", with: Self.token.text)
        field.replace("OTHER", with: String(Self.token.text.dropLast()) + "-")
        field.replace(/BASE64\((.*)\)/) { Data($0.1.utf8).base64EncodedString() }
        let answer = try rig.ask(rig.get("/v1", field.isEmpty ? "" : field + "\r\n"))
        #expect(answer.hasPrefix(isServed ? "HTTP/1.1 200" : "HTTP/1.1 403"), "\(field): \(answer)")
        if !isServed {
            #expect(answer.contains("placeholder"), "\(answer)")
            #expect(rig.keeper.notes.isEmpty)
        }
    }

    /// Every user of a machine can connect to its loopback.
    @Test func onlyTheUserIsServedOverLoopback() throws {
        let own = try rig(ClientRules(.loopback(geteuid())))
        #expect(try own.ask(own.get()).hasPrefix("HTTP/1.1 200"))
        let others = try rig(ClientRules(.loopback(geteuid() + 1)))
        let answer = try others.ask(others.get())
        #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("another user"), "\(answer)")
        #expect(others.keeper.notes.isEmpty)
    }

    /// The system's list says that root has the ends of connections which no process has open.
    @Test(.enabled(if: geteuid() == 0, "skipped: needs root"))
    func aConnectionThatItsClientHasLeftIsNotRoots() throws {
        let (listening, port) = try TestSocket.listen()
        defer { close(listening) }
        let client = try TestSocket(port: port)
        let accepted = try TestSocket(accept(listening, nil, nil))
        #expect(LoopbackPeer.user(of: accepted.descriptor) == 0)
        client.close()
        #expect(accepted.rest() == "")
        #expect(LoopbackPeer.user(of: accepted.descriptor) == nil)
    }

    /// Some programs connect by a socket of the newer protocol.
    @Test func aSocketOfTheNewerProtocolHasItsUserToo() throws {
        let (listening, port) = try TestSocket.listen()
        defer { close(listening) }
        let client = try TestSocket(socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) {
            $0.copyBytes(from: Array(repeating: 0, count: 10) + [255, 255, 127, 0, 0, 1])
        }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
        try #require(isConnected)
        let accepted = try TestSocket(accept(listening, nil, nil))
        #expect(LoopbackPeer.user(of: accepted.descriptor) == geteuid())
    }

    @Test func onlyTheUserIsServedAtASocket() throws {
        let path = folder.path("s")
        let others = try rig(ClientRules(.user(geteuid() + 1, isApart: false)), at: path)
        let answer = try answer(of: others, at: path)
        #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("another user"), "\(answer)")
        #expect(others.keeper.notes.isEmpty)
    }

    @Test func theProgramOfAUserIsNamed() throws {
        let path = folder.path("s")
        let rig = try rig(ClientRules(.user(geteuid(), isApart: false)), at: path)
        #expect(try answer(of: rig, at: path).hasPrefix("HTTP/1.1 200"))
        guard case .asked(let use) = rig.keeper.notes.first else { throw CocoaError(.featureUnsupported) }
        #expect(use.program?.hasSuffix(" (process \(getpid()))") == true, "\(use)")
    }

    /// A program that is in no sandbox is refused, on new systems and on those before Linux 6.5.
    @Test(arguments: [true, false]) func aProcessBesideTheLenderIsRefused(_ asksSocket: Bool) throws {
        let path = folder.path("s")
        var rules = ClientRules(.user(geteuid(), isApart: true))
        rules.asksSocket = asksSocket
        let rig = try rig(rules, at: path)
        let answer = try answer(of: rig, at: path)
        #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("no sandbox"), "\(answer)")
        #expect(rig.keeper.notes.isEmpty)
    }

    /// A process in other namespaces is served.
    @Test(
        .enabled(if: Self.canUnshare, "skipped: needs user namespaces, python3 and unshare"), arguments: [true, false])
    func aProcessInANamespaceIsServed(_ asksSocket: Bool) throws {
        let path = folder.path("s")
        var rules = ClientRules(.user(geteuid(), isApart: true))
        rules.asksSocket = asksSocket
        let rig = try rig(rules, at: path)
        let asking = """
            import socket, sys
            made = socket.socket(socket.AF_UNIX)
            made.connect(sys.argv[1])
            made.sendall(b"GET /v1 HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
            print(made.recv(12).decode())
            """
        var program = try SpawnedProgram(
            path: "/usr/bin/unshare", ["-U", "-m", "/usr/bin/python3", "-c", asking, path])
        let line = program.line()
        program.end()
        #expect(line == "HTTP/1.1 200" && !rig.keeper.notes.isEmpty)
    }

    /// A process that has ended leaves its connection to a child of another number. It could have been any.
    @Test(
        .enabled(if: Self.canUnshare, "skipped: needs user namespaces, python3 and unshare"), arguments: [true, false])
    func aProcessThatHasEndedIsRefused(_ asksSocket: Bool) throws {
        let path = folder.path("s")
        let listening = try TestSocket.listen(at: path)
        defer { close(listening) }
        let leaving = """
            import os, socket, sys
            made = socket.socket(socket.AF_UNIX)
            made.connect(sys.argv[1])
            if os.fork() == 0: sys.stdin.readline()
            """
        let program = try SpawnedProgram(
            path: "/usr/bin/unshare", ["-U", "-m", "/usr/bin/python3", "-c", leaving, path])
        let accepted = try TestSocket(accept(listening, nil, nil))
        var information = siginfo_t()
        while waitid(P_PID, id_t(program.process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        var rules = ClientRules(.user(geteuid(), isApart: true))
        rules.asksSocket = asksSocket
        #expect(throws: LoanRefusal.self) { try rules.admit(accepted.descriptor) }
        program.go()
        program.end()
    }

    private static let canUnshare: Bool = {
        let tools = ["/usr/bin/unshare", "/usr/bin/python3"]
        guard tools.allSatisfy(FileManager.default.isExecutableFile(atPath:)),
            let program = try? SpawnedProgram(path: "/usr/bin/unshare", ["-U", "-m", "true"])
        else { return false }
        return program.end() == 0
    }()
}
