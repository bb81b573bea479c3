internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import Synchronization
package import UserPresence

// Words of a prompt that are not those of the client.

extension Visit {
    /// Returns the prompt with what the client cannot say itself: which program asks, for which secret, and what the answer
    /// counts for.
    package func complete(_ content: PromptContent) -> PromptContent {
        var content = content
        content.caller = caller.map { .init(path: $0.path, process: $0.process, name: $0.name) }
        guard let call = presentRequest?.call else { return content }
        if let name = call.subject?.name, !Self.names(name, in: content.reason) {
            content.secret = name
        }
        if let call = call as? UseLoanCall, let loan { return complete(content, for: call, of: loan) }
        if let call = call as? SignLoanCall, let loan {
            return complete(
                content, for: UseLoanCall(method: call.method, path: call.path, program: call.program), of: loan)
        }
        if call is UseKeyLoanCall, let loan {
            return complete(content, for: UseLoanCall(method: "", path: ""), of: loan)
        }
        if call is SignLoginCall, let loan { return complete(content, for: UseLoanCall(), of: loan) }
        if let call = call as? AllowLendingCall { content.notes = call.notes + content.notes }
        content.reach = reach(of: call, content.kind)
        return content
    }

    /// Returns true if the reason has the name as words of its own.
    private static func names(_ name: String, in reason: String) -> Bool {
        [" ", ", ", ". "].contains { " \(reason) ".contains(" \(name)\($0)") }
    }

    private func reach(of call: any AgentCall, _ kind: PromptContent.Kind) -> PromptContent.Reach? {
        switch kind {
        case .biometry, .companion, .passcode, .formerPasscode: break
        case .applicationPassword: return .command
        case .newApplicationPassword, .permission, .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret:
            return nil
        }
        let seconds = Int(service.kept.reuse.sinceUse.milliseconds / 1000)
        guard seconds > 0, let holder else { return .command }
        let isReused: Bool
        switch call.counts {
        case .nothing: return .command
        case .others: isReused = false
        case .item: isReused = item(of: call) != nil
        case .all: isReused = true
        }
        switch holder {
        case .session: return isReused ? .session(seconds: seconds) : .otherSecrets(seconds: seconds)
        // Without a terminal, an authentication counts for one secret.
        case .program: return isReused && item(of: call) != nil ? .program(seconds: seconds) : .command
        }
    }
}
