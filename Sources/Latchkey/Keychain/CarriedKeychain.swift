/// The keychain of a task, on its way to work that the task starts on another thread.
///
/// Swift carries it into tasks by itself. A plain queue or thread gets it by this value.
package struct CarriedKeychain: Sendable {
    private let entry: CurrentKeychain?

    /// Creates a value with the keychain of this task, or without one if the task has none.
    package init() { entry = CurrentKeychain.ofTask }

    private init(_ entry: CurrentKeychain?) { self.entry = entry }

    /// True if there is no keychain to carry.
    package var isEmpty: Bool { entry == nil }

    /// This keychain, but only until the run that it comes from ends.
    ///
    /// A thread may live longer than the test that started it. It must not bring that test's device into the next one.
    package var untilRunEnds: CarriedKeychain { CarriedKeychain(entry?.untilRunEnds) }

    /// Runs `body` with this keychain, or with none, as the one of the task.
    package func whileCurrent<Result>(_ body: () -> Result) -> Result {
        CurrentKeychain.$ofTask.withValue(entry, operation: body)
    }
}
