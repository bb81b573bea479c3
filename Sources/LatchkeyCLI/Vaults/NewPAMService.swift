internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import UserPresence

/// The service that PAM is to be asked by for a vault that is being made: one of the system's, or one of the vault's own, for
/// machines where nobody has installed one.
struct NewPAMService {
    /// The vault's own service asks for the login password of whoever runs it, and for nothing else.
    private static let ownService = """
        # Checks the login password of the vault's owner. PAM can only refuse here: it opens nothing.
        auth required pam_unix.so
        account required pam_unix.so

        """
    private static let systemFolder = "/etc/pam.d"
    private static let usual = "latchkey"

    private let service: String
    /// The folder that becomes a part of the vault; nil for a service of the system's.
    private let draft: String?

    /// The service of this name; without one, the one that is installed, or else one of the vault's own.
    init(named name: String?, beside folder: String) throws {
        service = name ?? Self.usual
        let isInstalled = access("\(Self.systemFolder)/\(service)", F_OK) == 0
        if name != nil && !isInstalled {
            throw AgentError(
                .unavailable,
                "there is no service \(service) in \(Self.systemFolder): name one that is there, or none for one "
                    + "of the vault's own")
        }
        if isInstalled {
            draft = nil
            return
        }
        var template = Array("\(folder).pam-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Self.trouble(folder) }
        guard chmod(made, 0o700) == 0 else {
            defer { rmdir(made) }
            throw Self.trouble(folder)
        }
        draft = Self.resolved(String(cString: made))
        try write()
    }

    private func write() throws {
        guard let draft else { return }
        let path = "\(draft)/\(service)"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.trouble(path) }
        defer { close(file) }
        // The umask may take away rights of the owner.
        guard fchmod(file, 0o600) == 0 else { throw Self.trouble(path) }
        guard Output.write(Self.ownService, to: file) else { throw Self.trouble(path) }
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func trouble(_ path: String) -> AgentError {
        AgentError(.vault, "\(path): \(SystemError.last)")
    }

    /// PAM, asked by it.
    var authenticator: PAMAuthenticator { PAMAuthenticator(service: service, folder: draft ?? Self.systemFolder) }

    /// Makes it a part of the vault that was made, where it is that vault's own.
    func move(into place: AgentPlace) throws -> VaultSettings.PAM {
        guard let draft else { return VaultSettings.PAM(service: service, folder: Self.systemFolder) }
        guard rename(draft, place.pamFolder) == 0 else { throw Self.trouble(place.pamFolder) }
        return VaultSettings.PAM(service: service, folder: place.pamFolder)
    }

    /// Takes it away where no vault came of it.
    func removeDraft() {
        guard let draft else { return }
        unlink("\(draft)/\(service)")
        rmdir(draft)
    }
}
