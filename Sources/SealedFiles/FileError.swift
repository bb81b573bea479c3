public import AccessPolicy
internal import Latchkey
internal import LinuxSystem

/// The reason why an access to a protected file failed.
public enum FileError: Error, Hashable, Sendable {
    /// The class of the file denies the access now.
    case denied(String, FileRule, isWrite: Bool)
    /// The file is truncated, or bytes of it were changed or exchanged.
    case damaged(String)
    /// The file was sealed by another device, or before this one was erased.
    case foreign(String)
    /// The file is not sealed.
    case notSealed(String)
    /// The file was closed, or the device restarted since it was opened.
    case closed(String)
    /// The locked device has made no key for new files of class B yet.
    case noKeyYet(String)
    /// The device itself failed: its vault is closed or damaged.
    case device(String, reason: String)
    /// A system call failed with this error number.
    case system(String, Int32)

    /// The path of the file.
    public var path: String {
        switch self {
        case .denied(let path, _, _), .damaged(let path), .foreign(let path), .notSealed(let path), .closed(let path),
            .noKeyYet(let path), .device(let path, _), .system(let path, _):
            path
        }
    }
}

extension FileError: CustomStringConvertible {
    /// The reason, and what to do about it.
    public var description: String {
        switch self {
        case .denied(_, let rule, _): "\(path): \(rule.summary) (\(rule.identifier)); \(rule.remedy.text)"
        case .damaged: "\(path): the file is truncated or was changed; restore it from a copy"
        case .foreign: "\(path): another device sealed this file, or this one did before it was erased"
        case .notSealed: "\(path): this file is not sealed; write it again through LatchkeyFiles"
        case .closed: "\(path): the file is closed; open it again"
        case .noKeyYet:
            "\(path): the device has no key for new files while it is locked; use its folder once while it is unlocked"
        case .device(_, let reason): "\(path): the device cannot be asked for the key: \(reason)"
        case .system(_, let code): "\(path): \(SystemError(code))"
        }
    }
}
