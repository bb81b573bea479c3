internal import AccessPolicy
public import Foundation
internal import Latchkey
internal import Synchronization

/// Something that only whoever meets a requirement may do. It is theirs until they give it up or let go of it.
open class LARight: NSObject {
    /// How it stands.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Int, Hashable, Sendable {
        /// Nobody has asked for it.
        case unknown = 0
        /// Somebody is being asked.
        case authorizing = 1
        /// It may be used.
        case authorized = 2
        /// It may not.
        case notAuthorized = 3
    }

    let requirement: LAAuthenticationRequirement
    private let standing = Mutex(Standing())

    private struct Standing {
        var state = State.unknown
        var context: KeychainContext?
        /// How often it was given up: whoever is being asked meanwhile is asked in vain.
        var givenUp = 0
    }

    /// A number of the app's own.
    open var tag: Int = 0

    /// A right with the usual requirement.
    public override convenience init() { self.init(requirement: .default) }

    /// A right with this requirement.
    public init(requirement: LAAuthenticationRequirement) {
        self.requirement = requirement
        super.init()
    }

    deinit { try? standing.withLock { $0.context }?.invalidate() }

    /// How it stands.
    public var state: State { standing.withLock { $0.state } }

    /// Has whoever is there meet the requirement.
    open nonisolated(nonsending) func authorize(localizedReason: String) async throws {
        if let misuse = try? Keychain.current.misuse(
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
            throw LAError(.appCancel, because: "the right was given up while somebody was asked")
        }
    }

    /// It is authorized by what was proved in this context, or not at all; what was proved before ends. Nothing happens, and it
    /// says so, where the right was given up since it had been given up so often.
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

    /// Throws where nobody could meet the requirement now. Nobody is asked.
    open nonisolated(nonsending) func checkCanAuthorize() async throws {
        let decision: Decision
        do throws(KeychainError) {
            let keychain = try Keychain.current
            decision = try preflight(on: keychain)
            if let denial = decision.denial { throw keychain.denied(denial) }
        } catch {
            throw LAError(error)
        }
    }

    /// Gives it up.
    open nonisolated(nonsending) func deauthorize() async {
        standing.withLock { $0.givenUp += 1 }
        record(nil)
    }

    // MARK: -

    /// What was proved, for as long as it is authorized.
    var context: KeychainContext? { standing.withLock { $0.context } }

    /// Proves the requirement in a new context.
    nonisolated(nonsending) func authenticated(because reason: String) async throws -> KeychainContext {
        guard let policy = requirement.policy else { throw KeychainError.foreignContext }
        return try await Keychain.current.asynchronously { keychain in
            let context = try keychain.makeContext()
            try context.evaluate(policy, for: .readData, because: reason)
            return context
        }
    }

    func preflight(on keychain: Keychain) throws(KeychainError) -> Decision {
        guard let policy = requirement.policy else { throw .foreignContext }
        return try keychain.makeContext().decision(on: policy, for: .readData)
    }
}
