import CommandLineKit
import Foundation
import MadeUpProgram
import TestSupport

/// A folder for tests of completion, with the made-up program as `latchkey`, and some files. Its commands are the only ones
/// that a shell finds there.
final class CompletionPlace {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        for name in ["bin", "files/one folder"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        // The shells and what their completions use, but no other command of this machine.
        for name in ["bash", "zsh", "fish", "cat", "env", "grep", "ls", "sed", "sort", "tr", "uname"] {
            try FileManager.default.createSymbolicLink(
                atPath: path("bin/\(name)"), withDestinationPath: "/usr/bin/\(name)")
        }
        for name in ["one.yaml", "two words.yaml"] { try write("", as: "files/\(name)") }
        try FileManager.default.createSymbolicLink(
            at: URL(filePath: path("bin/latchkey")),
            withDestinationURL: Command.built.deletingLastPathComponent().appending(path: "MadeUpProgram"))
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Writes the script of a shell, and returns its path.
    func script(_ shell: Shell, as name: String = "script") throws -> String {
        try write(shell.script, as: name)
        return path(name)
    }

    func write(_ text: String, as name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    var environment: [String: String] {
        [
            "PATH": path("bin"), "HOME": path("files"), "TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null",
        ]
    }
}
