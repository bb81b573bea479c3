internal import CPAM
internal import Glibc
package import LinuxSystem
public import SodiumKit

/// An authenticator that asks PAM, for example if the passcode is the login password of a user. `docs/pam.md` describes
/// the services that it can use.
///
/// Each check runs on its own thread. At most four are under way in a process at a time, across all authenticators. A
/// check that times out keeps its place until PAM returns.
public struct PAMAuthenticator: PasscodeAuthenticator {
    /// The time that PAM has to answer unless you set another one, in milliseconds.
    public static let patience = 30_000

    private static let shared = Supervisor(places: 4)
    /// Binds the function that wipes traces before there is anything to wipe, because binding saves the registers.
    private static let wiping: Void = latchkey_wipe_traces(0, 0)

    private let service: String
    private let folder: String
    /// The text of the service; nil if it is in a file.
    private let text: String?
    private let user: String?
    private let patience: Int
    private let supervisor: Supervisor
    /// The user who may change the service besides root; nil for none.
    private let trusted: UInt32?

    /// Creates an authenticator for the PAM service `service`, a file in `folder`. It checks the passcode of `user`, or
    /// of the user who runs the process, and gives PAM `patience` milliseconds.
    ///
    /// The service is first read when a passcode is checked. If something is wrong with it, the verdict says so.
    public init(
        service: String, folder: String = "/etc/pam.d", user: String? = nil, patience: Int = PAMAuthenticator.patience
    ) {
        self.init(service: service, folder: folder, user: user, patience: patience, among: nil)
    }

    /// Creates an authenticator for a service that root alone can change, for a process that holds keys: no other program
    /// of its user can have it load a module.
    package init(ofRoot service: String, folder: String) {
        self.init(
            service: service, folder: folder, user: nil, patience: Self.patience, among: nil,
            trusting: geteuid() == 0 ? 0 : nil)
    }

    /// Creates an authenticator that shares its places with the others of `supervisor`, and asks a service that only root
    /// and the user `trusted` can change.
    package init(
        service: String, folder: String, text: String? = nil, user: String?, patience: Int,
        among supervisor: Supervisor?, trusting trusted: UInt32? = PathTrust.thisUser
    ) {
        self.trusted = trusted
        self.text = text
        self.service = service
        self.folder = folder
        self.user = user ?? Self.nameOfTheUser()
        self.patience = max(1, patience)
        self.supervisor = supervisor ?? Self.shared
    }

    /// The text of a service that checks the login password, and nothing else.
    package static let textOfLogins = """
        # Checks the login password of the vault's owner. PAM can only refuse here: it opens nothing.
        auth required pam_unix.so
        account required pam_unix.so

        """

    /// An authenticator that checks the login password. It gives PAM a text of its own, and no file that another program of
    /// the user could change.
    package static var ofLogins: PAMAuthenticator {
        PAMAuthenticator(
            service: "latchkey", folder: "", text: textOfLogins, user: nil, patience: patience, among: nil)
    }

    /// The reason why PAM cannot be used, as far as it can be found without a passcode; nil if there is none.
    package var trouble: AuthenticatorError? {
        if text != nil { return nil }
        do {
            try PAMStackTrust.require(service, in: folder, trusting: trusted)
            return nil
        } catch { return error }
    }

    /// Asks PAM about `passcode`. Each call first checks who can change the service, its modules and the files that it
    /// includes.
    public func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult {
        guard passcode.canBePasscode else {
            return PasscodeResult(.unavailable(.length(passcode.count)))
        }
        guard let user, !user.isEmpty, !user.utf8.contains(0) else {
            return PasscodeResult(.unavailable(.unknownUser(user ?? "number \(getuid())")))
        }
        _ = Self.wiping
        guard let copy = try? passcode.copy() else { return Self.broken(PAM_BUF_ERR, "no memory for the passcode") }
        latchkey_wipe_traces(8 << 10, UInt32(passcode.count))
        let transaction = PAMTransaction(copy)
        let begun = ContinuousClock.now
        let outcome = supervisor.run(upTo: patience) { [service, folder, text, trusted] in
            if let text { return Self.run(transaction, on: text, user) }
            do throws(AuthenticatorError) {
                try PAMStackTrust.require(service, in: folder, trusting: trusted)
            } catch {
                return PasscodeResult(.unavailable(error))
            }
            return transaction.run(service: service, user: user, folder: folder)
        }
        if case .finished(let result) = outcome { return result }
        transaction.abandon()
        if case .notBegun = outcome {
            let leftBehind = supervisor.leftBehind
            if leftBehind > 0 { return PasscodeResult(.unavailable(.tooManyHung(leftBehind))) }
            if .now - begun < .milliseconds(patience) {
                return Self.broken(PAM_SYSTEM_ERR, "no thread was free")
            }
        }
        return PasscodeResult(.unavailable(.hung(seconds: (patience + 999) / 1000)))
    }

    /// Runs a check with a service that is no file on a disk.
    private static func run(_ transaction: PAMTransaction, on text: String, _ user: String) -> PasscodeResult {
        do {
            let file = try MemoryFile(holding: Array(text.utf8))
            // libpam opens the descriptor by its name in this folder, which belongs to this process alone.
            return withExtendedLifetime(file) {
                transaction.run(service: "\(file.descriptor)", user: user, folder: "/proc/self/fd")
            }
        } catch { return broken(PAM_SYSTEM_ERR, "\(error)") }
    }

    private static func broken(_ code: Int32, _ text: String) -> PasscodeResult {
        PasscodeResult(.unavailable(.broken(code: code, text: text)))
    }

    /// Returns the name of the user who runs the process; nil if the system knows none.
    private static func nameOfTheUser() -> String? {
        var size = 1024
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let name: (code: Int32, name: String?) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) {
                let code = $0.baseAddress.map { start in getpwuid_r(getuid(), &entry, start, size, &found) } ?? ENOMEM
                return (code, found?.pointee.pw_name.map { String(cString: $0) })
            }
            guard name.code == ERANGE else { return name.code == 0 ? name.name : nil }
            size *= 4
        }
        return nil
    }
}
