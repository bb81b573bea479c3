internal import AccessPolicy
internal import DeviceModel
package import Latchkey
internal import PlainText
internal import SecretVault

/// The reason why a request failed: a kind for programs, and a message for people.
package struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The command has an exit status for each.
    package enum Kind: String, CaseIterable, Sendable {
        /// The policy denied it. Asking again does not help by itself.
        case denied
        /// There is no secret of this name.
        case notFound = "not-found"
        /// The vault is locked.
        case locked
        /// The user dismissed a prompt or did not answer it.
        case dismissed
        /// Authentication failed: the answer was wrong.
        case wrong
        /// Authentication is needed, and there is no user to ask, or no prompt is allowed.
        case noTerminal = "nobody-there"
        /// The name is taken.
        case exists
        /// PAM or the sensor cannot be used.
        case unavailable
        /// Stored data is damaged.
        case damaged
        /// The request is not valid, or this vault cannot fulfill it.
        case request
        /// The vault cannot be used now: it is busy or unreadable, or there is no room.
        case vault
        /// The agent cannot be used: it serves too many clients, or speaks another version.
        case agent
    }

    package var kind: Kind
    /// A message that says what is wrong and what to do.
    package var message: String
    /// The rule that denied the request, if one did.
    package var rule: String?
    /// The status of Apple's keychain calls for this failure, if there is one.
    package var status: Int32?

    package init(_ kind: Kind, _ message: String, rule: String? = nil, status: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.rule = rule
        self.status = status
    }

    /// The error if the agent that runs is of another version of Latchkey.
    package static let ofOtherVersion = AgentError(
        .agent, "another version of Latchkey started the agent that runs: run `latchkey agent stop`, then try again")

    package var description: String { message }
}

extension AgentError {
    package init(_ error: KeychainError) {
        self.init(Kind(error), Self.words(error), rule: Self.rule(error)?.identifier, status: error.status?.rawValue)
    }

    private static func words(_ error: KeychainError) -> String {
        if case .vault(.settingsChanged(let change)) = error { return change.words(change.namesOfAll) }
        if case .refused(let refusal) = error { return "the vault refuses this now: \(refusal.text)" }
        return "\(error)"
    }

    /// Returns the rule that denied the request, also if the vault refused to prompt for a passcode by it.
    private static func rule(_ error: KeychainError) -> Rule? {
        guard case .refused(let refusal) = error else { return error.rule }
        if refusal == .passcodeDelayed { return .passcodeDelayed }
        return refusal == .passcodeDisabled ? .passcodeDisabled : nil
    }

    init(_ fault: WireError) { self.init(.agent, "\(fault)") }

    /// Returns the error for a passcode while none is accepted, for this many more seconds.
    package static func passcodeDelayed(_ seconds: Int, status: Int32? = nil) -> AgentError {
        AgentError(
            .wrong,
            "no passcode is accepted for another \(counted(seconds: max(1, seconds))), because too many were wrong: wait, or "
                + "set a new one with `latchkey recover` and the recovery key", rule: Rule.passcodeDelayed.identifier,
            status: status)
    }

    /// Returns the error for something new that the user typed twice, never the same. `result` says what follows.
    package static func mismatch(_ result: String) -> AgentError {
        AgentError(.dismissed, "the two did not match three times, and \(result): run the command again")
    }

    /// Reads an error from the wire. A kind that this version does not know counts as `agent`.
    package init(from head: inout Head) throws(WireError) {
        let word = try head.consumeText("kind")
        kind = Kind(rawValue: word) ?? .agent
        message = try head.consumeText("message")
        rule = try head.consumeTextIfPresent("rule")
        status = try head.consumeNumberIfPresent("status").map { Int32(clamping: $0) }
    }

    /// The object that represents the error on the wire.
    package var head: Head {
        var head = Head(["kind": .string(kind.rawValue), "message": .string(message)])
        if let rule { head["rule"] = .string(rule) }
        if let status { head["status"] = .number("\(status)") }
        return head
    }
}

extension SettingsChange {
    /// The names of everything that differs, with the members of the settings.
    fileprivate var namesOfAll: [String] {
        let (found, owner) = ((try? Head(found))?.fields ?? [:], (try? Head(owner))?.fields ?? [:])
        let members = Set(found.keys).union(owner.keys).filter { found[$0] != owner[$0] }.sorted()
        let isOther = members.isEmpty && self.found != self.owner
        return names + members + (isOther ? ["settings"] : [])
    }
}

extension AgentError.Kind {
    fileprivate init(_ error: KeychainError) {
        self =
            switch error {
            case .denied(let denied): Self(denied.denial.rule)
            case .refused(.passcodeDelayed), .refused(.passcodeDisabled): .wrong
            case .request, .wrongKind, .foreignContext, .refused, .key: .request
            case .wrongPasscode, .vault(.wrongPassphrase), .vault(.wrongRecoveryKey),
                .vault(.wrongRetirementCode):
                .wrong
            case .authenticator, .sensor: .unavailable
            case .vault(.damaged), .vault(.olderCopy), .vault(.foreign), .vault(.notABackup),
                .vault(.notATransfer), .vault(.settingsChanged):
                .damaged
            case .vault(.passcodeLength), .vault(.secretTooLarge), .vault(.attributesTooLarge), .vault(.realVault):
                .request
            case .vault(.tooManyFields): .request
            case .vault(.alreadyThere): .exists
            case .vault(.noFormerVersion): .notFound
            case .vault: .vault
            }
    }

    private init(_ rule: Rule) {
        self =
            switch rule {
            case .itemNotFound, .groupHidden: .notFound
            case .itemDuplicate: .exists
            case .classLocked, .classBeforeFirstUnlock, .deviceLocked, .addBeforeFirstUnlock: .locked
            case .sheetCanceled, .sheetFallback, .sheetSystemCanceled, .sheetAppCanceled: .dismissed
            case .sheetFailed, .sheetHitLockout, .passwordWrong, .passcodeDelayed, .passcodeDisabled: .wrong
            case .interactionNotAllowed, .passwordMissing: .noTerminal
            case .sheetAuthenticatorUnavailable: .unavailable
            case .flagsOrWithAnd, .flagsTwoBiometries, .flagsPresenceWithOther, .contextInvalidated,
                .interactionSkipUnsupported,
                .addSynchronizableWithFlags, .addSynchronizableThisDevice, .groupNone, .groupNamed, .groupTokenReadOnly,
                .itemUnbound, .operationWithoutEntry, .classOpen, .classPasscodeNotSet, .classDestroyed,
                .deleteNeverAsks,
                .inventoryNeedsClassOnly, .operationUnconditional, .evidenceCounts, .evidenceFromOtherSession,
                .evidenceExpired, .evidenceOfOtherSet, .evidenceOfOtherItem, .unlockReused, .unlockNotReusable,
                .waySatisfied,
                .authenticationNeeded, .passcodeNotSet, .biometryNoHardware,
                .biometryNoUsageText, .biometryNotPermitted, .biometryNotEnrolled, .biometryLockedOut,
                .biometryPasscodeRequired, .biometrySetChanged, .biometrySensorChanged, .keyInvalidated,
                .companionNotPaired, .companionNotNear, .interactionSkipped:
                .denied
            }
    }
}
