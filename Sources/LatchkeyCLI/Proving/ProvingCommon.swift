internal import AccessPolicy
internal import DeviceModel
internal import Dispatch
internal import Glibc
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat
internal import Synchronization

/// What the commands that search have in common.
enum Proving {
    static let formats = Option(
        "--format", value: "FORMAT", "table (the usual), markdown or json",
        values: .words(["table", "markdown", "json"]))
    static let output = Option(
        "--output", value: "FILE", "write there instead, the whole or nothing; what was there before is replaced",
        values: .file)
    static let policy = OptionGroup(heading: "the policy, where no file says it", options: PolicyOptions.options)
    /// One option for each assumption.
    static let assumptions = Assumption.allCases.map { assumption in
        Option(
            "--\(assumption.rawValue)", value: "WORD",
            "assume: \(assumption.about); \(assumption.words.joined(separator: " or ")), and \(assumption.words[0]) where nothing is said",
            values: .words(assumption.words))
    }
    static let profileNames = Profile.all.map(\.name)

    static func format(_ given: Given, among formats: [String] = ["table", "markdown", "json"]) throws(UsageError)
        -> String
    {
        try PolicyOptions.known(given["--format"], "format", formats.map { ($0, $0) }) ?? formats[0]
    }

    static func isColoured(_ given: Given) -> Bool { Output.isColoured && given["--output"] == nil }

    static func profile(_ name: String?) throws(UsageError) -> Profile? {
        try PolicyOptions.known(name, "profile", Profile.all.map { ($0.name, $0) })
    }

    /// The assumptions that options state.
    static func assumed(_ given: Given) throws(UsageError) -> Assumptions.Stated {
        var stated = Assumptions.Stated()
        for assumption in Assumption.allCases {
            let words = assumption.words.map { ($0, $0) }
            if let word = try PolicyOptions.known(given["--\(assumption.rawValue)"], "assumption", words) {
                _ = assumption.state(word, in: &stated)
            }
        }
        return stated
    }

    static func aim(_ name: String?) throws(UsageError) -> Aim? {
        try PolicyOptions.known(name, "aim", ClaimWords.aims)
    }

    /// Writes `text` where it is wanted.
    static func deliver(_ text: String, _ given: Given) -> String {
        guard let path = given["--output"] else { return text }
        Output.replace(path, with: text)
        return ""
    }

    /// The file of scenarios at `path`; ends the command where it is not understood.
    static func file(_ path: String) -> ScenarioFile {
        let file: ScenarioFile
        do throws(FileTrouble) { file = try ScenarioFile(path) } catch { Output.fail("\(error)", status: 2) }
        if !file.mistakes.isEmpty { exit(Complaints.tell(file.mistakes)) }
        return file
    }

    /// The items and policies of the file at `path`.
    static func pages(of path: String) -> [MatrixPage] {
        let pages = MatrixPage.pages(of: file(path))
        if pages.isEmpty { Output.fail("\(Terminal.line(path)): no item and no policy is declared there", status: 2) }
        return pages
    }

    /// Tells a terminal how far it is, and nobody else.
    static func progress(_ done: Int, _ all: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        Output.write(done == all ? "\r\u{1B}[K" : "\r\(done) of \(all) policies", isError: true)
    }

    /// What `body` comes back with: here alone a thread waits for what is searched by tasks. `tell` is told each second that it takes.
    static func wait<Value: Sendable>(
        telling tell: (Int) -> Void = { _ in }, for body: @Sendable @escaping () async -> Value
    ) -> Value {
        let box = Box<Value>()
        Task.detached { box.put(await body()) }
        var seconds = 0
        while true {
            if let value = box.take(within: 1) { return value }
            seconds += 1
            tell(seconds)
        }
    }
}

/// Holds a value until somebody takes it.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ new: Value) {
        value.withLock { $0 = new }
        isThere.signal()
    }

    func take(within seconds: Int) -> Value? {
        _ = isThere.wait(timeout: .now() + .seconds(seconds))
        return value.withLock { $0 }
    }
}
