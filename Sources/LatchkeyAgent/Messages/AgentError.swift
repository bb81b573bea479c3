internal import AccessPolicy
internal import DeviceModel
package import Latchkey
internal import PlainText
internal import SecretVault

/// Why a request was not met, as it goes over the wire: a kind that programs tell apart, and words for people.
package struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What programs tell apart. The command has an exit status for each.
    package enum Kind: String, CaseIterable, Sendable {
        /// It was decided so, and asking again changes nothing by itself.
        case denied
        /// There is no such secret.
        case notFound = "not-found"
        /// The vault is locked.
        case locked
        /// Somebody was asked and did not want to, or nobody answered.
        case dismissed
        /// What was shown or typed was wrong.
        case wrong
        /// Somebody would have to be asked, and nobody may be or can be.
        case nobody = "nobody-there"
        /// There is something of that name already.
        case exists
        /// The authenticator of the passcode, or the sensor, cannot be asked.
        case unavailable
        /// Something stored is damaged.
        case damaged
        /// The request cannot be understood, or cannot be met by this vault.
        case request
        /// The vault cannot do it now: no room, busy, not readable.
        case vault
        /// The agent serves too many, or another version is spoken.
        case agent
    }

    /// What programs tell apart.
    package var kind: Kind
    /// What is wrong, and the way out.
    package var message: String
    /// The rule by which it was denied, if it was.
    package var rule: String?
    /// What a keychain call of Apple's would return, where it has a number for it.
    package var status: Int32?

    package init(_ kind: Kind, _ message: String, rule: String? = nil, status: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.rule = rule
        self.status = status
    }

    /// What is wrong, and the way out.
    package var description: String { message }
}

extension AgentError {
    /// What a keychain said.
    package init(_ error: KeychainError) {
        self.init(Kind(error), "\(error)", rule: error.rule?.identifier, status: error.status?.rawValue)
    }

    init(_ fault: WireError) { self.init(.agent, "\(fault)") }

    /// What `head` says.
    package init(from head: inout Head) throws(WireError) {
        let word = try head.consumeText("kind")
        kind = Kind(rawValue: word) ?? .agent
        message = try head.consumeText("message")
        rule = try head.consumeTextIfPresent("rule")
        status = try head.consumeNumberIfPresent("status").map { Int32(clamping: $0) }
    }

    /// As it goes over the wire.
    package var head: Head {
        var head = Head(["kind": .string(kind.rawValue), "message": .string(message)])
        if let rule { head["rule"] = .string(rule) }
        if let status { head["status"] = .number("\(status)") }
        return head
    }
}

extension AgentError.Kind {
    fileprivate init(_ error: KeychainError) {
        self =
            switch error {
            case .denied(let denied): Self(denied.denial.rule)
            case .request, .wrongKind, .foreignContext, .refused: .request
            case .wrongPasscode, .vault(.wrongPassphrase), .vault(.wrongRecoveryKey): .wrong
            case .authenticator, .sensor: .unavailable
            case .vault(.damaged), .vault(.olderCopy), .vault(.foreign), .vault(.notABackup): .damaged
            case .vault(.passcodeLength), .vault(.secretTooLarge), .vault(.attributesTooLarge), .vault(.realVault):
                .request
            case .vault(.alreadyThere): .exists
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
            case .sheetFailed, .sheetHitLockout, .passwordWrong: .wrong
            case .interactionNotAllowed, .passwordMissing: .nobody
            case .sheetAuthenticatorUnavailable: .unavailable
            case .flagsOrWithAnd, .flagsTwoBiometries, .flagsPresenceWithOther, .contextInvalidated,
                .interactionSkipUnsupported,
                .addSynchronizableWithFlags, .addSynchronizableThisDevice, .groupNone, .groupNamed, .groupTokenReadOnly,
                .itemUnbound, .operationWithoutEntry, .classOpen, .classPasscodeNotSet, .classDestroyed,
                .deleteNeverAsks,
                .inventoryNeedsClassOnly, .operationUnconditional, .evidenceCounts, .evidenceFromOtherSession,
                .evidenceExpired, .evidenceOfOtherSet, .evidenceOfOtherItem, .unlockReused, .unlockNotReusable,
                .waySatisfied,
                .authenticationNeeded, .passcodeNotSet, .passcodeDelayed, .passcodeDisabled, .biometryNoHardware,
                .biometryNoUsageText, .biometryNotPermitted, .biometryNotEnrolled, .biometryLockedOut,
                .biometryPasscodeRequired, .biometrySetChanged, .biometrySensorChanged, .keyInvalidated,
                .companionNotPaired, .companionNotNear, .interactionSkipped:
                .denied
            }
    }
}
