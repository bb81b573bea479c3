public import Testing

/// A trait of suites that change state of the whole process, such as its default device. Only one of them runs at a
/// time.
public struct TurnTaking: SuiteTrait, TestScoping {
    /// Runs the suite when it is its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turns.shared.begin()
        do { try await function() } catch {
            await Turns.shared.end()
            throw error
        }
        await Turns.shared.end()
    }
}

extension Trait where Self == TurnTaking {
    /// The trait of a suite that changes state of the whole process.
    public static var setsTheProcess: Self { TurnTaking() }
}

/// The suite that runs, and those that wait.
private actor Turns {
    static let shared = Turns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
