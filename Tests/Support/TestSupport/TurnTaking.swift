public import Testing

/// Suites that set what the whole process has, such as its default device. Only one of them runs at a time.
public struct TurnTaking: SuiteTrait, TestScoping {
    /// Runs the suite in its turn.
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
    /// Its tests set something that the whole process has.
    public static var setsTheProcess: Self { TurnTaking() }
}

/// Who is at work, and who waits.
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
