public import KeyKit
public import SodiumKit

/// A reason why a vault refused or could not do something. The description says what happened and what to do next.
public enum VaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason why a path cannot be trusted.
    public enum PathFault: Hashable, Sendable {
        /// It is a symbolic link.
        case symlink
        /// It belongs to the user with this number, who is not the one who opens the vault.
        case owner(UInt32)
        /// Other users have rights to it. The value is its mode.
        case mode(UInt32)
        /// It is not the kind of file that belongs there.
        case kind
        /// Other users can write to this folder above it, and so replace it.
        case openParent(String)
    }

    /// The part of a vault or a backup that is damaged.
    public enum Part: Hashable, Sendable {
        /// A file as a whole, with its path and the fault.
        case file(String, String)
        /// The keybag: the sealed keys and the state of the device.
        case keybag
        /// The copy of the settings under a key of the root.
        case settings
        /// The ledger, which holds the sealed sum over all items.
        case ledger
        /// The item in this row.
        case item(Int64)
        /// The audit log from this record on.
        case audit(Int64)
        /// A backup at this record.
        case backup(Int)
        /// The file of a transfer at this path.
        case transfer(String)
    }

    /// There is no vault at this path.
    case noVault(String)
    /// The path exists already, and nothing is replaced.
    case alreadyThere(String)
    /// The path cannot be trusted.
    case unsafePath(String, PathFault)
    /// The vault has no device file.
    case noDeviceFile(String)
    /// The file is not the database of a vault.
    case foreign(String)
    /// The file was written by a newer version of Latchkey, in a format that this version does not know.
    case newer(String, found: Int, known: Int)
    /// Version 0.1 of Latchkey wrote this vault, backup or transfer.
    case ofVersion01(String)
    /// A part of the vault or the backup is damaged.
    case damaged(Part)
    /// Another program changed the settings of the vault without its passcode. The vault has put back those that its
    /// owner chose, and is closed.
    case settingsChanged(SettingsChange)
    /// The database is older than a state that the device file, or this process, has seen.
    case olderCopy(String)
    /// Another program holds the lock on the vault for too long.
    case busy(String)
    /// Another passcode for this vault is being checked.
    case attemptUnderWay(String)
    /// The disk or a quota is full.
    case full(String)
    /// The disk or a quota is full, and the room that is set aside for unlocking is used up as well.
    case reserveUsedUp(String)
    /// The file cannot be written to, for example on a read-only file system.
    case readOnly(String)
    /// The mode of the file or folder keeps the user from reading and writing it.
    case notWritable(String, mode: UInt32, isFolder: Bool)
    /// The file has reached the process's limit for file sizes.
    case fileSizeLimit(String)
    /// A system call or SQLite failed with this code.
    case system(String, code: Int32, text: String)
    /// There is no guarded memory, or libsodium could not be started.
    case memory(SodiumError)
    /// The vault is closed.
    case closed
    /// Another item has the row that belongs to this item's primary key.
    case rowTaken
    /// The audit log cannot be written, so no more requests are answered.
    case auditFull
    /// The limit of the audit log is outside of ``AuditSize/range``.
    case auditSize(Int64)
    /// A passcode or passphrase of this many bytes is empty, is too long, or contains a zero byte.
    case passcodeLength(Int)
    /// A secret of this many bytes is too large.
    case secretTooLarge(Int)
    /// A secret would have more fields than this limit.
    case tooManyFields(limit: Int)
    /// The secret has no such former version.
    case noFormerVersion
    /// The attributes of an item have this many bytes, which is too many.
    case attributesTooLarge(Int)
    /// The operation would break a rule that every real vault keeps.
    case realVault(RealVaultRule)
    /// The event needs a passcode or an authenticator's result besides its name.
    case eventNeedsAuthentication
    /// The recovery key is wrong, or the vault has none.
    case wrongRecoveryKey
    /// The passphrase does not open the backup or the transfer at this path.
    case wrongPassphrase(String)
    /// The file is not a backup of a vault.
    case notABackup(String)
    /// The file is not the transfer of a vault.
    case notATransfer(String)
    /// The code does not show that another machine has received all secrets of this vault.
    case wrongRetirementCode
    /// The context belongs to another vault.
    case foreignContext
    /// The sensor's enrolled set has to be read before this can be decided.
    case sensorUnasked
    /// A private key could not be generated, or these bytes are none that this vault sealed.
    case key(KeyError)

    /// A rule that every real vault keeps.
    public enum RealVaultRule: Hashable, Sendable {
        /// It always has a passcode.
        case passcode
        /// Passcodes and passphrases are stretched at a cost that makes guessing slow.
        case cost
        /// Its backups are sealed under a passphrase.
        case passphrase
        /// The machine's clock keeps its time.
        case clock
    }

    /// The error in words: what happened, and what to do next.
    public var description: String {
        switch self {
        case .noVault(let path):
            "there is no vault at \(path): create one with `latchkey init`, or name the folder of an existing one"
        case .alreadyThere(let path):
            "\(path) already exists, and nothing is replaced: choose a path that does not exist yet"
        case .unsafePath(let path, let fault): "\(path) \(fault.description)"
        case .noDeviceFile(let path):
            "the device file \(path) is missing, and nothing opens the vault without it: put it back, or restore a "
                + "backup into a new vault"
        case .foreign(let path):
            "\(path) is not a vault, and nothing was changed: name the folder that a vault was created in"
        case .newer(let path, let found, let known):
            "\(path) was written by a newer version of Latchkey, and nothing was changed: use that version (it wrote "
                + "format \(found), and this one reads up to \(known))"
        case .ofVersion01(let path):
            "\(path) was written by Latchkey 0.1, and this version does not read it: open or restore it with Latchkey 0.1, "
                + "run `latchkey export` there, and `latchkey import` here"
        case .damaged(let part): part.description
        case .settingsChanged(let change): change.description
        case .olderCopy(let path):
            "\(path) is an older copy of a database that has changed since: put the latest copy back, or restore a "
                + "backup into a new vault"
        case .busy(let path):
            "another program is writing to \(path) and has not finished: try again, or end that program"
        case .attemptUnderWay(let path):
            "another passcode for \(path) is being checked: try again in a moment"
        case .full(let path):
            "no space is left for \(path), and nothing was changed: free some space, then try again"
        case .reserveUsedUp(let path):
            "no space is left for \(path), and the room that the vault sets aside for unlocking is used up too: free 1 MiB "
                + "on its disk, then try again"
        case .readOnly(let path): "\(path) cannot be written to: mount its file system for writing"
        case .notWritable(let path, let mode, let isFolder):
            "you have no right to read and write \(path) (mode \(String(mode, radix: 8))): run "
                + "`chmod \(isFolder ? "u+rwx" : "u+rw") \(path)`"
        case .fileSizeLimit(let path):
            "\(path) has reached the limit for the size of a file, and nothing was changed: raise it with `ulimit -f`, "
                + "then run `latchkey agent stop`"
        case .system(let path, _, let text):
            "\(path): \(text). Check that it exists and that you may read and write it"
        case .memory(let error): error.description
        case .closed: "the vault was closed: open it again"
        case .rowTaken:
            "another item already has this item's row, by a chance of one in 9,000,000,000,000,000,000: choose another "
                + "account or service"
        case .auditFull:
            "the audit log cannot be written, and a request that cannot be recorded is refused: free space on the "
                + "disk, or end the program that holds the vault"
        case .auditSize(let bytes):
            "\(bytes) bytes cannot be the limit of the audit log: choose one from 1 MiB to 1 TiB"
        case .passcodeLength(let count):
            "a passcode or a passphrase has 1 to 511 bytes and no zero byte; this one has \(count) bytes"
        case .secretTooLarge(let count): "a secret has at most 64 MiB; this one has \(count) bytes"
        case .tooManyFields(let limit): "a secret has at most \(limit) fields: remove one first"
        case .noFormerVersion: "the secret has no such former version: see `latchkey history`"
        case .attributesTooLarge(let count): "the attributes of an item have at most 1 MiB; these have \(count) bytes"
        case .realVault(.passcode):
            "a real vault always has a passcode: set or change the passcode, or use a simulated device"
        case .realVault(.cost):
            "a real vault and its backups need the cost moderate or sensitive: choose one of the two"
        case .realVault(.clock): "the machine's clock keeps the time of a real vault: wait, or use a simulated device"
        case .realVault(.passphrase): "a backup of a real vault needs a passphrase: give one"
        case .eventNeedsAuthentication:
            "this event needs a passcode or an authenticator's result: use the function for this event"
        case .wrongRecoveryKey:
            "the recovery key does not open this vault: check every letter, and that it is the latest key"
        case .wrongPassphrase(let path): "the passphrase does not open \(path): check it, then try again"
        case .notABackup(let path):
            "\(path) is not a backup of a vault: name a file that `latchkey backup` wrote"
        case .notATransfer(let path):
            "\(path) is not the transfer of a vault: name a file that `latchkey transfer` wrote"
        case .wrongRetirementCode:
            "this is not the code for this vault as it is now, and nothing was changed: check every letter, and that this is "
                + "the old machine; if a secret, the passcode or a finger has changed since the transfer, transfer again"
        case .sensorUnasked:
            "the sensor's enrolled set has to be read before this is decided: use a keychain, which reads it"
        case .foreignContext: "the context was made on another vault: make one on this vault"
        case .key(let error): error.description
        }
    }
}

