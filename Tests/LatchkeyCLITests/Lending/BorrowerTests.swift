import AgentProtocol
import Foundation
import Sandbox
import Synchronization
import TestSupport
import Testing

/// A borrower that looks for the secret everywhere and tries every way out, in a real sandbox.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct BorrowerTests {
    /// A new secret of 32 bytes, which no file of before can have.
    private let canary: String
    private let vault: UnlockedVault
    /// The owner's other things, which have the secret and give it to whoever reaches them.
    private let outside: OwnersOtherThings
    private let server: LentServer
    private let since: Double

    init() throws {
        since = Date().timeIntervalSince1970 - 2
        canary = "canary-" + String((0..<25).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0" })
        vault = try UnlockedVault()
        let folder = vault.path("site")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        outside = try OwnersOtherThings(canary, at: vault)
        server = try LentServer("echo-server.py", ["\(outside.port)"])
        try vault.set("web/api", canary)
        try vault.allow("web/api", server.address)
        // The third answer with the secret in it ends the loan of a service, so there are several.
        let services = (["api"] + (0..<9).map { "echo\($0)" }).map {
            "  \($0): { item: web/api, http: \"\(server.address)\", allow: [GET /v1/**, POST /v1/**], set: { \($0.uppercased())_KEY: placeholder } }\n"
        }
        try "lend: site\nservices:\n\(services.joined())".write(
            toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        let script = Repository.root.appending(path: "Fixtures/lending/borrower.py")
        try FileManager.default.copyItem(at: script, to: URL(filePath: vault.path("site/borrower.py")))
    }

    /// A line of the borrower.
    private struct Line: Decodable {
        let way: String
        let looked: Int
        let reached: Bool?
        let found: Set<String>
        let why: String?
        let status: Int?
        let location: String?
        let ports: [Int]?
        let codes: [String: [Int]]?
    }

    private static func lines(of output: String) throws -> [String: Line] {
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("{") }
        let read = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        return Dictionary(read.map { ($0.way, $0) }) { $1 }
    }

    /// A decoy of `borrower.py`, which has the form of the secret.
    private static func decoy(_ number: Int) -> String {
        "canary-decoydecoydecoydecoy" + String(repeating: "0", count: 5 - "\(number)".count) + "\(number)"
    }

    private func lend(_ script: String) throws -> Command.Run {
        let words = "--yes --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))'"
        return try vault.sh("latchkey lend \(words) -- sh -c \"$INSIDE\" 2>&1", ["INSIDE": script])
    }

    @Test func aBorrowerThatTriesEverythingFindsNothing() throws {
        try outside.targets.write(toFile: vault.path("site/targets.json"), atomically: true, encoding: .utf8)
        let run = try lend(
            "exec env OWN_DECOY=\(Self.decoy(1)) /usr/bin/python3 -B borrower.py targets.json \(since) 2>&1")
        let lines = try Self.lines(of: run.output)
        try #require(lines["end"] != nil, "\(run.output)")
        #expect(!run.output.contains(canary), "\(run.output)")
        #expect(lines.values.allSatisfy { !$0.found.contains(canary) })
        try searchesFindWhatIsThere(lines)
        try nothingOfTheOwnerIsReached(lines)
        answersHaveStars(lines)
        try misleadingRequestsReachNothing(lines)
    }

    /// The same code finds what the borrower has hidden itself, so it would have found the secret.
    private func searchesFindWhatIsThere(_ lines: [String: Line]) throws {
        let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        // Some systems let no program look at the memory of another one.
        let mayTrace = (scope?.first?.wholeNumberValue ?? 0) < 2
        for (way, numbers) in [
            ("environment", [1]), ("files", [10, 11, 12]), ("files again", [10, 11, 12]), ("proc", [1]),
            ("memory", [20]),
            ("ptrace of a child", [20]), ("own socket", [30]), ("own abstract socket", [31]), ("own port", [32]),
            ("plain request", [200]),
        ] where mayTrace || !["memory", "ptrace of a child"].contains(way) {
            let line = try #require(lines[way], "\(way)")
            #expect(line.looked > 0 && line.found.isSuperset(of: numbers.map(Self.decoy)), "\(line)")
        }
    }

    /// Without the sandbox, the same code reaches every one of the owner's things. With it, it reaches none.
    private func nothingOfTheOwnerIsReached(_ lines: [String: Line]) throws {
        let run = try vault.sh(
            "cd ~/site && /usr/bin/python3 -B borrower.py targets.json \(since) --outside 2>&1")
        let open = try Self.lines(of: run.output)
        try #require(open["end"] != nil, "\(run.output)")
        for way in outside.ways {
            let (inside, control) = (try #require(lines[way], "\(way)"), try #require(open[way], "\(way)"))
            #expect(control.reached == true, "\(control)")
            #expect(inside.reached == false && inside.looked == 0, "\(inside)")
        }
        for way in outside.waysWithSecret + ["environment"] {
            #expect(open[way]?.found.contains(canary) == true, "\(way): \(run.output)")
        }
        for (way, line) in lines
        where way.hasPrefix("usual socket") || way.hasPrefix("socket that") || way.hasPrefix("keyring") {
            #expect(line.reached == false, "\(line)")
        }
        // The connections are those of the control.
        let reached = outside.end()
        #expect(reached.count == Set(reached).count && reached.contains("reached port"), "\(reached)")
        // The first ports are those of the services, and one is that of the tools. No other is open.
        #expect(lines["ports"]?.ports == Array(4001...4011), "\(lines["ports"]?.ports ?? [])")
        // The first process is that of the sandbox, and has the words of the command, a decoy among them.
        #expect(lines["ptrace of process 1"]?.found.isSubset(of: [Self.decoy(1)]) == true)
    }

    /// The server sent the secret back in each answer, and what arrives beside it is whole.
    private func answersHaveStars(_ lines: [String: Line]) {
        let ways = lines.values.filter { $0.way.hasPrefix("answer: ") }
        #expect(ways.count == 18)
        for line in ways {
            switch line.way {
            // Nothing can be looked for in a compressed answer.
            case "answer: gzip": #expect(line.status == 502 && line.found == [], "\(line)")
            // The place of a redirect is left out.
            case "answer: to-port", "answer: to-host", "answer: to-user":
                #expect(line.status == 302 && line.location == nil && line.found.count == 1, "\(line)")
            default: #expect(line.found.count == 1 && line.status != nil, "\(line)")
            }
        }
    }

    /// Every request that arrived was an ordinary one below /v1, with the secret in its field.
    private func misleadingRequestsReachNothing(_ lines: [String: Line]) throws {
        let codes = try #require(lines["misleading requests"]?.codes)
        #expect(codes.count >= 40)
        for (what, codes) in codes {
            // One answer, and never two: no second request was hidden in the first.
            #expect(codes.count == 1, "\(what): \(codes)")
        }
        let requests = server.end()
        #expect(requests.count { $0.contains("/v1/echo/") } == 18, "\(requests)")
        for request in requests {
            let words = request.split(separator: " ")
            let path = words[0].dropFirst().dropLast()
            #expect(words.count == 3 && words[1] == canary, "\(request)")
            #expect(
                path.hasPrefix("/v1/") && !path.contains("\\") && !path.contains("..")
                    && !path.lowercased().contains("admin"), "\(request)")
        }
        let log = try vault.sh("latchkey log").output
        #expect(log.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) }, "\(log)")
        #expect(!log.contains(canary))
    }

    /// Once its requests are over, the program that lends has the secret nowhere in its memory, also if a server has sent it back.
    @Test(.enabled(if: Privileges.isRoot, "skipped: needs root, to read the memory of a process"))
    func theLenderForgetsTheSecret() throws {
        let script = """
            curl -s "$LENT_API/v1/plain" -H 'X-Decoy: canary-in-a-field'
            number=0
            for way in body chunks head base64-0 base64-1 base64-2 base64-url hexadecimal percent records early reason error cookie gzip; do
                eval curl -s "\\$LENT_ECHO$((number / 2))/v1/echo/$way" >/dev/null
                number=$((number + 1))
            done
            touch used; until [ -e looked ]; do sleep 0.05; done
            """
        let run = Background { Result { try lend(script) } }
        defer { try? Data().write(to: URL(filePath: vault.path("site/looked"))) }
        try #require(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/used")) })
        var needles = Needles()
        let bytes = Array(canary.utf8)
        needles.add("the secret", Array(bytes.dropFirst(7)))
        needles.add("its middle", Array(bytes[10..<22]))
        needles.add("its end", Array(bytes.suffix(12)))
        for before in 0...2 {
            let text = Data(repeating: 46, count: before) + Data(bytes)
            needles.add("base64 after \(before)", Array(text.base64EncodedString().utf8.dropFirst(14).prefix(24)))
        }
        needles.add("hexadecimal", Array(bytes.map { String(format: "%02x", $0) }.joined().utf8.suffix(40)))
        needles.add("percent", Array(bytes.map { String(format: "%%%02X", $0) }.joined().utf8.suffix(40)))
        var control = Needles()
        control.add("the name", Array("web/api".utf8) + [0])
        control.add("the server", Array(server.address.utf8))
        let seen = try vault.requireForgotten(needles, byLendersOf: "site/site.yaml", finding: control)
        #expect(seen.contains("the server"), "the search finds what is there")
        try Data().write(to: URL(filePath: vault.path("site/looked")))
        #expect(try run.value.get().output.contains("plain canary-in-a-field"))
        #expect(server.end().count { $0.contains(" \(canary) ") } == 16)
    }
}

