internal import AgentProtocol
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import UserPresence

/// The PAM service of a vault that is being created: one of the system, or one in the vault if the system has none.
struct NewPAMService {
    private static let systemFolder = VaultSettings.systemPAM
    private static let usual = "latchkey"

    /// The path of the service that a system may have for Latchkey.
    static let installed = "\(systemFolder)/\(usual)"

    private let service: String
    /// The folder that becomes part of the vault; nil for a service of the system.
    private let draft: String?

    /// Creates the service with this name; without a name, the installed one, or else one in the vault.
    ///
    /// - Throws: `AgentError` if the system has no service with this name, or the folder cannot be created.
    init(named name: String?, beside folder: String) throws {
        service = name ?? Self.usual
        let isInstalled = access("\(Self.systemFolder)/\(service)", F_OK) == 0
        if name != nil && !isInstalled {
            throw AgentError(
                .unavailable,
                "there is no service \(service) in \(Self.systemFolder): name one that exists, or leave --service out to "
                    + "create one in the vault")
        }
        if isInstalled {
            draft = nil
            return
        }
        guard let made = mkdtemp("\(folder).pam-XXXXXX") else { throw Self.trouble(folder) }
        guard chmod(made, 0o700) == 0 else {
            defer { rmdir(made) }
            throw Self.trouble(folder)
        }
        draft = realpath(made) ?? made
        try write()
    }

    private func write() throws {
        guard let draft else { return }
        let path = "\(draft)/\(service)"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.trouble(path) }
        defer { close(file) }
        // The umask may have removed permissions of the owner.
        guard fchmod(file, 0o600) == 0 else { throw Self.trouble(path) }
        guard Output.write(PAMAuthenticator.textOfLogins, to: file) else { throw Self.trouble(path) }
    }

    private static func trouble(_ path: String) -> AgentError {
        AgentError(.vault, "\(path): \(SystemError.last)")
    }

    /// The authenticator that checks passcodes with this service.
    var authenticator: PAMAuthenticator {
        draft == nil ? PAMAuthenticator(service: service, folder: Self.systemFolder) : .ofLogins
    }

    /// The setting that names the service, in a vault at this place.
    func setting(in place: AgentPlace) -> SettingValue {
        .text("\(draft == nil ? Self.systemFolder : place.pamFolder)/\(service)")
    }

    /// Moves a service of the vault's own into the vault.
    func move(into place: AgentPlace) throws {
        guard let draft else { return }
        guard rename(draft, place.pamFolder) == 0 else { throw Self.trouble(place.pamFolder) }
    }

    /// Removes the folder of the service if no vault was created.
    func removeDraft() {
        guard let draft else { return }
        unlink("\(draft)/\(service)")
        rmdir(draft)
    }
}
