internal import AccessPolicy
internal import Latchkey
package import SecretService
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// Calls that may ask the user. Each has one context, so that one prompt serves all that its policies allow.

/// One call of a program that may ask the user.
struct DesktopCall {
    let caller: SecretCaller
    let program: DesktopProgram
    let requester: Requester
    let held: GrantedContext
    /// The user; nil if no prompt can be shown.
    let user: DesktopUser?
    let asking: Asking

    var context: KeychainContext { held.context }
}

extension KeychainStore {
    /// Runs `body` with a context of its own, and sends its prompts to where the program of the caller is.
    func asking<Value: ~Copyable>(
        _ caller: SecretCaller, _ asking: Asking, _ body: (DesktopCall) throws(SecretFault) -> Value
    ) throws(SecretFault) -> Value {
        surroundings.begin()
        defer {
            surroundings.end()
            follow()
        }
        let program = program(of: caller)
        let held: GrantedContext
        do throws(KeychainError) { held = GrantedContext(try keychain.makeContext()) } catch {
            throw .failed("\(error)")
        }
        let notes = program.notes
        let client = program.peer.client
        let user = surroundings.user(caller).map {
            DesktopUser($0, during: asking) { content in
                var content = content
                content.caller = client.map { .init(path: $0.path, process: $0.process) }
                content.notes += notes
                content.app = "A program of the desktop"
                return content
            }
        }
        let call = DesktopCall(
            caller: caller, program: program, requester: requester(program), held: held, user: user, asking: asking)
        var result: Value?
        try Keychain.asking(user ?? NoUser()) { () throws(SecretFault) in result = try body(call) }
        guard let value = result.take() else { throw .locked }
        return value
    }

    /// Unlocks the vault for a call, if it is locked.
    func unlockVault(_ call: DesktopCall) throws(SecretFault) {
        if keychain.isUnlocked { return }
        guard call.user != nil else {
            log.note(call.program.peer.text, "", .denied, nil, "the vault is locked, and no prompt can be shown")
            throw .locked
        }
        do throws(KeychainError) {
            try keychain.unlock(reason: "unlock the vault", by: call.requester, in: call.context)
            wasAnswered(call, "")
        } catch {
            log.note(call.program.peer.text, "", .dismissed, nil, "\(error)")
            throw fault(error, call)
        }
        follow()
        // Records that a locked vault hid can be shown now.
        settle(upTo: Self.patience)
    }

    private func wasAnswered(_ call: DesktopCall, _ name: String) {
        log.note(call.program.peer.text, name, .asked, nil, "unlocked the vault")
    }

    /// The time that a call waits for the records to be read again, in milliseconds.
    static let patience = 3000

    /// Returns the fault that a program gets for an error.
    func fault(_ error: KeychainError, _ call: DesktopCall) -> SecretFault {
        switch AgentError(error).kind {
        case .dismissed, .wrong: call.user == nil ? .locked : .dismissed
        case .denied, .locked, .noTerminal, .unavailable: .locked
        case .notFound: .noSuchObject
        case .exists, .damaged, .request, .vault, .agent: .failed("\(error)")
        }
    }

    private func say(_ reason: String, _ call: DesktopCall) {
        var words = call.context.words
        words.reason = reason
        call.context.words = words
    }

    // MARK: - Unlocking