/// Things of the owner's that a sandbox has to keep out. Each gives a secret to whoever reaches it (`outside.py`).
private final class OwnersOtherThings: Sendable {
    private let program: Mutex<SpawnedProgram?>
    /// The things as `borrower.py` reads them.
    let targets: String
    let port: Int
    /// The ways of the borrower to them.
    let ways: [String]
    /// Those that lead to the secret.
    let waysWithSecret: [String]

    private struct Targets: Codable {
        let port: Int
        let port6: Int?
        let abstract: String
        var sockets: [String]
        var files: [String]
        let processes: [Int]
        let key: Int?
    }

    init(_ secret: String, at vault: UnlockedVault) throws {
        let script = Repository.root.appending(path: "Fixtures/lending/outside.py").path
        var program = try SpawnedProgram(
            path: "/usr/bin/python3", ["-B", script, secret, vault.path("")])
        guard let line = program.line() else { throw LentServer.CannotStart() }
        var targets = try JSONDecoder().decode(Targets.self, from: Data(line.utf8))
        self.program = Mutex(program)
        port = targets.port
        let given =
            targets.sockets.map { "socket: \($0)" } + targets.files.map { "file: \($0)" } + ["abstract socket", "port"]
            + (targets.port6 == nil ? [] : ["port6"]) + (targets.key == nil ? [] : ["key"])
        // The vault, and the socket of the agent.
        let runtime = vault.environment["XDG_RUNTIME_DIR"] ?? ""
        let folder = vault.environment["LATCHKEY_HOME"] ?? ""
        let below = try FileManager.default.subpathsOfDirectory(atPath: runtime).map { "\(runtime)/\($0)" }
        let sockets = below.filter { path in
            (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeSocket
        }
        targets.sockets += sockets
        targets.files += [folder, runtime]
        ways = given + (sockets.map { "socket: \($0)" } + ["file: \(folder)", "file: \(runtime)"])
        waysWithSecret = given + targets.processes.map { "process \($0)" }
        self.targets = String(decoding: try JSONEncoder().encode(targets), as: UTF8.self)
        try #require(!sockets.isEmpty)
    }

    /// Ends them. Returns a line for each connection.
    func end() -> [String] {
        program.withLock { running in
            guard var program = running else { return [] }
            running = nil
            program.go()
            defer { program.end() }
            return program.lines()
        }
    }

    deinit { _ = end() }
}
