public import SodiumKit

/// Why the vault did nothing. Each says what is wrong with what, and the way out.
public enum VaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a path.
    public enum PathFault: Hashable, Sendable {
        /// It is a symbolic link.
        case symlink
        /// It belongs to somebody else.
        case owner(UInt32)
        /// Others may read or write it.
        case mode(UInt32)
        /// It is not the kind of file that it should be.
        case kind
        /// Others may write to a folder above it, and so replace it.
        case openParent(String)
    }

    /// What is damaged.
    public enum Part: Hashable, Sendable {
        /// A file as a whole.
        case file(String, String)
        /// The sealed keys and the state of the device.
        case keybag
        /// The sealed sum over all items.
        case ledger
        /// An item, by its row.
        case item(Int64)
        /// The audit log, from this record on.
        case audit(Int64)
        /// A backup, at this record.
        case backup(Int)
    }

    /// There is no vault.
    case noVault(String)
    /// There is something already.
    case alreadyThere(String)
    /// A path cannot be trusted.
    case unsafePath(String, PathFault)
    /// The device file is missing.
    case noDeviceFile(String)
    /// The file is something else than a vault.
    case foreign(String)
    /// The vault was written by a newer version.
    case newer(String, found: Int, known: Int)
    /// Something is damaged.
    case damaged(Part)
    /// The database is older than what the device file has seen.
    case olderCopy(String)
    /// Somebody else holds the vault.
    case busy(String)
    /// The passcode of another user is being checked.
    case attemptUnderWay(String)
    /// The disk is full.
    case full(String)
    /// The file system cannot be written to.
    case readOnly(String)
    /// Its own mode keeps the user from reading and writing it.
    case notWritable(String, mode: UInt32, isFolder: Bool)
    /// The process may write no larger files.
    case fileSizeLimit(String)
    /// The system refused.
    case system(String, code: Int32, text: String)
    /// Guarded memory or a primitive is not to be had.
    case memory(SodiumError)
    /// The vault was closed.
    case closed
    /// Two primary keys have come to the same row.
    case rowTaken
    /// The audit log has no room and cannot be written out.
    case auditFull
    /// The limit of the audit log is not one that it can have.
    case auditSize(Int64)
    /// A passcode is too short or too long.
    case passcodeLength(Int)
    /// A secret is too large.
    case secretTooLarge(Int)
    /// The names of an item are too large.
    case attributesTooLarge(Int)
    /// A real vault cannot do without this.
    case realVault(RealVaultRule)
    /// The event needs more than its name: a passcode, or an authenticator's result.
    case eventNeedsAuthentication
    /// The recovery key is wrong, or the vault has none.
    case wrongRecoveryKey
    /// The passphrase of a backup is wrong.
    case wrongPassphrase(String)
    /// The file is no backup.
    case notABackup(String)
    /// The context belongs to another vault.
    case foreignContext
    /// Whom the sensor knows has to be asked before this can be decided.
    case sensorUnasked

    /// What a real vault insists on.
    public enum RealVaultRule: Hashable, Sendable {
        /// A passcode.
        case passcode
        /// A cost that stands a guess.
        case cost
        /// Backups under a passphrase.
        case passphrase
        /// Time that goes by itself.
        case clock
    }

    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .noVault(let path): "there is no vault at \(path): create one, or name the folder that holds it"
        case .alreadyThere(let path):
            "there is something at \(path) already, and nothing is replaced: name what does not exist yet"
        case .unsafePath(let path, let fault): "\(path) \(fault.description)"
        case .noDeviceFile(let path):
            "the device file \(path) is missing: put it back; without it only a backup brings the items back"
        case .foreign(let path):
            "\(path) is not a vault: nothing was changed; name the folder that a vault was created in"
        case .newer(let path, let found, let known):
            "\(path) was written by a newer version (schema \(found), this one knows \(known)): nothing was changed; use "
                + "the newer version"
        case .damaged(let part): part.description
        case .olderCopy(let path):
            "\(path) is an older copy: the device file has seen later changes. Put the latest copy back; to go on with the "
                + "older one, restore a backup into a new vault"
        case .busy(let path):
            "another program is writing to \(path) and does not finish: try again, or end that program"
        case .attemptUnderWay(let path):
            "another passcode for \(path) is being judged, and that takes its time: try again in a moment"
        case .full(let path): "no room is left for \(path): nothing was changed; free some and try again"
        case .readOnly(let path): "\(path) cannot be written to: mount its file system for writing"
        case .notWritable(let path, let mode, let isFolder):
            "\(path) cannot be written to (mode \(String(mode, radix: 8))): chmod \(isFolder ? "u+rwx" : "u+rw") \(path)"
        case .fileSizeLimit(let path):
            "\(path) has come to the limit for the size of a file, and nothing was changed: raise it (ulimit -f), then "
                + "latchkey agent stop"
        case .system(let path, _, let text):
            "\(path): \(text); see that it is there, and that you may read and write it"
        case .memory(let error): error.description
        case .closed: "the vault was closed: open it again"
        case .rowTaken:
            "the place of this item is taken by another, a coincidence of one in 9,000,000,000,000,000,000: choose another "
                + "account or service"
        case .auditFull:
            "the audit log cannot be written, and what is not recorded is not released: free room on the disk, or end the "
                + "program that holds the vault"
        case .auditSize(let bytes): "the audit log can be limited to 1 MiB up to 1 TiB, and not to \(bytes) bytes"
        case .passcodeLength(let count):
            "a passcode or a passphrase has 1 to 511 bytes and no zero byte; this one has \(count)"
        case .secretTooLarge(let count): "a secret has at most 64 MiB; this one has \(count) bytes"
        case .attributesTooLarge(let count): "the attributes of an item have at most 1 MiB; these have \(count) bytes"
        case .realVault(.passcode): "a real vault always has a passcode: change it instead"
        case .realVault(.cost): "a real vault takes the cost moderate or sensitive"
        case .realVault(.clock): "the time of a real vault goes by itself: wait, or use a simulated device"
        case .realVault(.passphrase): "a backup of a real vault lies under a passphrase: give one"
        case .eventNeedsAuthentication:
            "this event takes more than its name, such as a passcode or a judge's result: use the call that is made for it"
        case .wrongRecoveryKey: "the recovery key does not open this vault: check it letter by letter"
        case .wrongPassphrase(let path): "the passphrase does not open the backup \(path)"
        case .notABackup(let path): "\(path) is not a backup of a vault"
        case .sensorUnasked: "the sensor has to be asked whom it knows before this is decided: ask through a keychain"
        case .foreignContext: "the context was made on another vault: make one on this vault"
        }
    }
}

