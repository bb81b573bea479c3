import Foundation
import TestSupport
import Testing

/// A file of commands, with what the user types and what is shown.
struct Transcript: CustomTestStringConvertible {
    typealias Line = (number: Int, text: String)

    /// A command with its terminal, and the lines below it.
    struct Step {
        let number: Int, terminal: String
        var command: String
        var lines: [Line] = []
        var status = 0
    }

    let testDescription: String
    private(set) var steps: [Step] = []
    /// The programs that the transcript needs and this machine lacks.
    private(set) var missing: [String] = []
    /// A page that shows all steps from one on.
    private var page: (path: String, first: Int)?

    init(_ path: String) throws {
        testDescription = URL(filePath: path).lastPathComponent
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (number, line) in zip(1..., text.components(separatedBy: "\n")) { read(line, number) }
    }

    // Without regular expressions: each start of the tests reads all transcripts, whichever tests it runs.
    private mutating func read(_ line: String, _ number: Int) {
        let last = steps.count - 1
        if let options = Self.value(of: "# vault", in: line) {
            let policy = line.contains("--default-policy") ? "" : "--default-policy every-time "
            read("$ latchkey init --own-passcode \(policy)\(options)", number)
            for question in ["New passcode: correct horse", "Type it again: correct horse", "skip this:"] {
                read("? " + question, number)
            }
            read("...", number)
        } else if let programs = Self.value(of: "# needs", in: line) {
            missing = programs.split(separator: " ").map(String.init).filter { name in
                !["/usr/bin/", "/usr/sbin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
            }
        } else if let path = Self.value(of: "# page", in: line) {
            page = (String(path), steps.count)
        } else if let terminal = Self.terminal(in: line) {
            steps.append(
                Step(
                    number: number, terminal: String(terminal),
                    command: String(Self.value(of: String(terminal), in: line) ?? "")))
        } else if line.hasPrefix("#") || line.isEmpty || last < 0 {
            return
        } else if line.hasPrefix(">") {
            steps[last].command += "\n" + line.dropFirst(2)
        } else if let status = Self.value(of: "=", in: line).flatMap({ Int($0) }) {
            steps[last].status = status
        } else {
            steps[last].lines.append((number, line))
        }
    }

    /// Returns what stands after `word` and a space in a line, nothing if the line is only this word, and nil for any other line.
    private static func value(of word: String, in line: String) -> Substring? {
        guard line.hasPrefix(word) else { return nil }
        let rest = line.dropFirst(word.count)
        return rest.isEmpty || rest.first == " " ? rest.dropFirst() : nil
    }

    /// Returns the terminal at which a line types a command, such as `new2$`; nil for any other line.
    private static func terminal(in line: String) -> Substring? {
        let rest = line.drop { $0.isASCII && $0.isLowercase }.drop { $0.isASCII && $0.isNumber }.dropFirst()
        let terminal = line[..<rest.startIndex]
        guard terminal.last == "$" || terminal.last == "%", rest.isEmpty || rest.first == " " else { return nil }
        return terminal
    }

    /// Plays every command, until one shows something else.
    func play() throws {
        let stage = try Stage()
        var block = ""
        for (index, step) in steps.enumerated() {
            let (shown, difference) = try stage.play(step)
            if index >= page?.first ?? 0 { block += "$ \(step.command)\n" + shown }
            guard let (number, expected) = difference else { continue }
            Issue.record("\(testDescription):\(number): \(step.command)\nexpected: \(expected)\nshown:\n\(shown)")
            return
        }
        guard let page else { return }
        let text = try String(contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
        #expect(Stage.plain(text).contains("```\n" + block + "```\n"), "\(page.path) has no block of\n\(block)")
    }
}

extension Transcript.Step {
    /// Returns a question, its answer, and what the terminal shows of that: nothing of a secret.
    static func question(_ line: String) -> (text: String, answer: String, echo: String)? {
        guard let found = line.wholeMatch(of: /\? (.*[:?\]])(?:$| (.*))/) else { return nil }
        let (text, typed) = (String(found.1) + " ", String(found.2 ?? ""))
        if let key = ["^C": "\u{3}", "^D": "\u{4}"][typed] { return (text, key, "") }
        let isSecret = text.contains(/(ass(code|phrase|word)|ecret|again|key): $/)
        return (text, typed + "\n", isSecret ? "" : typed)
    }

    /// Returns the first line that is missing in what was shown, or is too much there; nil if there is none.
    func difference(from shown: String) -> Transcript.Line? {
        if let line = lines.first(where: { $0.text.hasPrefix("! ") && shown.contains($0.text.dropFirst(2)) }) {
            return line
        }
        let shown = shown.split(separator: "\n").map { $0 + "\n" }.joined()
        var pattern = "(?m)\\A"
        for line in lines where !line.text.hasPrefix("! ") {
            let question = Self.question(line.text).map { $0.text + $0.echo }
            let text = NSRegularExpression.escapedPattern(for: question ?? line.text)
            pattern += line.text == "..." || question != nil ? "(?s:.*?)" : "^"
            if line.text != "..." { pattern += text.replacing("\\.\\.\\.", with: ".*") + "\n" }
            if shown.range(of: pattern, options: .regularExpression) == nil { return line }
        }
        let isAll = shown.range(of: pattern + "\\z", options: .regularExpression) != nil
        return isAll ? nil : (lines.last?.number ?? number, "nothing more")
    }
}

/// Machines with one disk between them. Each has a home, and a shell at each of its terminals.
private final class Stage {
    private let folder: TemporaryFolder
    /// The shells with the beginning of the paths of their files, and the pipes from which they read what to do.
    private var shells: [String: (CommandAtTerminal, place: String, next: FileHandle)] = [:]
    private var environments: [String: [String: String]] = [:]
    /// The names of what is different each time.
    private var names: [(name: String, value: String)] = []

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        for name in ["bin", "disk"] { try makeFolder(name) }
        try Command.link(into: folder.path("bin"))
        names.append(("/media/disk", folder.path("disk")))
    }

