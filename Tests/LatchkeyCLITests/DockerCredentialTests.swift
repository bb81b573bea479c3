import AgentProtocol
import Foundation
import LatchkeyCLI
import SodiumKit
import TestSupport
import Testing

/// `docker-credential-latchkey`, called by the protocol of docker.
@Suite(.waitsForProcesses) struct DockerCredentialTests {
    private struct Credential: Codable, Equatable {
        var server: String
        var username: String
        var secret: String

        enum CodingKeys: String, CodingKey {
            case server = "ServerURL"
            case username = "Username"
            case secret = "Secret"
        }
    }

    private static let server = "https://index.docker.io/v1/"
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    private func helper(_ operation: String, _ input: String = "") throws -> Command.Run {
        try vault.sh("printf '%s' \"$INPUT\" | docker-credential-latchkey \(operation)", ["INPUT": input])
    }

    private func store(_ credential: Credential) throws -> Command.Run {
        // The encoder of docker escapes angle brackets and the characters that are special in JavaScript.
        let line =
            "import json,os; print(json.dumps(json.loads(os.environ[\"INPUT\"])).replace(\"<\",\"\\\\u003c\").replace(\">\",\"\\\\u003e\").replace(\"&\",\"\\\\u0026\"))"
        let text = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
        return try vault.sh("python3 -c '\(line)' | docker-credential-latchkey store --preset open", ["INPUT": text])
    }

    private func get() throws -> Credential {
        try JSONDecoder().decode(Credential.self, from: Data(try helper("get", Self.server).output.utf8))
    }

    private static let credentials = [
        ("alice", "s3cret"), ("<token>", "eyJhbGciOi.J9/+=="), ("née@example.com", "pässwörd 🔑 \u{200D}"),
        ("a/b%c", "\"\\\n\t\u{1}\u{7F}/<>&\u{2028}"), ("a b", " "), ("$oauthtoken", "{\"a\":1}"),
    ]

    @Test func whatIsStoredIsGotUntilItIsErased() throws {
        for (username, secret) in Self.credentials {
            let credential = Credential(server: Self.server, username: username, secret: secret)
            let stored = try store(credential)
            #expect(stored.status == 0 && stored.output.isEmpty && stored.errors.isEmpty, "\(stored)")
            #expect(try get() == credential)
            #expect(try helper("list").output == "{\"https://index.docker.io/v1/\":\"\(username)\"}\n")
            let erased = try helper("erase", Self.server + "\n")
            #expect(erased.status == 0 && erased.output.isEmpty)
            #expect(try vault.names().isEmpty)
        }
    }

    /// The helper is killed at many moments, spread over the time that storing a password takes.
    @Test func aKillLeavesTheOldOneOrTheNewOne() throws {
        let name = "docker/https:%2F%2Findex.docker.io%2Fv1%2F/alice"
        try vault.set(name, "secret 0")
        let line = """
            import json, os, signal, subprocess, sys, time
            def store(number, moment):
                child = subprocess.Popen(["docker-credential-latchkey", "store"], stdin=subprocess.PIPE)
                start = time.monotonic()
                child.stdin.write(json.dumps({"ServerURL": sys.argv[1], "Username": "alice", "Secret": f"secret {number}"}).encode())
                child.stdin.close()
                while moment is None or time.monotonic() - start < moment:
                    if child.poll() is not None: break
                child.kill()
                return child.wait(), time.monotonic() - start
            takes = max(store(number, None)[1] for number in (1, 2))
            for number in range(3, 63):
                store(number, takes * (number - 2) / 60)
                names = subprocess.run(["latchkey", "list", "--names"], capture_output=True, text=True).stdout
                print(number, subprocess.run(["latchkey", "get", sys.argv[2]], capture_output=True, text=True).stdout, names.strip())
            """
        let run = try vault.sh("python3 -c \"$LINE\" \(Self.server) '\(name)'", ["LINE": line])
        let rows = run.output.split(separator: "\n")
        var last = 2
        #expect(rows.count == 60, "\(run)")
        for row in rows {
            let words = row.split(separator: " ")
            try #require(words.count == 4 && words[1] == "secret" && words[3] == name, "\(row)")
            let (number, kept) = (try #require(Int(words[0])), try #require(Int(words[2])))
            // The password of a killed client may be stored a moment later.
            #expect((last...number).contains(kept), "\(row)")
            last = kept
        }
    }
}

/// JSON objects with a secret member.
@Suite struct SecretObjectTests {
    private func member(_ name: String, of text: String) throws -> String? {
        switch try CredentialFields.read(SecureBytes(text)).secret(name) {
        case .some(let secret): secret.string()
        case .none: nil
        }
    }

    @Test(arguments: [
        (#"{"s":"a"}"#, "a"), (" {\n\"s\" :\t\"a\" } \n", "a"), (#"{"x":"b","s":"a","y":"c"}"#, "a"),
        (#"{"s":"a","s":"b"}"#, "b"), (#"{"s":""}"#, ""), (#"{"n":-1.5E+3,"t":true,"s":"a","z":null}"#, "a"),
        (#"{"s":"\"\\\/\b\f\n\r\t"}"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"{"\u0073":"\u00e9\u20AC"}"#, "é€"),
        (#"{"s":"\ud83d\udd11"}"#, "🔑"), (#"{"s":"é🔑"}"#, "é🔑"), (#"{"s":"\u003ctoken\u003e"}"#, "<token>"),
    ]) func areRead(_ text: String, _ secret: String) throws { #expect(try member("s", of: text) == secret) }

    @Test(arguments: [
        "", "{", "[]", "\"s\"", #"{"s"}"#, #"{"s":}"#, #"{"s":"a""#, #"{"s":"a"}x"#, #"{"s":"a",}"#, #"{,"s":"a"}"#,
        #"{"s":"a" "t":"b"}"#, #"{"s":"\x"}"#, #"{"s":"\u12"}"#, #"{"s":"\ud83d"}"#, #"{"s":"\udd11"}"#,
        #"{"s":"\ud83dx"}"#, #"{"s":"\ud83d\u0041"}"#, "{\"s\":\"a\nb\"}", #"{"s":{"t":"a"}}"#, #"{"s":["a"]}"#,
        #"{s:"a"}"#,
        #"{"s":"a\"#,
    ]) func areRefused(_ text: String) {
        #expect(throws: CommandError.self) { try member("s", of: text) }
    }

    @Test func everyBeginningIsRefused() throws {
        let text = #"{"ServerURL":"https://a","n":12,"Secret":"\ud83d\udd11\n"}"#
        for count in 0..<text.utf8.count {
            let bytes = try SecureBytes(copying: Array(text.utf8.prefix(count)).span.bytes)
            #expect(throws: CommandError.self) { _ = try CredentialFields.read(bytes) }
        }
    }

    @Test func everyCharacterIsWrittenSoThatOthersReadIt() throws {
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init) + ["\u{2028}", "🔑", "\u{10FFFF}"]
        for scalar in scalars {
            var buffer = try SecureBuffer()
            let isText = try buffer.append(json: Array("\(scalar)".utf8).span.bytes)
            let written = try #require(try buffer.bytes().string())
            #expect(isText)
            #expect(
                try JSONDecoder().decode(String.self, from: Data(written.utf8)).unicodeScalars.elementsEqual([scalar]))
            #expect(try member("s", of: "{\"s\":\(written)}") == String(Character(scalar)))
        }
    }
}
