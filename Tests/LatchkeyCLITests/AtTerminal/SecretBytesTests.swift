import Foundation
import TestSupport
import Testing

/// The bytes of secrets, and their names.
@Suite(.waitsForProcesses) struct SecretBytesTests {
    private struct Bytes { let status: Int32, output: Data, errors: String }

    /// Returns what `latchkey get` writes, byte by byte.
    private func get(_ vault: VaultAtTerminal, _ options: String...) throws -> Data {
        let path = vault.place.path("output")
        let run = try Command.run(
            ["-c", "exec \"$0\" \"$@\" >'\(path)'", Command.binary.path, "get"] + options,
            environment: vault.environment,
            program: URL(filePath: "/bin/sh"))
        try #require(run.status == 0, "\(run)")
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test func whatIsKeptComesOutByteByByte() throws {
        let vault = try VaultAtTerminal()
        let open = ["--preset", "open", "--replace"]
        let most = 16 << 20
        for secret in [
            Data([0]), Data(0...255), Data(repeating: 0, count: 5000), Data("a\n".utf8), Data("\n".utf8),
            Data("a".utf8),
            Data((0..<most).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ] {
            #expect(try vault.run(["set", "a"] + open, input: secret).status == 0)
            #expect(try get(vault, "a") == secret)
            let endsLine = secret.last == UInt8(ascii: "\n")
            #expect(try get(vault, "-n", "a") == secret + (endsLine ? [] : [UInt8(ascii: "\n")]))
            #expect(try vault.run(["set", "a", "--trim"] + open, input: secret).status == 0)
            #expect(try get(vault, "a") == (endsLine ? secret.dropLast() : secret))
        }
        let tooMuch = try vault.run(["set", "a"] + open, input: Data(repeating: 1, count: most + 1))
        #expect(tooMuch.status == 2)
        #expect(tooMuch.errors == "latchkey: standard input: a secret has at most \(most) bytes\n")
        #expect(try vault.run(["set", "a", "--from-file", "/dev/zero"] + open).status == 2)
        #expect(
            try vault.run(["set", "a"] + open, input: Data()).status == 2, "a program that failed has written nothing")
        #expect(try vault.run(["set", "a", "--from-file", "/dev/null"] + open).status == 0)
        #expect(try get(vault, "a").isEmpty)

        let pipe = vault.place.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let fed = try Command.run(
            [
                "-c", "printf fed >'\(pipe)' & \"$0\" set a --preset open --replace --from-file '\(pipe)'",
                Command.binary.path,
            ],
            environment: vault.environment, program: URL(filePath: "/bin/sh"))
        #expect(fed.status == 0)
        #expect(try get(vault, "a") == Data("fed".utf8))
    }

    /// This needs an ordinary user, because root can read every file.
    @Test(.needsOrdinaryUser) func aFileThatCannotBeReadIsNamed() throws {
        let vault = try VaultAtTerminal()
        let hidden = vault.place.path("hidden")
        try Data().write(to: URL(filePath: hidden))
        try PAMStack.restrict(hidden, 0)
        #expect(try vault.run("set", "b", "--from-file", hidden).errors.hasSuffix("Permission denied\n"))
    }

    @Test func namesAreKeptAsTheyAreOrRefused() throws {
        let vault = try VaultAtTerminal()
        let long = String(repeating: "n", count: 1024)
        let names = [
            "a b", "\u{fc}\u{20ac}", "\u{1F511}", "\"q\"", "it's", "-x", "--help", "*", "a*", "$(id)", "`id`", "\\",
            "%s", "a;b", "work/a b/c",
            long,
        ]
        for name in names {
            #expect(try vault.run("set", "--preset", "open", "--", name, input: Data(name.utf8)).status == 0, "\(name)")
            #expect(try vault.run("get", "--", name).output == name)
            #expect(try vault.run("show", "--", name).output.contains("name       \(name)\n"))
        }
        let listed = try vault.run("list", "--names").output.split(separator: "\n").map(String.init)
        #expect(Set(listed) == Set(names))
        for name in [
            "", ".", "..", "../x", "a/../b", "a//b", "/a", "a/", "a\nb", "a\u{1B}[31mb", "a\u{7F}", "\u{202E}a",
            long + "n",
        ] {
            let run = try vault.run("set", "--preset", "open", "--", name, input: Data("x".utf8))
            #expect(run.status == 2, "\(name.debugDescription)")
            #expect(run.errors.hasPrefix("latchkey: ") && run.errors.filter { $0 == "\n" }.count == 1)
            #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\u{202E}"))
            // A slash at the end means a folder to go into.
            if name != "a/" { #expect(try vault.run("mv", "--", "a b", name).status == 2) }
            for command in ["get", "show", "rm"] {
                #expect(
                    [2, 4].contains(try vault.run(command, "--", name).status), "\(command) \(name.debugDescription)")
            }
        }
        #expect(Set(try vault.run("list", "--names").output.split(separator: "\n").map(String.init)) == Set(names))
    }
}
