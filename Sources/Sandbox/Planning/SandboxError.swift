package import LinuxSystem

/// The reason why a sandbox cannot be started or used.
package enum SandboxError: Error, Hashable, Sendable {
    /// The command bwrap is not installed.
    case notInstalled
    /// The command bwrap cannot make a sandbox here. The text is what it says.
    case unusable(String)
    /// The plan has no command, or a word of it that no program can get.
    case badWord(String)
    /// A path of the plan, and the end of a sentence about it.
    case refused(path: String, why: String)
    /// The command bwrap ended with this status before the sandbox was ready.
    case notReady(Int32)
    /// The port of the sandbox cannot be had.
    case port(UInt16, SystemError)
    /// A call of the system failed. The text says what it was for.
    case system(String, SystemError)
}

extension SandboxError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notInstalled:
            "A sandbox needs the command `bwrap`, which is not installed. Install the package `bubblewrap`: "
                + "`apt-get install bubblewrap`."
        case .unusable(let words):
            "The command `bwrap` cannot make a sandbox here; it says: \(words). Sandboxes need user namespaces. Allow them "
                + "(`sysctl kernel.unprivileged_userns_clone=1`, `sysctl user.max_user_namespaces=10000`, or a profile of AppArmor "
                + "for bwrap), and bubblewrap 0.8 or newer."
        case .badWord(let word): "A sandbox cannot get \(word)."
        case .refused(let path, let why): "\(path) cannot be in the sandbox: it \(why)."
        case .notReady(let status):
            "The command `bwrap` ended with status \(status) before the sandbox was ready. It says why on the standard error."
        case .port(let port, let error):
            port == 0
                ? "No port of the sandbox can be had: \(error)."
                : "Port \(port) of the sandbox cannot be had: \(error). Choose another port."
        case .system(let what, let error): "The sandbox cannot \(what): \(error)."
        }
    }
}
