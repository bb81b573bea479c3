internal import Glibc

/// The outcome of removing a key from every file system.
package enum KeyRemovalEverywhere: Hashable, Sendable {
    /// The key is gone, with everything that it decrypted.
    case removed
    /// No file system had such a key.
    case absent
    /// Something keeps files readable.
    case remains(KeyHolders)
    /// The file system at this mount point may have the key, and cannot be asked.
    case unreached(String, SystemError)
}

extension FolderKeys {
    /// Takes a key back from every mounted file system that may have it.
    ///
    /// It needs no path of the folder, which may have been renamed, and looks at none before each mount point was tried: a path
    /// may lead to a file system that never answers.
    ///
    /// - Parameters:
    ///   - hint: A path on the file system. It counts if the user may not read the top folder of a file system.
    ///   - device: The number of its device, as ``device(of:)`` returns it; nil if any file system may have the key.
    package static func removeEverywhere(
        _ identifier: FolderKeyIdentifier, hint: String, device wanted: String? = nil
    ) -> KeyRemovalEverywhere {
        guard let mounts else { return .unreached("/", SystemError(EIO)) }
        var outcome = KeyRemovalEverywhere.absent
        var unreached: [(device: String, mountPoint: String, error: SystemError)] = []
        for (device, mountPoints) in mounts {
            var last = SystemError(ENOENT)
            var isAsked = false
            for mountPoint in mountPoints where !isAsked {
                do {
                    try outcome.add(remove(identifier, from: mountPoint, on: device))
                    isAsked = true
                } catch {
                    last = error
                }
            }
            if !isAsked && wanted.map({ $0 == device }) ?? true { unreached.append((device, mountPoints[0], last)) }
        }
        for (device, mountPoint, error) in unreached {
            do throws(SystemError) {
                guard let above = SystemPath.split(hint)?.above else { throw error }
                try outcome.add(remove(identifier, from: above.isEmpty ? "/" : above, on: device))
            } catch {
                if case .absent = outcome { outcome = .unreached(mountPoint, error) }
            }
        }
        return outcome
    }

    /// Returns true if a mounted file system has this key from this user. It looks at mount points alone, and at the folder
    /// above `hint` if the user may read none of them.
    package static func isGivenByThisUser(_ identifier: FolderKeyIdentifier, hint: String) -> Bool {
        let above = SystemPath.split(hint).map { $0.above.isEmpty ? "/" : $0.above }
        let places = (mounts ?? []).flatMap(\.mountPoints) + [above].compactMap { $0 }
        return places.contains { place in
            if case .present(byThisUser: true, _) = try? state(of: identifier, at: place) { return true }
            return false
        }
    }

    /// Returns the number of the device at a path, as `mountinfo` has it; nil if nothing is there.
    package static func device(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let found = UInt64(status.st_dev)
        let (major, minor) = ((found >> 8) & 0xFFF | (found >> 32) & ~0xFFF, found & 0xFF | (found >> 12) & ~0xFF)
        return "\(major):\(minor)"
    }

    /// The mount points of each file system that can encrypt, by the number of its device; nil if the system does not tell.
    private static var mounts: [(device: String, mountPoints: [String])]? {
        let all = MountedFileSystem.all
        if all.isEmpty { return nil }
        var mounts: [(device: String, mountPoints: [String])] = []
        for mounted in all where ["ext4", "f2fs", "ubifs", "ceph"].contains(mounted.type) {
            if let known = mounts.firstIndex(where: { $0.device == mounted.deviceNumber }) {
                mounts[known].mountPoints.append(mounted.mountPoint)
            } else {
                mounts.append((mounted.deviceNumber, [mounted.mountPoint]))
            }
        }
        return mounts
    }

    /// Removes a key through a path. Throws `EXDEV` if that leads to another device.
    private static func remove(
        _ identifier: FolderKeyIdentifier, from path: String, on device: String
    ) throws(SystemError) -> KeyRemoval {
        guard let found = Self.device(of: path) else { throw .last }
        guard found == device else { throw SystemError(EXDEV) }
        do { return try remove(identifier, from: path) } catch {
            // Encryption is turned off on this file system, so it has no keys.
            guard [EOPNOTSUPP, ENOTTY].contains(error.code) else { throw error }
            return .absent
        }
    }
}

extension KeyRemovalEverywhere {
    /// Adds the outcome of one more file system. What remains counts more than what is gone.
    fileprivate mutating func add(_ removal: KeyRemoval) {
        switch (self, removal) {
        case (.remains(let one), .remains(let other)):
            self = .remains(
                KeyHolders(
                    openFiles: one.openFiles || other.openFiles, otherUsers: one.otherUsers || other.otherUsers))
        case (.remains, _), (.unreached, _), (_, .absent): break
        case (_, .remains(let holders)): self = .remains(holders)
        case (_, .removed): self = .removed
        }
    }
}
