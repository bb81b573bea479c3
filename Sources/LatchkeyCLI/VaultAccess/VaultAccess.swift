internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import SodiumKit
internal import UserPresence

/// A connection of a command to the agent of its vault. Creating one starts the agent if none is running.
struct VaultAccess {
    /// The option that names the vault. Every command on a vault takes it.
    static let option = Option(
        "--vault", value: "DIR", says: "the vault, instead of $LATCHKEY_HOME or ~/.local/share/latchkey",
        values: .folder)

    let client: AgentClient
    /// The user at the terminal, who answers prompts; nil if there is no terminal, or nothing may be asked.
    var user: (any DeviceUser)?
    /// True if an error about a missing secret suggests the nearest name.
    private var suggestsNames: Bool

    /// Connects to the agent of the vault, and then keeps other processes from looking into this one.
    ///
    /// This process must not hold a secret before: the agent first reads which program is calling, for which it has to look
    /// into it.
    ///
    /// - Parameters:
    ///   - folder: The folder that the command line names; nil for the usual one.
    ///   - mayAsk: False if the command must never prompt.
    ///   - suggestsNames: True if the user typed the name of the secret, so that a misspelled one deserves a suggestion.
    /// - Throws: `AgentError` if there is no vault, or no agent can be reached or started.
    init(_ folder: String?, mayAsk: Bool = true, suggestsNames: Bool = false) throws {
        self.suggestsNames = suggestsNames
        let place = try Self.place(folder)
        client = try AgentClient.connect(to: place, app: "latchkey", startingWith: Self.agent(of: place))
        // The agent greets after it has read which program is calling, so the process can be closed to others now.
        try CrashSafety.shutOff()
        user = mayAsk && TerminalUser.isThere ? TerminalUser() : nil
    }

    /// A copy that makes no suggestions.
    var withoutSuggestions: VaultAccess {
        var copy = self
        copy.suggestsNames = false
        return copy
    }

    /// Returns the place of the vault. Throws if there is no vault.
    static func place(_ folder: String?) throws -> AgentPlace {
        let folder = try self.folder(folder)
        guard access(folder, F_OK) == 0 else {
            throw AgentError(
                .vault,
                "there is no vault at \(folder): create one with `latchkey init`, or name another with --vault")
        }
        // If the vault is named, the usual folder need not be known.
        return AgentPlace(vault: folder, usual: try? usualFolder(), runtime: try variable("XDG_RUNTIME_DIR"))
    }

    /// Returns the absolute path of the folder of the vault, which need not exist.
    static func folder(_ folder: String?) throws -> String {
        var folder = try folder ?? variable("LATCHKEY_HOME") ?? usualFolder()
        if folder.isEmpty { throw UsageError("--vault needs a folder") }
        while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
        return try absolute(folder)
    }

    /// Returns the absolute form of a path. The agent, which works in another folder, needs it.
    static func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        defer { free(folder) }
        guard let folder = String(validatingCString: folder) else {
            throw AgentError(
                .vault, "\(path): the path of the current folder is not UTF-8: name the file by its absolute path")
        }
        return folder + "/" + path
    }

    private static func usualFolder() throws -> String {
        if let data = try variable("XDG_DATA_HOME") { return data + "/latchkey" }
        guard let home = try variable("HOME") else {
            throw AgentError(.vault, "HOME is not set: name the vault with --vault")
        }
        return home + "/.local/share/latchkey"
    }

    /// Returns a variable of the environment; nil if it is empty, or an XDG folder that is not absolute.
    private static func variable(_ name: String) throws -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        // A repaired text would silently name another folder.
        guard let text = String(validatingCString: value) else {
            throw AgentError(
                .vault,
                "\(name) is not UTF-8, as the path of a vault and of its socket must be: set it to another folder"
            )
        }
        return name.hasPrefix("XDG_") && !text.hasPrefix("/") ? nil : text
    }

    /// The command that starts the agent of a vault.
    static func agent(of place: AgentPlace) -> [String] { ["latchkey", "agent", "--vault", place.vault] }

    // MARK: - Requests

    /// Returns the request as the agent understands it. One of an earlier version knows no reuse and no default policy.
    private func known(_ request: Request) -> Request { client.knowsReuse ? request : request.withoutReuse }

    /// Sends a request to the agent. If the vault is locked and there is a terminal, the user unlocks it first.
    ///
    /// - Throws: The error of the agent, in the words of the command line.
    func ask(
        _ request: Request, because reason: String? = nil, part: (inout Head) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> AgentClient.Reply {
        let request = known(request)
        do throws(AgentError) {
            do throws(AgentError) {
                return try client.ask(request, because: reason, of: user, part: part)
            } catch {
                try unlock(after: error, because: reason)
            }
            return try client.ask(request, because: reason, of: user, part: part)
        } catch { throw inCommandWords(error, request) }
    }

    /// Sends a request together with a secret. If the vault is locked and there is a terminal, the user unlocks it first.
    ///
    /// - Throws: The error of the agent, in the words of the command line.
    func ask(
        _ request: Request, because reason: String? = nil, sending secret: borrowing SecureBytes
    ) throws(AgentError) -> AgentClient.Reply {
        let request = known(request)
        do throws(AgentError) {
            do throws(AgentError) {
                return try client.ask(request, because: reason, sending: secret, of: user)
            } catch {
                try unlock(after: error, because: reason)
            }
            return try client.ask(request, because: reason, sending: secret, of: user)
        } catch { throw inCommandWords(error, request) }
    }

    private func inCommandWords(_ fault: AgentError, _ request: Request) -> AgentError {
        let name = request.secretName
        if suggestsNames, fault.kind == .notFound, let suggested = name.flatMap({ suggestion(for: $0) }) {
            return suggested
        }
        if fault.kind == .notFound, let suggested = request.keyName.flatMap({ keySuggestion(for: $0) }) {
            return suggested
        }
        if let words = wordsWithoutSensor(fault) { return words }
        return fault.inCommandWords(for: name ?? request.keyName, isKey: request.keyName != nil)
    }

    /// Unlocks the vault if it is locked. A passcode that is typed for this counts for the request that follows as well.
    private func unlock(after fault: AgentError, because reason: String?) throws(AgentError) {
        guard fault.kind == .locked, let user else { throw fault }
        _ = try client.ask(.unlock(bySensor: false), because: reason, of: user)
    }
}
