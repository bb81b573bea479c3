internal import AgentProtocol
internal import CardKit
internal import LatchkeyCLI
internal import PlainText
internal import SecretTools
internal import SodiumKit
internal import UserPresence
internal import VaultService

/// The choice of a key on a smart card, which a vault then uses.
enum CardKeyChoice {
    /// Adds the key at an address to the vault, with the PIN that the user types.
    static func add(_ name: String, _ address: CardAddress, _ policy: ItemPolicy?, _ access: KeyAccess) throws {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
        guard let module = address.module ?? CardModule.usual else {
            throw AgentError(.unavailable, CardError.noModuleInstalled.description)
        }
        let key = try key(at: address, by: module)
        let pin = try pin(of: key.token, for: name, access)
        let isKept = pin.count > 0
        let reference = CardKeyReference(CardKeyPlace(of: key, by: module))
        _ = try access.vault.ask(
            AddCardKeyCall(name, reference, policy), because: "use the card \(Terminal.line(key.token.label))",
            sending: pin)
        Output.confirm("The key stays on its card." + (isKept ? " The vault keeps the PIN." : ""))
    }

    private static func key(at address: CardAddress, by module: String) throws -> CardKey {
        let all = try CardProcess.keys(by: module)
        if all.isEmpty { throw AgentError(.unavailable, CardError.noToken(nil).description) }
        let keys = all.filter { address.matches($0) }
        guard let key = keys.first, keys.count == 1 else {
            for key in keys.isEmpty ? all : keys {
                let isUsual = module == CardModule.usual
                let name = key.label.isEmpty ? "" : " (\(Terminal.line(key.label)))"
                Output.confirm("--card '\(CardAddress(of: key, by: module, isUsual: isUsual).text)'\(name)")
            }
            let found = keys.isEmpty ? "no key is" : "\(keys.count) keys are"
            throw AgentError(.request, "\(found) at this address: choose one of those above")
        }
        return key
    }

    private static func pin(of token: CardToken, for name: String, _ access: KeyAccess) throws -> SecureBytes {
        switch token.pin {
        case .none: return try SecureBytes(count: 0)
        case .onToken:
            Output.confirm("Type the PIN on the reader of the card.")
            return try SecureBytes(count: 0)
        case .lastTry: throw AgentError(.unavailable, CardError.lastTry(token.label).description)
        case .locked: throw AgentError(.unavailable, CardError.locked(token.label).description)
        case .needed, .neededAfterMistake: break
        }
        guard let user = access.vault.user else {
            throw AgentError(
                .noTerminal, "the card \(token.label) needs its PIN, and there is no terminal: run the command in one")
        }
        let content = PromptContent(
            .passphrase, reason: "use the card \(Terminal.line(token.label)) by its PIN", app: "latchkey")
        guard case .typed(let typed) = user.answer(Prompt(content)) else {
            throw AgentError(.dismissed, "you typed no PIN, and nothing was added")
        }
        return typed
    }
}
