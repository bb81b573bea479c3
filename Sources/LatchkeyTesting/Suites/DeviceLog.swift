internal import Foundation
internal import Synchronization
internal import Testing

/// The tests after which a trait or a class prints its simulated device: its state, and the latest prompts, decisions
/// and calls with the rules that fired.
///
///     @Suite(.device(log: .always)) struct SessionTests { … }
public enum DeviceLog: Hashable, Sendable, CaseIterable {
    /// A test that failed. An error that is thrown out of the device prints it too, even if the test expects the error.
    ///
    /// With the trait, an issue that is recorded in a detached task, on a queue or on a thread does not count, because Swift
    /// Testing does not know its test.
    case onFailure
    /// Every test.
    case always
    /// No test, not even one that throws an error out of the device.
    case never
}

extension SimulatedDevice {
    /// Prints the device on standard error, with `heading`, unless an error was printed with it since it last changed.
    func showLog(under heading: String) {
        let text = "\(self)"
        if logbook.notePrinted(text) { FileHandle.standardError.write(Data("\(heading)\n\(text)\n".utf8)) }
    }
}

/// An observer of the issues of one test, with which the test's device is printed.
final class IssueWatch: Sendable {
    /// The watch of the innermost device. An issue is passed to those around it as well, whose devices it does not concern.
    @TaskLocal private static var innermost: IssueWatch?

    private let hasFailed = Atomic(false)

    /// Runs `body`. Afterwards, or when it throws, prints the device if `log` says so.
    func run(
        _ body: @Sendable () async throws -> Void, of test: Test, _ testCase: Test.Case?, on device: SimulatedDevice,
        log: DeviceLog
    ) async throws {
        let trait: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.isFailure && Self.innermost === self { self.hasFailed.store(true, ordering: .releasing) }
            return issue
        }
        defer {
            let isShown =
                switch log {
                case .onFailure: hasFailed.load(ordering: .acquiring)
                case .always: true
                case .never: false
                }
            if isShown { device.showLog(under: "The simulated device of the test \(test.displayName ?? test.name):") }
        }
        do {
            try await trait.provideScope(for: test, testCase: testCase) {
                try await Self.$innermost.withValue(self) {
                    try await Telling.$isSilent.withValue(log == .never) {
                        try await device.run { () async throws in try await body() }
                    }
                }
            }
        } catch {
            Telling.current?.settle(error)
            throw error
        }
    }
}
