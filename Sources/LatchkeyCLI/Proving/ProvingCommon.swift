internal import AccessPolicy
internal import CommandLineKit
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
    enum Format: String, CaseIterable {
        case table, markdown, json
    }

    static let format = Option<Format?>("--format", value: "FORMAT", says: "table (the usual), markdown or json")
    /// One option for each assumption.
    static let assumptions = Assumption.allCases.map { assumption in
        Option(
            "--\(assumption.rawValue)", value: "WORD", kind: "assumption",
            says:
                "assume: \(assumption.about); \(assumption.words.joined(separator: " or ")), \(assumption.words[0]) by default",
            among: assumption.words.map { ($0, $0) })
    }
    /// The profiles, by their names.
    static let profiles = Profile.all.map { ($0.name, $0) }
    static let profileNames = Values.words(Profile.all.map(\.name))
    /// The aims that completion offers. Options take the words of ``ClaimWords`` too.
    static let aimNames = Values.words(Aim.allCases.map(\.rawValue))

    /// Returns the profile of this name. Throws if there is none.
    static func profile(_ name: String) throws(UsageError) -> Profile { try Choice(profiles, "profile").read(name) }

    /// Returns the aim of this name. Throws if there is none.
    static func aim(_ name: String) throws(UsageError) -> Aim { try Choice(ClaimWords.aims, "aim").read(name) }

    /// Returns the assumptions that options state, each by its word.
    static func assumed(_ words: [String?]) -> Assumptions.Stated {
        var stated = Assumptions.Stated()
        for case (let assumption, let word?) in zip(Assumption.allCases, words) {
            _ = assumption.state(word, in: &stated)
        }
        return stated
    }

    /// The file of scenarios at `path`; ends the command where it is not understood.
    static func file(_ path: String) -> ScenarioFile {
        let file: ScenarioFile
        do throws(FileError) { file = try ScenarioFile(path) } catch { Output.fail("\(error)", status: 2) }
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
            if let value = box.value(within: 1) { return value }
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

    func value(within seconds: Int) -> Value? {
        _ = isThere.wait(timeout: .now() + .seconds(seconds))
        return value.withLock { $0 }
    }
}
