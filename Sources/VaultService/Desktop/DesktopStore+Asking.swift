internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import PlainText
package import SecretService
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// Calls of programs. Each is one visit, so that one prompt serves all that its policies allow.

/// One call of a program that may ask the user.
struct DesktopCall {
    let caller: SecretCaller
    let visit: Visit
    /// The factors that the user has given in the call.
    let held: HeldContext
    let user: DesktopUser
    let asking: CallLifetime
    /// The number of locks when the call began.
    let locks: Int

    var requester: Requester { visit.requester }
    /// The program, as the list of requests names it.
    var program: String { visit.peer.text }
    var context: KeychainContext { held.context }
}

extension DesktopStore {
    /// Runs `body` as a visit of the caller, and sends its prompts to where its program is.
    func asking<Value: ~Copyable>(
        _ caller: SecretCaller, _ asking: CallLifetime, _ body: (DesktopCall) throws(SecretFault) -> Value
    ) throws(SecretFault) -> Value {
        let (program, locks) = (program(of: caller), kept.locks)
        let visit = Visit(service, of: program)
        // Neither another connection of the program nor another program behind the same connection has another name.
        let user = DesktopUser(
            of: visit, during: asking, limits, [program.name, caller.connection], notes: program.notes
        ) { [service] in service.host?.user(for: caller) }
        defer { visit.end() }
        let held: HeldContext
        do throws(AgentError) { held = try visit.heldContext() } catch { throw .failed(error.message) }
        let call = DesktopCall(
            caller: caller, visit: visit, held: held, user: user, asking: asking, locks: locks)
        var result: Value?
        // The changes of the call are noted where they are made.
        try visit.serve(usesVault: true, mayHaveChanged: false, asking: user) { () throws(SecretFault) in
            defer { user.end() }
            result = try body(call)
        }
        guard let value = result.take() else { throw .locked }
        return value
    }

    /// Unlocks the vault for a call that goes on to open these items, if it is locked. What it hid is shown then.
    func unlockVault(_ call: DesktopCall, opening entries: ArraySlice<Shelves.Entry> = []) throws(SecretFault) {
        if keychain.isUnlocked { return try completeIndex() }
        guard call.user.isThere else {
            let reason = call.user.refusal ?? "the vault is locked, and no prompt can be shown"
            log.note(call.program, "", .denied, nil, reason)
            throw .locked
        }
        do throws(KeychainError) {
            // The authentication for the vault also counts for the items.
            let opening = announce(entries, call).map { " and \($0)" } ?? ""
            try keychain.unlock(reason: "unlock the vault\(opening)", by: call.requester, in: call.context)
            call.visit.noteAuthentication()
            log.note(call.program, "", .asked, nil, "unlocked the vault")
        } catch {
            log.note(call.program, "", .dismissed, nil, "\(error)")
            noteFailure(error, call)
            throw fault(error, call)
        }
        follow()
        try completeIndex()
    }

    /// Throws unless the vault is unlocked. What it hid is shown then.
    func requireUnlocked() throws(SecretFault) {
        guard keychain.isUnlocked else { throw .locked }
        try completeIndex()
    }

    /// Waits until everything that an unlocked vault shows is shown.
    private func completeIndex() throws(SecretFault) {
        if withIndex({ $0.isComplete }) { return }
        settle(upTo: Self.patience)
        guard withIndex({ $0.isComplete }) else { throw .locked }
    }

    /// The time that a call waits for the records to be read again, in milliseconds.
    static let patience = 3000

    /// Returns the fault that a program gets for an error.
    func fault(_ error: KeychainError, _ call: DesktopCall) -> SecretFault {
        switch AgentError(error).kind {
        case .dismissed, .wrong: call.user.isThere ? .dismissed : .locked
        case .denied, .locked, .noTerminal, .unavailable: .locked
        case .notFound: .noSuchObject
        case .exists, .damaged, .request, .vault, .agent: .failed("\(error)")
        }
    }

    /// Counts three wrong answers like a dismissal, as for signatures.
    private func noteFailure(_ error: KeychainError, _ call: DesktopCall) {
        if AgentError(error).kind == .wrong { call.user.noteWrongAnswers() }
    }

    // MARK: - Naming what a prompt opens

    /// The number of items that one prompt names. It says how many more there are.
    private static let mostNamed = 5

    /// Returns the name of an item for a prompt. Programs choose labels, and the names follow them.
    private static func name(of entry: Shelves.Entry) -> String {
        Terminal.name(entry.record.name, also: "/", longest: longestName)
    }

    /// The length at which a prompt cuts the name of an item.
    private static let longestName = 60

