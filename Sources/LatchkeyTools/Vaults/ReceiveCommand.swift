internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import SodiumKit
internal import UserPresence
internal import VaultService

/// `latchkey receive`
enum ReceiveCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let ownPasscode = Option(
            "--own-passcode", says: "keep the passcode of the old vault, even if it was a login password")
    }

    static let declaration = Declaration(
        name: "receive", summary: "create the vault that another machine wrote with latchkey transfer",
        text: """
            Creates a vault from FILE, with everything that the old one had. Asks for the passphrase of the file and for the
            passcode of the old vault; if that was a login password, the vault then opens with the login password of this
            machine, unless you choose --own-passcode. Verifies every secret, and shows the code for latchkey retire on the old machine.

            The sensor of this machine is another one, as on a new phone: secrets bound to the enrolled fingers no longer open,
            and those for any finger open with the fingers of this machine.
            """,
        operands: [Operand(name: "FILE", values: .file)], options: Options(),
        examples: [("latchkey receive /media/disk/vault.transfer", "")],
        statuses: ExitStatus.all(but: [.notFound]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let folder = try NewVault.place(given[\.vault])
        let file = try VaultAccess.absolute(given.words[0])
        // Check both before the prompts, so that you never type a passphrase in vain.
        try BroughtFile.requireReadable(file)
        do throws(VaultError) { try Vault.requireTransfer(at: file) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        try NewVault.prepare(folder)
        let opened = try opened(file)
        var receipt = Receipt(folder: folder, hasOwnPasscode: given[\.ownPasscode])
        defer { receipt.pam?.removeDraft() }
        var attempt = 1
        while true {
            let passcode = try NewVault.typed(.passcode, "open the vault with the passcode of the old machine", attempt)
            do {
                try receipt.make(opened, passcode)
                receipt.unlock(given[\.vault], passcode)
                break
            } catch Receipt.Trouble.wrongPasscode {
                attempt += 1
                if attempt > NewVault.tries { throw AgentError(KeychainError.wrongPasscode) }
            }
        }
        report(receipt, given.words[0])
        return ""
    }

    /// Opens the file with its passphrase.
    private static func opened(_ file: String) throws -> Vault.OpenedTransfer {
        var attempt = 1
        while true {
            let passphrase = try NewVault.typed(.passphrase, "open the file of the transfer", attempt)
            do throws(VaultError) {
                return try Vault.openTransfer(at: file, passphrase: passphrase)
            } catch {
                guard case .wrongPassphrase = error, attempt < NewVault.tries else {
                    throw AgentError(KeychainError.vault(error))
                }
            }
            attempt += 1
        }
    }

    private static func report(_ receipt: borrowing Receipt, _ file: String) {
        Output.write("Received the vault in \(Terminal.line(receipt.folder)), and verified all of it.\n")
        if receipt.findings > 0 {
            Output.complain(
                "the old vault is damaged, and the new one as well (\(counted(receipt.findings, "finding"))): run `latchkey "
                    + "verify`")
        }
        for item in receipt.invalidated {
            let name = item.name
            let remedy = item.itemClass == .key ? "key generate" : "set"
            Output.complain(
                "\(item.itemClass == .key ? "the key " : "")\(name) is bound to the fingers of the old machine and opens no more: make "
                    + "another with `latchkey \(remedy) \(Shell.word(name)) --preset current-set`")
        }
        let deleting = "delete \(Shell.word(file))"
        guard let code = receipt.code else {
            return Output.confirm("Two vaults exist now. Next, \(deleting).")
        }
        Output.confirm("Next, run `latchkey retire \(code)` on the old machine, and \(deleting).")
    }
}

/// A vault that is being received. Nothing is in its place until the passcode has opened it.
private struct Receipt: ~Copyable {
    enum Trouble: Error {
        case wrongPasscode
    }

    let folder: String
    /// True if PAM does not check the passcode on this machine, whatever the old one did.
    private let hasOwnPasscode: Bool
    /// The PAM service that checks the passcode on this machine; nil if the keys alone do.
    private(set) var pam: NewPAMService?
    /// The login password of this machine; nil if it is not the passcode.
    private(set) var login: SecureBytes?
    private(set) var code: String?
    private(set) var invalidated: [ItemDescription] = []
    /// The number of faults that the old vault has too.
    private(set) var findings = 0

    init(folder: String, hasOwnPasscode: Bool) {
        self.folder = folder
        self.hasOwnPasscode = hasOwnPasscode
    }

    /// Creates the vault, if this passcode opens it. Otherwise leaves nothing behind.
    mutating func make(_ transfer: borrowing Vault.OpenedTransfer, _ passcode: borrowing SecureBytes) throws {
        if try !received(transfer, passcode) {
            // The old vault was opened by a login password. This one is opened by that of this machine.
            login = try typedLogin()
            _ = try received(transfer, passcode)
        }
    }

    /// Unlocks the vault in its agent with what opens it now.
    func unlock(_ vault: Given<VaultChoice>, _ passcode: borrowing SecureBytes) {
        switch login {
        case .some(let login): NewVault.unlock(vault, login)
        case .none: NewVault.unlock(vault, passcode)
        }
    }

    /// Creates the vault. Returns false if the login password of this machine is missing. Signals of the terminal wait
    /// meanwhile, so that either all of the vault is there or nothing.
    private mutating func received(
        _ transfer: borrowing Vault.OpenedTransfer, _ passcode: borrowing SecureBytes
    ) throws -> Bool {
        let former = SignalSet(Signals.ending + [SIGTSTP]).hold()
        defer { former.holdOnly() }
        let place = AgentPlace(vault: folder, usual: nil, runtime: nil)
        var (service, fault): (NewPAMService?, (any Error)?) = (pam, nil)
        let result: Vault.Received
        do throws(VaultError) {
            result = try Vault.receive(transfer, at: folder) { settings in
                do {
                    var settings = try VaultSettings(sealed: settings, ofVaultIn: place.vault)
                    if hasOwnPasscode {
                        settings[.pamService] = ""
                    } else if settings.pam != nil {
                        if service == nil { service = try NewPAMService(named: nil, beside: folder) }
                        settings[.pamService] = service?.setting(in: place) ?? ""
                    }
                    return settings.bytes(forVaultIn: place.vault)
                } catch {
                    fault = error
                    throw error
                }
            } confirm: { vault in
                do { try Self.open(vault, passcode, login, needsLogin: service != nil) } catch {
                    fault = error
                    throw error
                }
            }
        } catch {
            pam = service
            if fault is MissingLogin { return false }
            throw fault ?? AgentError(KeychainError.vault(error))
        }
        pam = service
        result.vault.close()
        (code, invalidated, findings) = (result.retirementCode, result.invalidated, result.findings.count)
        do { try pam?.move(into: place) } catch {
            place.removeVault()
            throw error
        }
        return true
    }

    private struct MissingLogin: Error {}

    /// Unlocks the vault with the passcode of the old one, and replaces that by the login password of this machine.
    private static func open(
        _ vault: Vault, _ passcode: borrowing SecureBytes, _ login: borrowing SecureBytes?, needsLogin: Bool
    ) throws {
        let effects: Effects
        do throws(VaultError) { effects = try vault.enter(passcode: passcode) } catch {
            if case .passcodeLength = error { throw Trouble.wrongPasscode }
            throw error
        }
        if let refusal = effects.refusal { throw AgentError(KeychainError.refused(refusal)) }
        if effects.contains(.rejected(.passcode)) { throw Trouble.wrongPasscode }
        guard needsLogin else { return }
        switch login {
        case .none: throw MissingLogin()
        case .some(let login):
            if login.equals(passcode) { return }
            let effects = try vault.changePasscode(from: passcode, to: login)
            if let refusal = effects.refusal { throw AgentError(KeychainError.refused(refusal)) }
        }
    }

    /// Asks for the login password of this machine, which PAM checks.
    private borrowing func typedLogin() throws -> SecureBytes {
        let login = try NewVault.typed(.passcode, "open the vault with your login password on this machine")
        switch pam?.authenticator.authenticate(login).verdict {
        case .accepted, nil: return login
        case .wrong:
            throw AgentError(
                .wrong,
                "PAM rejected your login password, and no vault was created: try again, or add --own-passcode to keep the "
                    + "passcode of the old vault")
        case .unavailable(let trouble):
            throw AgentError(
                .unavailable,
                "\(trouble), and no vault was created: add --own-passcode to keep the passcode of the old vault")
        }
    }
}
