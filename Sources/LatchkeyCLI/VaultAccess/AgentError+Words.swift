internal import AccessPolicy
internal import LatchkeyAgent

extension AgentError {
    /// Authentication is needed, and there is no terminal for it.
    static var noTerminal: AgentError {
        AgentError(.nobody, "authentication is needed and there is no terminal: run the command in one")
    }

    /// Returns it in the words of the command: what is an item to programs is a secret here, and the way out is a command.
    /// `name` is the secret's that was asked for, where it was one.
    func inCommandWords(for name: String? = nil) -> AgentError {
        if kind == .nobody && rule != nil { return .noTerminal }
        guard let rule, let known = Rule.allCases.first(where: { $0.identifier == rule }),
            let words = Self.words(known, name)
        else { return self }
        return AgentError(kind, kind == .denied ? "\(words) (\(rule))" : words)
    }

    private static func words(_ rule: Rule, _ name: String?) -> String? {
        let it = name ?? "it"
        return switch rule {
        case .itemNotFound, .groupHidden:
            "there is no secret\(name.map { " \($0)" } ?? " of this name"): latchkey list shows those that are there"
        case .itemDuplicate: "there is a secret of this name already: latchkey rm takes it out"
        case .classLocked, .classBeforeFirstUnlock, .deviceLocked, .addBeforeFirstUnlock:
            "the vault is locked: latchkey unlock unlocks it, in a terminal"
        case .biometrySetChanged:
            "\(it) is lost for good: a finger or face was added or removed since it was kept; "
                + "latchkey set \(name ?? "NAME") keeps it anew"
        case .biometrySensorChanged:
            "\(it) is lost for good: the sensor was reset or replaced since it was kept; "
                + "latchkey set \(name ?? "NAME") keeps it anew"
        case .sheetCanceled, .sheetFallback: "the question was dismissed, and nothing was done"
        case .sheetSystemCanceled: "the vault was locked before the question was answered, and nothing was done"
        case .sheetFailed:
            "what was typed or shown was wrong, and nothing was done: latchkey status says how often passcodes were wrong"
        case .sheetHitLockout, .biometryLockedOut, .biometryPasscodeRequired:
            "the sensor counts for nothing until the passcode was typed: latchkey unlock asks for it"
        case .biometryNotEnrolled:
            "nobody is enrolled: latchkey biometry enroll NAME teaches the sensor somebody"
        case .biometryNoHardware:
            "the vault has no sensor: it is made with one by latchkey init --sensor COMMAND"
        case .sheetAuthenticatorUnavailable:
            "whoever judges the answer cannot be asked, and nothing was done: latchkey unlock says why, "
                + "and latchkey status where it is the sensor"
        case .passcodeDelayed: "after wrong passcodes none is taken for a while: latchkey status says for how long"
        case .passcodeDisabled:
            "after too many wrong passcodes none is taken any more: latchkey recover sets a new one by the recovery key"
        default: nil
        }
    }
}

extension LatchkeyAgent.Request {
    /// Of which secret it is.
    var secretName: String? {
        switch self {
        case .read(let name), .add(let name, _, _, _), .exchange(_, for: let name, _, comment: _), .change(let name, _),
            .remove(let name), .show(let name):
            name
        default: nil
        }
    }
}