    /// Has the next prompts of a call name these items, and returns the words for its reason; nil if there are none.
    private func announce(_ entries: ArraySlice<Shelves.Entry>, _ call: DesktopCall) -> String? {
        guard let first = entries.first else {
            call.user.naming = .init()
            return nil
        }
        let named = entries.prefix(Self.mostNamed)
        let others = entries.count - 1
        var notes: [String] = []
        if others > 0 {
            let more = entries.count - named.count
            notes.append(
                "Also opens \(named.dropFirst().map(Self.name(of:)).joined(separator: ", "))"
                    + (more > 0 ? ", and \(more) more." : "."))
        }
        for entry in named {
            guard let rule = rule(for: entry), rule.frequency == .oncePerSession else { continue }
            notes.append(
                "Until the vault is locked, every program of yours gets \(Self.name(of: entry)) without a prompt.")
        }
        call.user.naming = .init(names: named.map(\.record.name), notes: notes)
        let reason =
            switch others {
            case 0: "open \(Self.name(of: first))"
            case 1: "open \(Self.name(of: first)) and 1 other"
            default: "open \(Self.name(of: first)) and \(others) others"
            }
        var words = call.context.words
        words.reason = reason
        call.context.words = words
        return reason
    }

    /// Returns the items of a request that take an authentication, in its order.
    private func protected(_ items: [ShelfItemID], for caller: SecretCaller) -> [Shelves.Entry] {
        items.compactMap { id in
            guard let entry = withIndex({ $0.entry(id) }), entry.control.isProtected, isLocked(id, for: caller) else {
                return nil
            }
            return entry
        }
    }

    // MARK: - Unlocking

    /// Unlocks collections and items for a caller, with as few prompts as possible.
    package func unlock(
        _ objects: [ShelfObject], for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> [ShelfObject] {
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            let items = objects.compactMap { if case .item(let id) = $0 { id } else { nil } }
            var waiting = protected(items, for: caller)[...]
            let needsVault = objects.contains { object in
                switch object {
                case .collection: true
                case .item(let id): isLocked(id, for: caller)
                }
            }
            if needsVault { try unlockVault(call, opening: waiting) }
            var done: [ShelfObject] = []
            var isRefused = false
            for object in objects {
                switch object {
                case .collection(let id):
                    if withIndex({ $0.shelf(id) }) != nil && !isLocked(id) { done.append(object) }
                case .item(let id):
                    if !isLocked(id, for: caller) {
                        done.append(object)
                    } else if !isRefused, !asking.isOver {
                        if waiting.contains(where: { $0.id == id }) { waiting = waiting.drop { $0.id != id } }
                        // A user who dismisses one prompt of a burst is not asked again in it.
                        if try grant(id, call, waiting) { done.append(object) } else { isRefused = true }
                    }
                }
            }
            return done
        }
    }

    /// Asks the user for one item, and grants it. Returns false if the user did not authenticate.
    private func grant(
        _ id: ShelfItemID, _ call: DesktopCall, _ waiting: ArraySlice<Shelves.Entry>
    ) throws(SecretFault) -> Bool {
        guard let entry = withIndex({ $0.entry(id) }) else { return true }
        let rule = rule(for: entry)
        _ = announce(waiting.isEmpty ? [entry] : waiting, call)
        do throws(KeychainError) {
            // Only a read decides about a read. The secret is wiped again here.
            _ = try read(
                .id(entry.secret), call.requester, call.context, call.user.isThere ? .allowed : .fail)
        } catch {
            noteFailure(error, call)
            log.note(
                call.program, entry.record.name, call.user.isThere ? .dismissed : .denied, rule,
                call.user.refusal ?? "\(error)")
            return false
        }
        log.note(call.program, entry.record.name, .asked, rule)
        keep(entry, id, rule, call)
        return !call.asking.isOver
    }

    /// Keeps what the user has allowed in a call for the next reads.
    private func keep(
        _ entry: Shelves.Entry, _ id: ShelfItemID, _ rule: SecretRules.Rule?, _ call: DesktopCall
    ) {
        // The caller may have left, or the call may have ended, while the user answered.
        if call.asking.isOver { return }
        call.visit.noteAuthentication()
        kept.keep(call.held, in: .connection(call.caller.connection, id), since: call.locks)
        // A rule opens only items that a prompt has named.
        guard let rule, rule.frequency == .oncePerSession, call.user.wasShown(entry.record.name) else { return }
        guard approve(id, under: rule) else { return }
        kept.keep(call.held, in: .rule(rule.text), since: call.locks)
    }

    // MARK: - Locking