extension VaultError.PathFault: CustomStringConvertible {
    /// The fault in words, as the end of a sentence that begins with the path.
    public var description: String {
        switch self {
        case .symlink: "is a symbolic link: use the path that it points to"
        case .owner(let user):
            "belongs to user \(user), and a vault must belong to the user who opens it: open it as that user, or "
                + "change its owner with `chown`"
        case .mode(let mode):
            "is open to other users (mode \(String(mode, radix: 8))): remove their rights with `chmod go=`"
        case .kind: "is not the kind of file that belongs there: move it away"
        case .openParent(let parent):
            "is inside \(parent), which other users can write to: run `chmod go-w \(parent)`, or choose another folder"
        }
    }
}

extension VaultError.Part: CustomStringConvertible {
    /// The damaged part in words, with what to do next.
    public var description: String {
        let advice =
            ", and nothing was changed: put back a copy of the vault's folder, or restore a backup into a new vault"
        return switch self {
        case .file(let path, let detail): "\(path) is damaged (\(detail))\(advice)"
        case .keybag:
            "the sealed keys do not open with this device file (one of them is damaged, or from another vault)\(advice)"
        case .settings:
            "another program has changed the settings of the vault without its passcode, and no copy shows what you chose: "
                + "the vault stays locked; put back a copy of its folder, or restore a backup into a new vault"
        case .ledger: "the ledger, which seals the sum over all items, is damaged\(advice)"
        case .item(let row): "the item in row \(row) is damaged\(advice)"
        case .audit(let record): "the audit log is damaged from record \(record) on\(advice)"
        case .backup(let record):
            "the backup is damaged at record \(record), and nothing was changed: use another copy of it"
        case .transfer(let path):
            "\(path) is damaged or was cut off, and nothing was changed: use another copy of it, or transfer the vault again"
        }
    }
}
