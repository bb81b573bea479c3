internal import AccessPolicy
public import Foundation
internal import Latchkey
internal import Synchronization

/// A right that an app grants once its user meets a requirement. It lasts until it is deauthorized or released.
open class LARight: NSObject {
    /// The state of a right.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Int, Hashable, Sendable {
        /// No authorization was requested yet.
        case unknown = 0
        /// The user is being asked to authenticate.
        case authorizing = 1
        /// The right is authorized.
        case authorized = 2
        /// The right is not authorized.
        case notAuthorized = 3
    }

    let requirement: LAAuthenticationRequirement
    private let standing = Mutex(Standing())

    private struct Standing {
        var state = State.unknown
        var context: KeychainContext?
        /// The number of times the right was deauthorized. A prompt that began before the last one no longer authorizes
        /// it.
        var givenUp = 0
    }

    /// A number for the app's own use.
    open var tag: Int = 0

    /// Creates a right with the default requirement.
    public override convenience init() { self.init(requirement: .default) }

    /// Creates a right with this requirement.
    public init(requirement: LAAuthenticationRequirement) {
        self.requirement = requirement
        super.init()
    }

    deinit { try? standing.withLock { $0.context }?.invalidate() }

    /// The state of the right.
    public var state: State { standing.withLock { $0.state } }

    /// Asks the user to meet the requirement, and authorizes the right.
    ///
    /// - Throws: An ``LAError`` if the requirement is not met.
    open nonisolated(nonsending) func authorize(localizedReason: String) async throws {
        if let misuse = try? CurrentKeychain.now.keychain.misuse(
            of: "LARight.authorize", localizedReason, usesBiometry: true)
        {
            record(nil)
            throw misuse
        }
        let givenUp = standing.withLock { standing in
            standing.state = .authorizing
            return standing.givenUp
        }
        let context: KeychainContext
        do {
            context = try await authenticated(because: localizedReason)
        } catch {
            record(nil)
            throw (error as? KeychainError).map { LAError($0) } ?? error
        }
        guard record(context, unlessGivenUpSince: givenUp) else {
            try? context.invalidate()
            throw LAError(.appCancel, because: "the right was deauthorized while its prompt was shown")
        }
    }

    /// Authorizes the right by the authentication in `context`, or with nil denies it, and ends the former
    /// authentication. It does nothing and returns false if the right was deauthorized since `givenUp` was read.
    @discardableResult
    private func record(_ context: KeychainContext?, unlessGivenUpSince givenUp: Int? = nil) -> Bool {
        let (isRecorded, former) = standing.withLock { standing in
            if let givenUp, standing.givenUp != givenUp { return (false, nil as KeychainContext?) }
            defer {
                standing.state = context == nil ? .notAuthorized : .authorized
                standing.context = context
            }
            return (true, standing.context)
        }
        try? former?.invalidate()
        return isRecorded
    }

    /// Checks that the user could meet the requirement now. It shows no prompt.
    ///
    /// - Throws: An ``LAError`` if no user could.
    open nonisolated(nonsending) func checkCanAuthorize() async throws {
        let decision: Decision
        do throws(KeychainError) {
            let keychain = try CurrentKeychain.of(call: "LARight.checkCanAuthorize").keychain
            decision = try preflight(on: keychain)
            if let denial = decision.denial { throw keychain.denied(denial) }
        } catch {
            throw LAError(error)
        }
    }

    /// Ends the authorization.
    open nonisolated(nonsending) func deauthorize() async {
        standing.withLock { $0.givenUp += 1 }
        record(nil)
    }

    // MARK: -

    /// The context in which the user authenticated, while the right is authorized.
    var context: KeychainContext? { standing.withLock { $0.context } }

    /// Asks the user to meet the requirement in a new context.
    nonisolated(nonsending) func authenticated(because reason: String) async throws -> KeychainContext {
        let policy = requirement.policy
        return try await CurrentKeychain.of(call: "LARight.authorize").keychain.asynchronously { keychain in
            let context = try keychain.makeContext()
            try context.evaluate(policy, for: .readData, because: reason)
            return context
        }
    }

    func preflight(on keychain: Keychain) throws(KeychainError) -> Decision {
        try keychain.makeContext().decision(on: requirement.policy, for: .readData)
    }
}