extension VaultError.PathFault: CustomStringConvertible {
    /// What is wrong with the path, as the end of a sentence that begins with it.
    public var description: String {
        switch self {
        case .symlink: "is a symbolic link: name the place that it leads to"
        case .owner(let user): "belongs to user \(user): a vault belongs to the one who opens it"
        case .mode(let mode):
            "is open to others (mode \(String(mode, radix: 8))): take their rights away with chmod go="
        case .kind: "is not the kind of file that belongs there: move it away"
        case .openParent(let parent):
            "lies below \(parent), which others may write to: chmod go-w \(parent), or choose another folder"
        }
    }
}

extension VaultError.Part: CustomStringConvertible {
    /// What is damaged, and the way out.
    public var description: String {
        let wayOut = "restore it from a copy or a backup; nothing was changed"
        return switch self {
        case .file(let path, let detail): "\(path) is damaged (\(detail)): \(wayOut)"
        case .keybag:
            "the sealed keys do not open with this device file: one of the two is damaged or from elsewhere; \(wayOut)"
        case .ledger: "the sealed sum over all items is damaged: \(wayOut)"
        case .item(let row): "the item in row \(row) is damaged: \(wayOut)"
        case .audit(let record): "the audit log is damaged from record \(record) on: \(wayOut)"
        case .backup(let record): "the backup is damaged at record \(record): take another copy; nothing was changed"
        }
    }
}
