import CommandLineKit
import Foundation
import TestSupport

/// A folder for tests of completion, with a `latchkey` that lists odd names, and some files. Its commands are the only
/// ones that a shell finds there.
final class CompletionPlace {
    /// Names of secrets with characters that are special to shells. Each begins with a letter of its own.
    static let names = [
        "a b", "b'c", "c\"d", "d:e", "e$HOME", "f\\g", "g;h", "h`id`", "i*", "j=k", "k#l", "l(m)", "m&n", "n|o", "o<p>",
        "p  q", "q{r,s}", "r[s]", "s~t", "t\"'u", "u:v=w x", "vöw", "w$(id)", "x/y", "y?z", "z\\\\",
    ]
    static let enrolled = ["left thumb", "right index"]

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
        let stub = """
            #!/bin/sh
            case "$*" in
                'list --names') cat "\(path("names"))" ;;
                'list --names --place one folder') echo placed ;;
                'list --names --place \(path("files"))/one folder') echo home ;;
                'parts --names a b') printf 'user\\nits url\\n' ;;
                'parts --names x/y --place '*) echo placed ;;
                'biometry list --names') cat "\(path("enrolled"))" ;;
                *) echo "$*" >&2; exit 2 ;;
            esac

            """
        try TestProgram.write(stub, to: path("bin/latchkey"), mode: 0o755)
        try write(Self.names.map { $0 + "\n" }.joined(), as: "names")
        try write(Self.enrolled.map { $0 + "\n" }.joined(), as: "enrolled")
    }

    func path(_ name: String) -> String { folder.path(name) }

    func write(_ text: String, as name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    var environment: [String: String] {
        [
            "PATH": path("bin"), "HOME": path("files"), "TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null",
        ]
    }
}

/// The offers that the declarations imply.
enum Expected {
    struct Case: CustomStringConvertible {
        let line: String
        let offered: Set<String>
        var description: String { line }
    }

    /// Every place of every command for which the declarations list the words.
    static func cases(of program: Declaration) -> [Case] {
        MadeUp.paths(of: program).flatMap { path in
            let command = path[path.count - 1]
            let typed = path.map(\.name).joined(separator: " ")
            let names = command.allOptions.flatMap(\.names)
            var cases = [
                Case(line: typed + " --", offered: Set(names.filter { $0.hasPrefix("--") }))
            ]
            if !command.commands.isEmpty {
                cases.append(Case(line: typed + " ", offered: Set(command.commands.map(\.name))))
            }
            for option in command.allOptions {
                if case .words(let words) = option.values {
                    cases.append(Case(line: "\(typed) \(option.names[0]) ", offered: Set(words)))
                }
            }
            if let operand = command.operands.first, case .words(let words) = operand.values {
                cases.append(Case(line: typed + " ", offered: Set(words)))
            }
            return cases
        }
    }
}
