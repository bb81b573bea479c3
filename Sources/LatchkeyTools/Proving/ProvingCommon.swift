internal import AccessPolicy
internal import CommandLineKit
internal import DeviceModel
internal import Dispatch
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat
internal import Synchronization

/// The parts that the searching commands share.
enum Proving {
    enum Format: String, CaseIterable {
        case table, markdown, json
    }

    static let format = Option<Format?>("--format", value: "FORMAT", says: "table (the default), markdown or json")
    static let assumptions = Assumption.allCases.map { assumption in
        Option(
            "--\(assumption.rawValue)", value: "WORD", kind: "assumption",
            says: help(for: assumption),
            among: assumption.words.map { ($0, $0) })
    }

    private static func help(for assumption: Assumption) -> String {
        switch assumption {
        case .deletes: "assume that the app can delete the item: true (the default) or false"
        case .contexts: "assume that the app asks in a fresh context (the default) or a kept one"
        case .holds: "assume that a locked device is long-locked (the default) or just-locked"
        }
    }

    static let profiles = Profile.known.map { ($0.name, $0) }
    static let profileNames = Values.words(Profile.known.map(\.name))
    /// The aims at items that completion offers. Options also accept the other words of ``ClaimWords``.
    static let aimNames = Values.words(Aim.ofItems.map(\.rawValue))

    /// Returns the profile of this name. Throws if there is none.
    static func profile(_ name: String) throws(UsageError) -> Profile { try Choice(profiles, "profile").read(name) }

    /// Returns the aim of this name. Throws if there is none.
    static func aim(_ name: String) throws(UsageError) -> Aim { try Choice(ClaimWords.aimsOfItems, "aim").read(name) }

    /// Returns the assumptions that options state. `words` are their values, in the order of ``assumptions``.
    static func assumed(_ words: [String?]) -> Assumptions.Stated {
        var stated = Assumptions.Stated()
        for case (let assumption, let word?) in zip(Assumption.allCases, words) {
            _ = assumption.state(word, in: &stated)
        }
        return stated
    }

    /// Reads the scenario file at `path`, or ends the command if it is not understood.
    static func file(_ path: String) -> ScenarioFile {
        let file: ScenarioFile
        do throws(ScenarioFileError) { file = try ScenarioFile(path) } catch { Output.fail("\(error)", status: 2) }
        if !file.mistakes.isEmpty { exit(Complaints.tell(file.mistakes)) }
        return file
    }

    /// Returns the items and policies of the file at `path`, or ends the command if there are none.
    static func pages(of path: String) -> [MatrixPage] {
        let pages = MatrixPage.pages(of: file(path))
        if pages.isEmpty { Output.fail("\(Terminal.line(path)) declares no item and no policy", status: 2) }
        return pages
    }

    /// Shows the progress if standard error is a terminal.
    static func progress(_ done: Int, _ all: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        Output.write(done == all ? "\r\u{1B}[K" : "\r\(done) of \(all) policies", isError: true)
    }

    /// Waits for `body`, which searches in tasks, and returns its result. Calls `tell` after each second.
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

/// A value that one thread puts in and another waits for.
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
