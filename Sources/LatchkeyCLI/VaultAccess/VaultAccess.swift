package import AgentProtocol
package import CommandLineKit
internal import Glibc
internal import LinuxSystem
package import Prompts
package import SodiumKit

/// A connection of a command to the agent of its vault. Creating one starts the agent if none is running.
package struct VaultAccess {
    /// The options that choose the vault. Every command on a vault takes them.
    package static let option = VaultChoice()

    package let client: AgentClient
    /// The user who answers prompts; nil if there is nowhere to show one, or nothing may be asked.
    package var user: (any DeviceUser)?
    /// The place where this command prompts.
    package let prompter: Prompter
    /// True if an error about a missing secret suggests the nearest name.
    private var suggestsNames: Bool

    /// Connects to the agent of the vault, and then keeps other processes from looking into this one.
    ///
    /// This process must not hold a secret before: the agent first reads which program is calling, for which it has to look
    /// into it.
    ///
    /// - Parameters:
    ///   - choice: The options that choose the vault.
    ///   - mayAsk: False if the command must never prompt.
    ///   - suggestsNames: True if the user typed the name of the secret, so that a misspelled one deserves a suggestion.
    ///   - prompt: The place of prompts; nil for that in the settings of the vault.
    ///   - mayWait: False if no prompt may wait for `latchkey approve`.
    /// - Throws: `AgentError` if there is no vault, or no agent can be reached or started.
    package init(
        _ choice: Given<VaultChoice>, mayAsk: Bool = true, suggestsNames: Bool = false, prompt: String? = nil,
        mayWait: Bool = true
    ) throws {
        self.suggestsNames = suggestsNames
        let place = try Self.place(choice)
        client = try AgentClient.connect(orStartAt: place, app: "latchkey")
        // The agent greets after it has read which program is calling, so the process can be closed to others now.
        try CrashSafety.shutOff()
        prompter = try Prompter(
            choice, pinentry: client.pinentry, prompt: prompt ?? client.prompt,
            mayWait: mayWait)
        user = mayAsk ? prompter.user : nil
    }

    /// A copy that makes no suggestions.
    var withoutSuggestions: VaultAccess {
        var copy = self
        copy.suggestsNames = false
        return copy
    }

    /// Returns the place of the vault. Throws if there is no vault.
    package static func place(_ choice: Given<VaultChoice>) throws -> AgentPlace {
        let folder = try folder(choice)
        guard access(folder, F_OK) == 0 else {
            throw AgentError(
                .vault,
                "there is no vault at \(folder): create one with `latchkey init`, or name another with --vault")
        }
        return try placeOfNew(folder)
    }

    /// Returns the place of a vault that need not exist yet, in a folder with an absolute path.
    package static func placeOfNew(_ folder: String) throws -> AgentPlace {
        // If the vault is named, the usual folder need not be known.
        AgentPlace(vault: folder, usual: try? usualFolder(), runtime: variable("XDG_RUNTIME_DIR"))
    }

    /// Returns the absolute path of the folder of the vault, which need not exist.
    package static func folder(_ choice: Given<VaultChoice>) throws -> String {
        var folder = try choice[\.folder] ?? variable("LATCHKEY_HOME") ?? usualFolder()
        if folder.isEmpty { throw UsageError("--vault needs a folder") }
        while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
        return try absolute(folder)
    }

    /// Returns the absolute form of a path. The agent, which works in another folder, needs it.
    package static func absolute(_ path: String) throws -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let folder = SystemPath.workingFolder() else {
            throw AgentError(.vault, "\(path): \(SystemError.last)")
        }
        return folder + "/" + path
    }

    private static func usualFolder() throws -> String {
        if let data = variable("XDG_DATA_HOME") { return data + "/latchkey" }
        guard let home = variable("HOME") else {
            throw AgentError(.vault, "HOME is not set: name the vault with --vault")
        }
        return home + "/.local/share/latchkey"
    }

    /// Returns a variable of the environment; nil if it is empty, or an XDG folder that is not absolute.
    private static func variable(_ name: String) -> String? {
        guard let path = SystemPath.variable(name), !path.isEmpty else { return nil }
        return name.hasPrefix("XDG_") && path.utf8.first != UInt8(ascii: "/") ? nil : path
    }

    // MARK: - Requests

    /// The error for a prompt that is needed and cannot be shown.
    package var refusal: AgentError { prompter.refusal ?? .noTerminal }

    /// Sends a request to the agent. If the vault is locked and there is somewhere to prompt, the user unlocks it first.
    ///
    /// - Throws: The error of the agent, in the words of the command line.
    package func ask<Call: AgentCall>(
        _ request: Call, because reason: String? = nil, part: (Call.Part) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> CallResult<Call.Reply> {
        do throws(AgentError) {
            return try client.ask(request, because: reason, of: user, unlocks: true, part: part)
        } catch { throw inCommandWords(error, request) }
    }

    /// Sends a request together with a secret. If the vault is locked and there is somewhere to prompt, the user unlocks
    /// it first.
    ///
    /// - Throws: The error of the agent, in the words of the command line.
    package func ask<Call: AgentCall>(
        _ request: Call, because reason: String? = nil, sending secret: borrowing SecureBytes
    ) throws(AgentError) -> CallResult<Call.Reply> {
        do throws(AgentError) {
            return try client.ask(request, because: reason, sending: secret, of: user, unlocks: true)
        } catch { throw inCommandWords(error, request) }
    }

    /// Returns the error of a request that was sent as it is. A prompt that could not be shown was not dismissed.
    func withRefusal(_ fault: AgentError) -> AgentError {
        [.noTerminal, .dismissed].contains(fault.kind) ? prompter.refusal ?? fault : fault
    }

    private func inCommandWords(_ fault: AgentError, _ request: any AgentCall) -> AgentError {
        let fault = withRefusal(fault)
        // Without a rule, it is a part of the secret that is missing.
        if suggestsNames, fault.kind == .notFound, fault.rule != nil,
            case .secret(let name) = request.subject, let suggested = suggestion(for: name)
        {
            return suggested
        }
        guard case .key(let name) = request.subject else {
            return wordsWithoutSensor(fault) ?? fault.inCommandWords(for: request.subject?.name, isKey: false)
        }
        if fault.kind == .notFound, let suggested = keySuggestion(for: name) { return suggested }
        return wordsWithoutSensor(fault) ?? fault.inCommandWords(for: name, isKey: true)
    }
}
