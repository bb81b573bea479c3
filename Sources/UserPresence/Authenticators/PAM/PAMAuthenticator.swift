internal import CPAM
internal import Glibc
package import LinuxSystem
public import SodiumKit

/// PAM, asked whether a passcode is that of a user's account here. See `docs/pam.md` for the services that it can be asked.
///
/// It is asked on a thread of its own. Of all authenticators of this kind in the process, at most four wait for an answer at a
/// time; what has not answered in time keeps its place until it does, and gets no more requests.
public struct PAMAuthenticator: PasscodeAuthenticator {
    /// How long PAM has for an answer unless somebody says otherwise, in milliseconds.
    public static let patience = 30_000

    private static let shared = Supervisor(places: 4)
    /// What wiping calls has to be bound before there is something to wipe: binding saves the registers.
    private static let wiping: Void = latchkey_wipe_traces(0, 0)

    private let service: String
    private let folder: String
    private let user: String?
    private let patience: Int
    private let supervisor: Supervisor

    /// PAM with this service, a file of `folder`. It checks the passcode of `user`, or of the user who runs the process, and has
    /// so many milliseconds for it.
    ///
    /// Nothing is looked at before something is to be checked; what is wrong then, the verdict says.
    public init(
        service: String, folder: String = "/etc/pam.d", user: String? = nil, patience: Int = PAMAuthenticator.patience
    ) {
        self.init(service: service, folder: folder, user: user, patience: patience, among: nil)
    }

    /// One that shares its places with the authenticators of another supervisor.
    package init(service: String, folder: String, user: String?, patience: Int, among supervisor: Supervisor?) {
        self.service = service
        self.folder = folder
        self.user = user ?? Self.nameOfTheUser()
        self.patience = max(1, patience)
        self.supervisor = supervisor ?? Self.shared
    }

    /// What keeps PAM from being asked, as far as that can be told without a passcode.
    package var trouble: AuthenticatorError? {
        do throws(AuthenticatorError) {
            try PAMStackTrust.require(service, in: folder)
            return nil
        } catch { return error }
    }

    /// What PAM says of `passcode`. Who could change the service, its modules and what it includes is asked anew each time.
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
        let outcome = supervisor.run(upTo: patience) { [service, folder] in
            do throws(AuthenticatorError) {
                try PAMStackTrust.require(service, in: folder)
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
                return Self.broken(PAM_SYSTEM_ERR, "no thread was free for it")
            }
        }
        return PasscodeResult(.unavailable(.hung(seconds: (patience + 999) / 1000)))
    }

    private static func broken(_ code: Int32, _ text: String) -> PasscodeResult {
        PasscodeResult(.unavailable(.broken(code: code, text: text)))
    }

    /// The name of whoever runs the process; nil where nobody knows it.
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
