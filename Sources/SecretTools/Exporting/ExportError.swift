package import LinuxSystem
internal import PlainText
package import SodiumKit

/// An error that ends an export. It contains no part of a secret.
package enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The password store names no recipients.
    case noRecipient(String)
    /// The password store names its own recipients, so others are not accepted.
    case ownRecipients(String)
    /// A file cannot be read.
    case unreadable(String, SystemError)
    /// A file or folder cannot be written.
    case unwritable(String, SystemError)
    /// A program cannot be started, or failed.
    case program(ImportError)
    /// Guarded memory is not available.
    case memory(SodiumError)

    /// The mistake, and how to correct it.
    package var description: String {
        switch self {
        case .noRecipient(let folder):
            "\(Terminal.line(folder)) names no recipient in .gpg-id: add --recipient KEY, with a key that `gpg --list-keys` "
                + "shows"
        case .ownRecipients(let folder):
            "\(Terminal.line(folder)) names its recipients in .gpg-id: leave out --recipient, or choose another folder"
        case .unreadable(let path, let error):
            "\(Terminal.line(path)) cannot be read (\(error)): make it readable, or choose another folder"
        case .unwritable(let path, let error):
            "\(Terminal.line(path)) cannot be written (\(error)): choose another path"
        case .program(let error): error.description
        case .memory(let error): error.description
        }
    }
}
