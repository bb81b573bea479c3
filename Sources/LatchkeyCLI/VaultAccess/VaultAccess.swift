internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import SodiumKit
internal import UserPresence

/// How a command that uses a vault comes by it: which one is meant, and the agent that holds its keys, which is started where
/// there is none.
struct VaultAccess {
    /// The option that every such command takes.
    static let option = Option(
        "--vault", value: "DIR", says: "the folder of the vault, instead of $LATCHKEY_HOME or ~/.local/share/latchkey",
        values: .folder)

    let client: AgentClient
    /// Whoever is at the terminal; nil where there is none.
    var user: (any DeviceUser)?

    /// Connects to the agent of the vault that is meant, and then shuts this process off from others. No secret may be in it
    /// before: the agent reads first which program it is. `folder` is the one that the command line names.
    init(_ folder: String?, mayAsk: Bool = true) throws {
        let place = try Self.place(folder)
        client = try AgentClient.connect(to: place, app: "latchkey", startingWith: Self.agent(of: place))
        // The greeting came after the agent had looked.
        try CrashSafety.shutOff()
        user = mayAsk && TerminalUser.isThere ? TerminalUser() : nil
    }

    /// Returns the place of the vault that is meant. Throws if there is none.
    static func place(_ folder: String?) throws -> AgentPlace {
        let folder = try self.folder(folder)
        guard access(folder, F_OK) == 0 else {
            throw AgentError(
                .vault, "there is no vault at \(folder): latchkey init makes one, or --vault names another folder")
        }
        // A vault that is named needs no usual folder.
        return AgentPlace(vault: folder, usual: try? usualFolder(), runtime: try variable("XDG_RUNTIME_DIR"))
    }

    /// Returns the path of the folder that is meant, from the root on. There need not be anything.
    static func folder(_ folder: String?) throws -> String {
        var folder = try folder ?? variable("LATCHKEY_HOME") ?? usualFolder()
        if folder.isEmpty { throw UsageError("--vault takes a folder") }
        while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
        return try absolute(folder)
    }

    /// Returns a path that means the same to the agent, which works in another folder.
    static func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        defer { free(folder) }
        guard let folder = String(validatingCString: folder) else {
            throw AgentError(.vault, "\(path): the path of this folder is not UTF-8: name the file from the root on")
        }
        return folder + "/" + path
    }

    private static func usualFolder() throws -> String {
        if let data = try variable("XDG_DATA_HOME") { return data + "/latchkey" }
        guard let home = try variable("HOME") else {
            throw AgentError(.vault, "HOME is not set: name the folder of the vault with --vault")
        }
        return home + "/.local/share/latchkey"
    }

    /// What the environment says; nothing for what is empty, or is no path from the root on where one has to be.
    private static func variable(_ name: String) throws -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        // Another folder would be used without a word if the text were mended.
        guard let text = String(validatingCString: value) else {
            throw AgentError(
                .vault,
                "\(name) is not UTF-8, and the path of a vault and of its agent's socket has to be: set it to another folder"
            )
        }
        return name.hasPrefix("XDG_") && !text.hasPrefix("/") ? nil : text
    }

    /// The command that starts the agent of a vault.
    static func agent(of place: AgentPlace) -> [String] { ["latchkey", "agent", "--vault", place.vault] }

    // MARK: - Asking

    /// Asks the agent for something; where the vault is locked and somebody is there, they are asked to unlock it first.
    func ask(
        _ request: Request, because reason: String? = nil, part: (inout Head) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> AgentClient.Reply {
        do throws(AgentError) {
            do throws(AgentError) {
                return try client.ask(request, because: reason, of: user, part: part)
            } catch {
                try unlock(after: error, because: reason)
            }
            return try client.ask(request, because: reason, of: user, part: part)
        } catch { throw error.inCommandWords(for: request.secretName) }
    }

    /// The same with a secret that goes along.
    func ask(
        _ request: Request, because reason: String? = nil, sending secret: borrowing SecureBytes
    ) throws(AgentError) -> AgentClient.Reply {
        do throws(AgentError) {
            do throws(AgentError) {
                return try client.ask(request, because: reason, sending: secret, of: user)
            } catch {
                try unlock(after: error, because: reason)
            }
            return try client.ask(request, because: reason, sending: secret, of: user)
        } catch { throw error.inCommandWords(for: request.secretName) }
    }

    /// Whoever types the passcode to unlock the vault for something has proved it for that as well.
    private func unlock(after fault: AgentError, because reason: String?) throws(AgentError) {
        guard fault.kind == .locked, let user else { throw fault }
        _ = try client.ask(.unlock(bySensor: false), because: reason, of: user)
    }
}
