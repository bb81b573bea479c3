/// The encryption of a folder by the kernel.
package enum FolderEncryption: Hashable, Sendable {
    /// It is not encrypted, and its file system could encrypt it.
    case plain
    /// It is encrypted by the key with this identifier, as Latchkey encrypts folders.
    case encrypted(FolderKeyIdentifier)
    /// It is encrypted in another way: by an older policy, or with other ciphers.
    case foreign
    /// It is not encrypted, and cannot be.
    case unavailable(EncryptionTrouble)
}

/// The reason why the kernel cannot encrypt a folder.
package struct EncryptionTrouble: Hashable, Sendable {
    /// The part that lacks encryption.
    package enum Cause: Hashable, Sendable {
        /// The kernel was built without it, at least for this type of file system.
        case kernel
        /// No kernel has it for this type of file system.
        case fileSystemType
        /// It is turned off on this file system. For ext4, `tune2fs -O encrypt DEVICE` turns it on.
        case feature
    }

    package let cause: Cause
    /// The file system; nil if the system does not tell.
    package let fileSystem: MountedFileSystem?
}

/// A file system and the folder at which it is mounted, as `/proc/self/mountinfo` describes them.
package struct MountedFileSystem: Hashable, Sendable {
    /// The type, such as `ext4`.
    package let type: String
    /// The device, such as `/dev/sda1`.
    package let device: String
    /// The path of the folder at which it is mounted.
    package let mountPoint: String
    /// The number of the device, such as `8:1`.
    package let deviceNumber: String
}