    /// Locks collections and items. It never waits for the vault.
    package func lock(_ objects: [ShelfObject], for caller: SecretCaller) throws(SecretFault) {
        var items: Set<ShelfItemID> = []
        var rules: Set<String> = []
        for object in objects {
            switch object {
            case .collection(let id):
                guard withIndex({ $0.shelf(id) }) != nil else { throw .noSuchObject }
                service.lock()
                follow()
            case .item(let id):
                guard let entry = withIndex({ $0.entry(id) }) else { throw .noSuchObject }
                items.insert(id)
                if let rule = sessionRule(for: entry) { rules.insert(rule.text) }
            }
        }
        if !items.isEmpty { endGrants(of: items, under: rules) }
    }

    /// Ends every grant for these items, of all callers, and of these rules.
    func endGrants(of items: Set<ShelfItemID>, under rules: Set<String> = []) {
        kept.forget { scope in
            switch scope {
            case .connection(_, let item): items.contains(item)
            case .rule(let rule): rules.contains(rule)
            case .session, .program: false
            }
        }
    }

    // MARK: - Reading

    /// Returns the secrets of items. An item whose secret the caller does not get is left out.
    package func secrets(
        of items: [ShelfItemID], for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> [HandedSecret] {
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            var released: [HandedSecret] = []
            var waiting = protected(items, for: caller)[...]
            var isRefused = false
            for id in items {
                guard let entry = withIndex({ $0.entry(id) }) else { continue }
                if entry.control.isProtected, waiting.contains(where: { $0.id == id }) {
                    waiting = waiting.drop { $0.id != id }
                }
                if let secret = try read(entry, id, call, waiting, &isRefused) {
                    released.append(HandedSecret(id, secret, contentType: entry.record.contentType))
                }
            }
            return released
        }
    }

    /// Reads one secret: with a grant, or else after asking. Returns nil if the caller does not get it.
    ///
    /// - Parameters:
    ///   - waiting: The items of the request that still take an authentication.
    ///   - isRefused: True once the user has dismissed a prompt of the request, so that there is no other.
    private func read(
        _ entry: Shelves.Entry, _ id: ShelfItemID, _ call: DesktopCall,
        _ waiting: ArraySlice<Shelves.Entry>, _ isRefused: inout Bool
    ) throws(SecretFault) -> SecureBytes? {
        let rule = rule(for: entry)
        let (program, name, isProtected) = (call.program, entry.record.name, entry.control.isProtected)
        let connection = KeptScope.connection(call.caller.connection, id)
        if let secret = call.visit.useKept(.readData, entry.secret, in: connection, read) {
            log.note(program, name, .granted, rule)
            return secret
        }
        if let session = sessionRule(for: entry),
            let secret = call.visit.useKept(.readData, entry.secret, in: .rule(session.text), read)
        {
            log.note(program, name, .session, rule)
            return secret
        }
        let opening = isProtected ? (waiting.isEmpty ? [entry] : waiting) : []
        _ = announce(opening, call)
        while true {
            let before = call.visit.promptCount
            do throws(KeychainError) {
                let mayAsk = isProtected && !isRefused && !call.asking.isOver && call.user.isThere
                let secret = try read(.id(entry.secret), call.requester, call.context, mayAsk ? .allowed : .fail)
                log.note(program, name, isProtected ? .asked : .open, rule)
                if isProtected {
                    keep(entry, id, rule, call)
                    kept.use(call.held, in: connection)
                }
                return secret
            } catch {
                let isLockedOut = error.rule == .classLocked || error.rule == .classBeforeFirstUnlock
                if isLockedOut, !isRefused, !keychain.isUnlocked, !call.asking.isOver, call.user.isThere {
                    do throws(SecretFault) {
                        try unlockVault(call, opening: opening)
                        continue
                    } catch { isRefused = true }
                    return nil
                }
                let wasAsked = call.visit.promptCount > before
                if wasAsked { noteFailure(error, call) }
                log.note(program, name, wasAsked ? .dismissed : .denied, rule, call.user.refusal ?? "\(error)")
                // A user who dismisses one prompt of a burst is not asked again in it.
                if wasAsked { isRefused = true }
                return nil
            }
        }
    }

    private func read(
        _ item: ItemReference, _ requester: Requester, _ context: KeychainContext, _ interaction: Interaction
    ) throws(KeychainError) -> SecureBytes {
        if let secret = try keychain.read(item, by: requester, in: context, interaction: interaction) { return secret }
        do throws(SodiumError) { return try SecureBytes(count: 0) } catch { throw .vault(.memory(error)) }
    }
}
