internal import Glibc

/// The room on the disk of a vault: what is free, and what the file `reserve` of the vault holds back.
package struct DiskRoom: Hashable, Sendable {
    /// The name of the file in the folder of the vault.
    package static let reserveName = "reserve"
    /// The full size of the file in bytes: the index of SQLite's log, a log of some commits, and the pages by which the
    /// database grows.
    package static let reserveSize = 192 * 1024

    /// The bytes that the user's programs can still write.
    package let free: UInt64
    /// The bytes of the reserve that are there.
    package let reserve: Int
    /// True if the reserve has its full size.
    package var isReserveWhole: Bool { reserve >= Self.reserveSize }
    /// True if there is no room for a change: it would have to take that of the reserve, or the pages by which a small one grows
    /// the files do not fit.
    package var isFull: Bool { free < max(64 * 1024, UInt64(Self.reserveSize - reserve)) }

    /// Reads the room on the disk of the vault in this folder, without opening the vault. Returns nil if the file
    /// system does not say it.
    package init?(ofVaultAt folder: String) {
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return nil }
        free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        var status = stat()
        let isThere = lstat("\(folder)/\(Self.reserveName)", &status) == 0
        reserve = isThere ? min(Int(status.st_size), Self.reserveSize) : 0
    }
}