    /// Unlocks collections and items for a caller, with as few prompts as possible.
    package func unlock(
        _ objects: [SecretObject], for caller: SecretCaller, _ asking: Asking
    ) throws(SecretFault) -> [SecretObject] {
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            let needsVault = objects.contains { object in
                switch object {
                case .collection: true
                case .item(let id): isLocked(id, for: caller)
                }
            }
            if needsVault && !keychain.isUnlocked { try unlockVault(call) }
            var done: [SecretObject] = []
            var isRefused = false
            for object in objects {
                switch object {
                case .collection(let id):
                    if withIndex({ $0.shelf(id) }) != nil && !isLocked(id) { done.append(object) }
                case .item(let id):
                    if !isLocked(id, for: caller) {
                        done.append(object)
                    } else if !isRefused, !asking.isOver {
                        // A user who dismisses one prompt of a burst is not asked again in it.
                        if try grant(id, call, of: objects.count) { done.append(object) } else { isRefused = true }
                    }
                }
            }
            return done
        }
    }

    /// Asks the user for one item, and grants it. Returns false if the user did not authenticate.
    private func grant(_ id: SecretService.ItemID, _ call: DesktopCall, of count: Int) throws(SecretFault) -> Bool {
        guard let entry = withIndex({ $0.entry(id) }) else { return true }
        let rule = rule(for: entry)
        say("open \(entry.record.name)", call)
        do throws(KeychainError) {
            // Only a read decides about a read. The secret is wiped again here.
            _ = try read(entry, call, in: call.context, call.user == nil ? .fail : .allowed)
        } catch {
            log.note(
                call.program.peer.text, entry.record.name, call.user == nil ? .denied : .dismissed, rule, "\(error)")
            return false
        }
        log.note(call.program.peer.text, entry.record.name, .asked, rule)
        // The caller may have left, or the call may have ended, while the user answered.
        if call.asking.isOver { return false }
        grants.add(call.held, for: id, to: call.caller)
        if let rule, rule.frequency == .oncePerSession { grants.begin(rule, call.held) }
        return true
    }

    /// Locks collections and items. It never waits for the vault.
    package func lock(_ objects: [SecretObject], for caller: SecretCaller) throws(SecretFault) {
        var items: Set<SecretService.ItemID> = []
        var rules: Set<String> = []
        for object in objects {
            switch object {
            case .collection(let id):
                guard withIndex({ $0.shelf(id) }) != nil else { throw .noSuchObject }
                grants.endAll()
                surroundings.lock()
                follow()
            case .item(let id):
                guard let entry = withIndex({ $0.entry(id) }) else { throw .noSuchObject }
                items.insert(id)
                if let rule = sessionRule(for: entry) { rules.insert(rule.text) }
            }
        }
        if !items.isEmpty { grants.end(items: items, rules: rules) }
    }

    // MARK: - Reading

    /// Returns the secrets of items. An item whose secret the caller does not get is left out.
    package func secrets(
        of items: [SecretService.ItemID], for caller: SecretCaller, _ asking: Asking
    ) throws(SecretFault) -> [SecretService.ReleasedSecret] {
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            var released: [SecretService.ReleasedSecret] = []
            var mayAsk = call.user != nil
            for id in items {
                guard let entry = withIndex({ $0.entry(id) }) else { continue }
                if let secret = try read(entry, id, call, &mayAsk) {
                    released.append(SecretService.ReleasedSecret(id, secret, contentType: entry.record.contentType))
                }
            }
            return released
        }
    }

    /// Reads one secret: with a grant, or else after asking. Returns nil if the caller does not get it.
    private func read(
        _ entry: SecretIndex.Entry, _ id: SecretService.ItemID, _ call: DesktopCall, _ mayAsk: inout Bool
    ) throws(SecretFault) -> SecureBytes? {
        let rule = rule(for: entry)
        let (program, name) = (call.program.peer.text, entry.record.name)
        if let grant = grants.grant(for: id, to: call.caller),
            let secret = try? read(entry, call, in: grant.context, .fail)
        {
            grants.use(id, by: call.caller)
            log.note(program, name, .granted, rule)
            return secret
        }
        if let rule, rule.frequency == .oncePerSession, let held = grants.session(of: rule),
            let secret = try? read(entry, call, in: held.context, .fail)
        {
            log.note(program, name, .session, rule)
            return secret
        }
        let before = call.user?.prompts ?? 0
        say("open \(entry.record.name)", call)
        while true {
            do throws(KeychainError) {
                let secret = try read(entry, call, in: call.context, mayAsk && !call.asking.isOver ? .allowed : .fail)
                let wasAsked = (call.user?.prompts ?? 0) > before
                log.note(program, name, wasAsked || entry.control.isProtected ? .asked : .open, rule)
                if entry.control.isProtected, !call.asking.isOver {
                    grants.add(call.held, for: id, to: call.caller)
                    grants.use(id, by: call.caller)
                    if let rule, rule.frequency == .oncePerSession { grants.begin(rule, call.held) }
                }
                return secret
            } catch {
                let isLockedOut = error.rule == .classLocked || error.rule == .classBeforeFirstUnlock
                if isLockedOut, mayAsk, !keychain.isUnlocked {
                    do throws(SecretFault) {
                        try unlockVault(call)
                        continue
                    } catch { mayAsk = false }
                    return nil
                }
                let wasAsked = (call.user?.prompts ?? 0) > before
                log.note(program, name, wasAsked ? .dismissed : .denied, rule, "\(error)")
                // A user who dismisses one prompt of a burst is not asked again in it.
                if wasAsked { mayAsk = false }
                return nil
            }
        }
    }

    private func read(
        _ entry: SecretIndex.Entry, _ call: DesktopCall, in context: KeychainContext, _ interaction: Interaction
    ) throws(KeychainError) -> SecureBytes? {
        let secret = try keychain.read(
            .id(entry.secret), by: call.requester, in: context, interaction: interaction)
        if let secret { return secret }
        return try? SecureBytes(count: 0)
    }
}
