import Foundation
import SystemServices
import TestSupport
import Testing

/// The exerciser, started by a Python program that prepares its environment as systemd would.
private struct Service {
    static let python = "/usr/bin/python3"
    static let isPossible = FileManager.default.isExecutableFile(atPath: python)
    static let program = Installation.built("service-exerciser")

    /// Returns the output of the exerciser after `preparation`, a piece of Python with the modules os and socket and
    /// the variable `env`.
    static func lines(_ argument: String, after preparation: String) throws -> [String] {
        let script = """
            import fcntl, os, socket, sys
            env = {"LISTEN_PID": str(os.getpid())}
            def hand_over(*sockets):
                # Out of the way first, and out of the hands of objects that would close them.
                own = [s.detach() if hasattr(s, "detach") else s for s in sockets]
                high = [fcntl.fcntl(s, fcntl.F_DUPFD, 100) for s in own]
                for number, s in enumerate(high):
                    os.dup2(s, 3 + number)
                os.closerange(3 + len(high), 200)
                env["LISTEN_FDS"] = str(len(high))
            def listening(family=socket.AF_UNIX, kind=socket.SOCK_STREAM, name=""):
                s = socket.socket(family, kind)
                s.bind(name)
                s.listen()
                return s
            \(preparation)
            os.execve(sys.argv[1], sys.argv[1:], env)
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-I", "-c", script, program, argument]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite(.enabled(if: Service.isPossible)) struct SocketActivationTests {
    @Test(arguments: [
        ("hand_over(listening())", ["socket 3 close-on-exec"]),
        (
            "hand_over(listening(), listening(name='\\0latchkey-test-%d' % os.getpid()))",
            ["socket 3 close-on-exec", "socket 4 close-on-exec"]
        ),
        ("hand_over(listening()); env['LISTEN_FDNAMES'] = 'agent'", ["socket 3 close-on-exec"]),
        // This process gets no socket.
        ("env.clear()", []),
        ("pass", []),
        ("hand_over(listening()); env['LISTEN_PID'] = '1'", []),
        ("hand_over(listening()); del env['LISTEN_PID']", []),
        ("env['LISTEN_PID'] = '1'; env['LISTEN_FDS'] = 'none'", []),
    ])
    func socketsAreTakenThatWereMeantForThisProcess(preparation: String, said: [String]) throws {
        #expect(try Service.lines("sockets", after: preparation) == said)
    }

    @Test(arguments: [
        (
            "hand_over(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))",
            "descriptor 3, which LISTEN_FDS hands over, is not"
        ),
        (
            "hand_over(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))",
            "descriptor 3, which LISTEN_FDS hands over, is not"
        ),
        ("hand_over(socket.socketpair()[0])", "descriptor 3, which LISTEN_FDS hands over, is not"),
        ("hand_over(listening(kind=socket.SOCK_SEQPACKET))", "descriptor 3, which LISTEN_FDS hands over, is not"),
        (
            "hand_over(listening(socket.AF_INET, name=('127.0.0.1', 0)))",
            "descriptor 3, which LISTEN_FDS hands over, is not"
        ),
        ("hand_over(os.open('/dev/null', os.O_RDONLY))", "descriptor 3, which LISTEN_FDS hands over, is not"),
        ("hand_over(listening(), os.pipe()[0])", "descriptor 4, which LISTEN_FDS hands over, is not"),
        ("hand_over(listening()); env['LISTEN_FDS'] = '2'", "descriptor 4 should be a socket"),
        ("hand_over(listening()); env['LISTEN_FDS'] = '2147483647'", #"LISTEN_FDS is "2147483647""#),
        ("hand_over(listening()); env['LISTEN_FDS'] = '0'", #"LISTEN_FDS is "0""#),
        ("hand_over(listening()); env['LISTEN_FDS'] = '-1'", #"LISTEN_FDS is "-1""#),
        ("hand_over(listening()); env['LISTEN_FDS'] = '+1'", #"LISTEN_FDS is "+1""#),
        ("hand_over(listening()); env['LISTEN_FDS'] = ''", #"LISTEN_FDS is """#),
        ("hand_over(listening()); env['LISTEN_FDS'] = '1 '", #"LISTEN_FDS is "1 ""#),
        ("hand_over(listening()); env['LISTEN_PID'] = 'me'", #"LISTEN_PID is "me""#),
    ])
    func anythingElseIsAnErrorThatSaysWhatItIsAbout(preparation: String, complaint: String) throws {
        let said = try Service.lines("sockets", after: preparation)
        try #require(said.count == 1, "one line, and no variable left: \(said)")
        #expect(said[0].hasPrefix("error \(complaint)"), "\(said[0])")
    }

    private static let activator = "/usr/bin/systemd-socket-activate"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: activator)))
    func systemdsOwnActivationStartsAServiceThatAnswersTheFirstCaller() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("agent.socket")
        let process = Process()
        process.executableURL = URL(filePath: Self.activator)
        process.arguments = ["--listen=\(path)", Service.program, "accept"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var connection: Int32 = -1
        defer { close(connection) }
        try wait(for: "a socket to connect to") {
            connection = try connected(to: path)
            return connection >= 0
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(connection, &bytes, bytes.count)
        #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == "hello\n")
    }

    private func connected(to path: String) throws -> Int32 {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isConnected = withAddress(path) { connect(connection, $0, $1) == 0 }
        if isConnected { return connection }
        close(connection)
        return -1
    }
}

@Suite(.enabled(if: Service.isPossible)) struct ServiceNotifyTests {
    @Test(arguments: [false, true])
    func bothMessagesComeToTheSocketThatIsNamed(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@latchkey-\(UUID())" : folder.path("notify")
        let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(receiver) }
        try #require(withAddress(name) { bind(receiver, $0, $1) == 0 })
        #expect(try Service.lines("notify", after: "env['NOTIFY_SOCKET'] = '\(name)'") == ["true true"])
        for expected in ["READY=1", "STOPPING=1"] {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = recv(receiver, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == expected)
        }
    }

    @Test(arguments: [
        "pass", "env['NOTIFY_SOCKET'] = ''", "env['NOTIFY_SOCKET'] = 'notify'", "env['NOTIFY_SOCKET'] = '@'",
        "env['NOTIFY_SOCKET'] = '/nowhere/notify'", "env['NOTIFY_SOCKET'] = '/' + 'a' * 107",
        "env['NOTIFY_SOCKET'] = '@' + 'a' * 108", "env['NOTIFY_SOCKET'] = 'vsock:2:1'",
    ])
    func whereNobodyWantsToKnowOrCanBeToldNothingHappens(preparation: String) throws {
        #expect(try Service.lines("notify", after: preparation) == ["false false"])
    }
}

/// Calls `body` with the address of a socket: a path, or an abstract name behind an @.
private func withAddress(_ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var bytes = Array(name.utf8)
    if name.hasPrefix("@") { bytes[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
}