    deinit {
        for environment in environments.values { _ = try? Command.run(["agent", "stop"], environment: environment) }
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Runs one command after the other, at its terminal or in a session without one.
    private static let loop = """
        trap : INT; cd; while read -r terminal <"$0.next"; do
        if test "$terminal" = $; then . "$0.command"; s=$?
        else setsid -w sh "$0.command" </dev/null >"$0.shown" 2>&1; s=$?; cat "$0.shown"; fi
        printf '\\001= %d\\n' $s; done
        """

    /// Returns the shell at a terminal, such as `new2` for the second one of the machine `new`.
    private func shell(at terminal: String) throws -> (CommandAtTerminal, place: String, next: FileHandle) {
        if let shell = shells[terminal] { return shell }
        let machine = terminal.first?.isLetter == true ? terminal.filter(\.isLetter) : "you"
        let (home, run) = (folder.path(machine + "/home"), folder.path(machine + "/run"))
        let environment = [
            "HOME": home, "XDG_RUNTIME_DIR": run, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(run)/bus",
            "PATH": "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
        ]
        if environments.updateValue(environment, forKey: machine) == nil {
            for name in ["/home", "/run"] { try makeFolder(machine + name) }
            names.append(("/home/" + machine, home))
        }
        let place = folder.path("\(machine)/terminal\(terminal)")
        try #require(mkfifo(place + ".next", 0o600) == 0)
        // A pipe that is open for reading too takes a line even if the shell has ended.
        let next = try ClosedOnExec.open(place + ".next", O_RDWR)
        let shell = try CommandAtTerminal(["-c", Self.loop, place], program: "/bin/sh", environment: environment)
        shells[terminal] = (shell, place, next)
        return (shell, place, next)
    }

    private static let end = "\u{1}= "
    /// Questions that a transcript has to answer.
    private static let questions = ["asscode: ", "[y/N] ", "touches it? ", "Number: ", "skip this: "]

    /// Plays a command. Returns what it showed, and the first line that differs.
    func play(_ step: Transcript.Step) throws -> (shown: String, difference: Transcript.Line?) {
        let (shell, place, next) = try self.shell(at: String(step.terminal.dropLast()))
        try ClosedOnExec.write(real(step.command), to: place + ".command")
        try next.write(contentsOf: Data("\(step.terminal.suffix(1))\n".utf8))
        var differences: [Transcript.Line] = []
        var rest = step.lines.filter { Transcript.Step.question($0.text) != nil }[...]
        while true {
            let question = rest.first.flatMap { Transcript.Step.question($0.text) }
            let found = try shell.wait(forAnyOf: [question?.text ?? Self.end, Self.end] + Self.questions)
            if found == Self.end { break }
            if found != question?.text { differences.append((step.number, "no question \(found)")) }
            shell.type(found == question?.text ? real(question?.answer ?? "") : "\u{3}")
            if found == question?.text { rest.removeFirst() }
        }
        differences += rest
        try shell.wait(for: "\n")
        let parts = shell.takeText().replacing("\r", with: "").components(separatedBy: Self.end)
        if parts[1] != "\(step.status)\n" { differences.append((step.number, "status \(step.status): \(parts[1])")) }
        if shell.settings != shell.settingsAtFirst { differences.append((step.number, "the settings of before")) }
        let shown = named(parts[0])
        return (shown, differences.first ?? step.difference(from: shown))
    }

    /// Returns `text` with the values that names stand for.
    private func real(_ text: String) -> String {
        names.reversed().reduce(text) { $0.replacing($1.name, with: $1.value) }
    }

    /// Returns `text` with names for what is different each time.
    private func named(_ text: String) -> String {
        var text = names.reduce(text) { $0.replacing($1.value, with: $1.name) }
        for (kind, pattern) in [("RECOVERY-KEY", Self.key), ("CODE", "\\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\\b")] {
            while let range = text.range(of: pattern, options: .regularExpression) {
                let count = names.count { $0.name.hasPrefix(kind) }
                let (name, value) = (count == 0 ? kind : "\(kind)-\(count + 1)", String(text[range]))
                names.append((name, value))
                text = text.replacing(value, with: name)
            }
        }
        return Self.plain(text)
    }

    private static let key = "([0-9A-Z]{4}-){13}[0-9A-Z]{4}"

    /// Returns `text` without what is different each time and typed nowhere.
    static func plain(_ text: String) -> String {
        [
            (key, "RECOVERY-KEY"), ("[0-9a-f]{40}", "HASH"), ("process [0-9]+", "process 1"),
            ("Type part [0-9]+", "Type part 9"), ("Program: \\S+", "Program: sh"),
            ("([0-9]{4}-)?[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?Z?", "TIME"),
        ].reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression) }
    }
}
