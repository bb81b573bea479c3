import Foundation
import TestSupport
import Testing

/// `latchkey watch` shows what happens to a vault, and nothing more.
@Suite(.waitsForProcesses) struct WatchTests {
    /// A running `latchkey watch`.
    private final class Watching {
        private let process = Process()
        private let output = Pipe()
        private var shown = ""

        init(_ vault: UnlockedVault, _ arguments: String...) throws {
            Command.set(process, toRun: Command.binary, ["watch"] + arguments)
            process.environment = Command.environment(vault.environment)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            try process.run()
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }

        /// Waits for the end of the line that is shown, and returns everything so far.
        func waitForLine() -> String {
            while !shown.hasSuffix("\n") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                shown += String(decoding: more, as: UTF8.self)
            }
            return shown
        }

        /// Waits until `text` is shown, and returns everything so far.
        func wait(for text: String) -> String {
            while !shown.contains(text) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                shown += String(decoding: more, as: UTF8.self)
            }
            return shown
        }
    }

    @Test func itShowsTheStateAndEachRecord() throws {
        let vault = try UnlockedVault()
        let watching = try Watching(vault)
        let begun = watching.wait(for: "\n")
        #expect(begun.wholeMatch(of: /\d\d-\d\d \d\d:\d\d:\d\d  state       unlocked\n/) != nil, "\(begun)")
        #expect(try Command.run(["get", "work/token"], environment: vault.environment).status == 4)
        #expect(watching.wait(for: "readData").contains("  denied      readData"))
        #expect(try Command.run(["lock"], environment: vault.environment).status == 0)
        // The state and the record are asked for one after the other, so either may come first.
        #expect(watching.wait(for: "state       locked\n").hasPrefix(begun))
        #expect(watching.wait(for: "  event       lock").contains("state       locked\n"))
    }

    @Test func programsGetObjects() throws {
        let vault = try UnlockedVault()
        let watching = try Watching(vault, "--json")
        _ = watching.wait(for: "\n")
        #expect(try Command.run(["lock"], environment: vault.environment).status == 0)
        _ = watching.wait(for: #""state":"locked""#)
        _ = watching.wait(for: #""action":"lock""#)
        let lines = watching.waitForLine().split(separator: "\n")
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]]
            #expect(object?.count == 1)
            #expect(object?["state"]?["vault"] != nil || object?["record"]?["action"] != nil, "\(line)")
        }
        #expect(lines.first?.contains(#""state":"unlocked""#) == true)
        #expect(lines.contains { $0.hasPrefix(#"{"record":"#) && $0.contains(#""action":"lock""#) })
    }
}
