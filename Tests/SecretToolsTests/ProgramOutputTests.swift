import Foundation
import LinuxSystem
import SecretTools
import SodiumKit
import TestSupport
import Testing

/// Programs whose output is read into wiped memory.
@Suite struct ProgramOutputTests {
    private func run(
        _ script: String, errors: ProgramOutput.Errors = .shown, changes: [String: String] = [:], most: Int = 1 << 20
    ) throws -> String {
        try ProgramOutput.read(["sh", "-c", script], errors: errors, changes: changes, most: most).shown()
    }

    @Test func whatIsPrintedIsRead() throws {
        #expect(try run("") == "")
        #expect(try run("printf 'a\\0b\\n'") == "a\0b\n")
        #expect(try run("head -c 1000000 /dev/zero").utf8.count == 1_000_000)
        #expect(try run("echo a; echo b >&2; echo c", errors: .withOutput) == "a\nb\nc\n")
        #expect(try run("cat") == "")
        #expect(try run("printf %s \"$LATCHKEY_TEST-$HOME\"", changes: ["LATCHKEY_TEST": "x", "HOME": "y"]) == "x-y")
    }

    @Test func failuresGiveNothing() {
        let rows: [(script: String, error: ImportError)] = [
            ("echo a; exit 3", .failed("sh", .status(3))), ("echo a; kill -9 $$", .failed("sh", .signal(9))),
            ("cat /dev/zero", .tooMuch("sh", most: 1 << 20)),
        ]
        for row in rows { #expect(throws: row.error) { try run(row.script) } }
        let error = #expect(throws: ImportError.self) { _ = try ProgramOutput.read(["/nonexistent/program", "x"]) }
        #expect(error == .notStarted("/nonexistent/program", SystemError(ENOENT)))
        #expect(throws: ImportError.self) { _ = try ProgramOutput.read([]) }
    }

    /// A program that another thread starts meanwhile must not hold the output open.
    @Test func noOtherChildHoldsTheOutput() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let text = "\(index) \(round)"
                        let output = try ProgramOutput.read(["echo", text]).shown()
                        #expect(output == text + "\n")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
