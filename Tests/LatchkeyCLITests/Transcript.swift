import Foundation
import TestSupport
import Testing

/// A file of commands, with what the user types and what is shown.
struct Transcript: CustomTestStringConvertible {
    typealias Line = (number: Int, text: String)

    /// A command with its terminal, and the lines below it.
    struct Step {
        let number: Int, terminal: String, command: String
        var lines: [Line] = []
        var status = 0
    }

    private let path: String
    private(set) var setUp: [Substring: Substring] = [:]
    private(set) var steps: [Step] = []
    private var pageBegins = 0
    var testDescription: String { URL(filePath: path).lastPathComponent }

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
            if let found = line.wholeMatch(of: /# (vault|page|needs)(?:$| (.*))/) {
                setUp[found.1] = found.2 ?? ""
                if found.1 == "page" { pageBegins = steps.count }
            } else if let found = line.wholeMatch(of: /([a-z]*[0-9]*[$%])(?:$| (.*))/) {
                steps.append(Step(number: number, terminal: String(found.1), command: String(found.2 ?? "")))
            } else if line.hasPrefix(">"), let last = steps.popLast() {
                let command = last.command + "\n" + line.dropFirst(2)
                steps.append(Step(number: last.number, terminal: last.terminal, command: command))
            } else if !line.hasPrefix("#"), !line.isEmpty, let last = steps.indices.last {
                let status = line.wholeMatch(of: /= (\d+)/).flatMap { Int($0.1) }
                if let status { steps[last].status = status } else { steps[last].lines.append((number, String(line))) }
            }
        }
        guard let options = setUp["vault"] else { return }
        let policy = options.contains("--default-policy") ? "" : "--default-policy every-time "
        var made = Step(number: 1, terminal: "$", command: "latchkey init --own-passcode \(policy)\(options)")
        made.lines = ["? New passcode: correct horse", "? Type it again: correct horse", "..."].map { (1, $0) }
        steps.insert(made, at: 0)
        pageBegins += 1
    }

    /// The programs that the transcript needs and this machine lacks.
    var missing: [String] {
        (setUp["needs"] ?? "").split(separator: " ").map(String.init).filter { name in
            !["/usr/bin/", "/usr/sbin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
        }
    }

    /// Plays every command, until one shows something else.
    func play() throws {
        let stage = try Stage()
        var whole = ""
        for (index, step) in steps.enumerated() {
            let (shown, difference) = try stage.play(step)
            if index >= pageBegins { whole += "$ \(step.command)\n" + shown }
            guard let (number, expected) = difference else { continue }
            let report = "\(testDescription):\(number): \(step.command)\nexpected: \(expected)\nshown:\n\(shown)"
            let file = "LatchkeyCLITests/" + testDescription
            let place = SourceLocation(fileID: file, filePath: path, line: number, column: 1)
            Issue.record("\(report)", sourceLocation: place)
            return
        }
        guard let page = setUp["page"] else { return }
        let text = try String(contentsOf: Repository.root.appending(path: String(page)), encoding: .utf8)
        #expect(Stage.plain(text).contains("```\n" + whole + "```\n"), "\(page) has no block of\n\(whole)")
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
        let patterns: [Transcript.Line] = lines.filter { !$0.text.hasPrefix("! ") }.flatMap { line in
            guard let (text, _, echo) = Self.question(line.text) else { return [line] }
            return [(line.number, "..."), (line.number, "..." + text + echo)]
        }
        var furthest = 0
        func fits(_ place: Int, _ rest: ArraySlice<Substring>) -> Bool {
            furthest = max(furthest, place)
            guard place < patterns.count else { return rest.isEmpty }
            let text = patterns[place].text
            if text == "..." { return (rest.startIndex...rest.endIndex).contains { fits(place + 1, rest[$0...]) } }
            let pattern = NSRegularExpression.escapedPattern(for: text).replacing("\\.\\.\\.", with: ".*")
            guard let line = rest.first, line.range(of: "^\(pattern)$", options: .regularExpression) != nil else {
                return false
            }
            return fits(place + 1, rest.dropFirst())
        }
        if fits(0, shown.split(separator: "\n")[...]) { return nil }
        return furthest < patterns.count ? patterns[furthest] : (patterns.last?.number ?? number, "nothing more")
    }
}

