internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText

/// The checks of the disk that a vault is on.
enum DiskExamination {
    /// The bytes below which a disk counts as full: some changes of a vault may fail.
    private static let little: UInt64 = 1 << 20

    static func findings(ofVaultAt folder: String) -> [DoctorFinding] {
        guard let room = DiskRoom(ofVaultAt: folder) else { return [] }
        if !room.isReserveWhole {
            return [
                .bad(
                    "disk", "\(words(room.free)) free, and \(room.reserveWords) for unlocking are left",
                    fix: "free 1 MiB on the disk of \(folder); the next unlock sets the room aside again")
            ]
        }
        if room.free < little {
            return [
                .bad(
                    "disk",
                    "\(words(room.free)) free: nothing can be saved or deleted; \(words(UInt64(room.reserve))) set aside for unlocking "
                        + "last for some dozens of unlocks",
                    fix: "free 1 MiB on the disk of \(folder)")
            ]
        }
        return [.good("disk", "\(words(room.free)) free, and \(words(UInt64(room.reserve))) set aside for unlocking")]
    }

    /// Returns a size as people read it, rounded down.
    private static func words(_ bytes: UInt64) -> String {
        let unit = [(30, "GiB"), (20, "MiB")].first { bytes >> UInt64($0.0) > 0 } ?? (10, "KiB")
        return "\(bytes >> UInt64(unit.0)) \(unit.1)"
    }
}
