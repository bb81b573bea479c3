import Foundation
import TestSupport
import Testing

/// An X server without a screen, for one test, with a clipboard of its own.
final class ClipboardDisplay {
    /// The name of the display, for the variable `DISPLAY`.
    let name: String
    private let process = Process()

    /// True if the X server and the program for its clipboard are installed.
    static let isThere = ["Xvfb", "xclip"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    init() throws {
        Command.set(
            process, toRun: URL(filePath: "/usr/bin/Xvfb"),
            ["-displayfd", "1", "-screen", "0", "320x240x8", "-nolisten", "tcp", "-noreset"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // The server chooses a free number, and writes it once it answers.
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        name = ":" + String(decoding: line.dropLast(), as: UTF8.self)
        if name == ":" { throw CocoaError(.fileNoSuchFile) }
    }

    deinit {
        // Every program that serves the clipboard ends with its server.
        process.terminate()
        process.waitUntilExit()
    }

    /// The text on the clipboard; empty if there is none.
    var text: String {
        get throws {
            try Command.run(
                ["-selection", "clipboard", "-out"], environment: ["DISPLAY": name],
                program: URL(filePath: "/usr/bin/xclip")
            ).output
        }
    }

    /// Puts a text on the clipboard, as another program would.
    func copy(_ text: String) throws {
        // The program that serves the clipboard must keep no descriptor that a test waits for. Python closes them.
        let script =
            "import subprocess as s, sys; s.run(['xclip', '-selection', 'clipboard', '-in'], input=sys.argv[1].encode(), "
            + "stdout=s.DEVNULL, stderr=s.DEVNULL, check=True)"
        let run = try Command.run(
            ["-c", script, text], environment: ["DISPLAY": name], program: URL(filePath: "/usr/bin/python3"))
        #expect(run.status == 0)
        #expect(try Patience.wait { try self.text == text })
    }
}

/// The process that clears a clipboard after a time that no other test uses.
struct ClearingProcess {
    let number: pid_t

    /// Finds the process that was started with `program` and `seconds`.
    init?(_ program: String, _ seconds: Int) {
        let words = "latchkey-clear-clipboard\0\(program)\0\(seconds)\0"
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for number in all.compactMap({ pid_t($0) }) where Self.file(number, "cmdline") == Data(words.utf8) {
            self.number = number
            return
        }
        return nil
    }

    private static func file(_ number: pid_t, _ name: String) -> Data? {
        FileManager.default.contents(atPath: "/proc/\(number)/\(name)")
    }

    /// Has the process compare and clear at once, and waits for its end.
    func end() throws {
        kill(number, SIGTERM)
        #expect(Patience.wait { kill(number, 0) != 0 || isZombie })
    }

    private var isZombie: Bool {
        let status = Self.file(number, "status").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return status.isEmpty || status.contains("State:\tZ")
    }
}