/// Machines with one disk between them. Each has a home, and a shell at each of its terminals.
private final class Stage {
    private let folder: TemporaryFolder
    /// The shells with the pipes from which they read what to do.
    private var shells: [String: (CommandAtTerminal, next: FileHandle, place: String)] = [:]
    private var environments: [String: [String: String]] = [:]
    /// The names of what is different each time.
    private var names: [(name: String, value: String)] = []

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        for name in ["bin", "disk"] { try makeFolder(name) }
        for name in ["latchkey", "git-credential-latchkey", "docker-credential-latchkey", "latchkey-askpass"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("bin/" + name), withDestinationPath: Command.binary.path)
        }
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

    /// Returns the shell at a terminal, such as `new2` for the second one of the machine `new`, and the beginning of its paths.
    private func shell(at terminal: String) throws -> (CommandAtTerminal, next: FileHandle, place: String) {
        if let shell = shells[terminal] { return shell }
        let machine = terminal.first?.isLetter == true ? terminal.filter(\.isLetter) : "you"
        let place = folder.path("\(machine)/terminal\(terminal)")
        let (home, run) = (folder.path(machine + "/home"), folder.path(machine + "/run"))
        let path = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let environment = [
            "HOME": home, "XDG_RUNTIME_DIR": run, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(run)/bus", "PATH": path,
            "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
        ]
        if environments.updateValue(environment, forKey: machine) == nil {
            for name in ["/home", "/run"] { try makeFolder(machine + name) }
            names.append(("/home/" + machine, home))
        }
        try #require(mkfifo(place + ".next", 0o600) == 0)
        // A pipe that is open for reading too takes a line even if the shell has ended.
        let next = try ClosedOnExec.open(place + ".next", O_RDWR)
        let shell = try CommandAtTerminal(["-c", Self.loop, place], program: "/bin/sh", environment: environment)
        shells[terminal] = (shell, next, place)
        return (shell, next, place)
    }

    private static let end = "\u{1}= "
    /// Questions that a transcript has to answer.
    private static let questions = ["asscode: ", "[y/N] ", "touches it? ", "Number: "]

    /// Waits for one of these texts. The question for a part of a new recovery key is skipped if it is none of them.
    private func wait(_ shell: CommandAtTerminal, forAnyOf texts: [String]) throws -> String {
        let part = CommandAtTerminal.partQuestion
        while true {
            let found = try shell.wait(forAnyOf: texts + [part])
            if found != part || texts.contains(part) { return found }
            shell.type("\n")
        }
    }

    /// Plays a command. Returns what it showed, and the first line that differs.
    func play(_ step: Transcript.Step) throws -> (shown: String, difference: Transcript.Line?) {
        let (shell, next, place) = try self.shell(at: String(step.terminal.dropLast()))
        try ClosedOnExec.write(real(step.command), to: place + ".command")
        try next.write(contentsOf: Data("\(step.terminal.suffix(1))\n".utf8))
        var difference: Transcript.Line?
        var found = ""
        for line in step.lines {
            guard let question = Transcript.Step.question(line.text), found != Self.end else { continue }
            found = try wait(shell, forAnyOf: [question.text, Self.end] + Self.questions)
            if found != question.text { difference = difference ?? (line.number, "the question \(question.text)") }
            shell.type(found == question.text ? real(question.answer) : found == Self.end ? "" : "\u{3}")
        }
        while found != Self.end {
            found = try wait(shell, forAnyOf: [Self.end] + Self.questions)
            if found != Self.end {
                difference = difference ?? (step.number, "no question \(found)")
                shell.type("\u{3}")
            }
        }
        try shell.wait(for: "\n")
        let parts = shell.takeText().components(separatedBy: Self.end)
        let shown = named(parts[0])
        if parts[1] != "\(step.status)\n" {
            difference = difference ?? (step.number, "status \(step.status): \(parts[1])")
        }
        if shell.settings != shell.settingsAtFirst { difference = (step.number, "the former settings of the terminal") }
        return (shown, difference ?? step.difference(from: shown))
    }

    /// Returns `text` with the values that names stand for.
    private func real(_ text: String) -> String {
        names.reversed().reduce(text) { $0.replacing($1.name, with: $1.value) }
    }

    /// Returns `text` with names for what is different each time.
    private func named(_ text: String) -> String {
        for (name, pattern) in [("RECOVERY-KEY", Self.key), ("CODE", /\b[0-9a-f]{4}(?:-[0-9a-f]{4}){3}\b/)] {
            for match in text.matches(of: pattern).map({ String($0.output) }) {
                if names.contains(where: { $0.value == match }) { continue }
                let count = names.count { $0.name.hasPrefix(name) }
                names.append((count == 0 ? name : "\(name)-\(count + 1)", match))
            }
        }
        return Self.plain(names.reduce(text) { $0.replacing($1.value, with: $1.name) })
    }

    private static var key: Regex<Substring> { /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/ }

    /// Returns `text` without what is different each time and typed nowhere.
    static func plain(_ text: String) -> String {
        text.replacing(key, with: "RECOVERY-KEY").replacing(/[0-9a-f]{40}/, with: "HASH")
            .replacing(/process \d+/, with: "process 1").replacing(/Type part \d+/, with: "Type part 9").replacing(
                /Program: \S+/, with: "Program: sh"
            )
            .replacing(/(?:\d{4}-)?\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?/, with: "TIME")
    }
}
