internal import AgentProtocol
internal import FolderKit
internal import LatchkeyCLI
internal import LinuxSystem

/// The checks of protected folders, and of the file system that could have some.
enum FolderExamination {
    /// Returns whether folders of the user can be protected. A file system that cannot encrypt is no problem of a vault.
    static var ofHome: DoctorFinding {
        guard let home = SystemPath.variable("HOME"), let encryption = try? FolderKeys.encryption(of: home) else {
            return .off("folders", "your home cannot be checked")
        }
        switch encryption {
        case .plain, .encrypted: return .good("folders", "`latchkey folder protect` works in \(home)")
        case .foreign: return .off("folders", "\(home) is encrypted by another program already")
        case .unavailable(let trouble):
            return .off("folders", "cannot be protected in \(home): \(trouble.description)")
        }
    }

    static func findings(about reports: [EncryptedFolderReport]) -> [DoctorFinding] {
        reports.compactMap { report in
            let folder = report.folder
            switch report.state {
            case .open, .locked:
                guard folder.isMoving else { return nil }
                return .bad(
                    "folders", "\(folder.path) is being moved, or a command was interrupted",
                    fix: "if none is running, run `latchkey folder protect` on it again, or `latchkey folder unprotect`"
                )
            case .unreached:
                return .bad(
                    "folders", "\(folder.path) may be open: \(report.trouble ?? "its file system cannot be asked")",
                    fix: "allow yourself to read the top folder of that file system, or restart the machine")
            case .held:
                guard case .complete = folder.protection else { return nil }
                return .bad(
                    "folders", "\(folder.path) is locked, but programs keep its files open",
                    fix: "run `latchkey folder status`, and end the programs that it names")
            case .kept:
                return .bad(
                    "folders", "\(folder.path) stays open: another user has added its key",
                    fix: "as root, run `fscrypt lock --all-users`, or restart the machine")
            case .shared:
                return .bad(
                    "folders", "\(folder.path) stays open: another vault of yours has its key, and is unlocked",
                    fix: "lock that vault, or run `latchkey folder forget` there")
            case .plain:
                return .bad(
                    "folders", "\(folder.path) is not encrypted, because a command was interrupted",
                    fix: "run `latchkey folder protect` on it again, or `latchkey folder unprotect`")
            case .missing:
                return .bad(
                    "folders", "\(folder.path) is not there: \(report.trouble ?? "the disk may not be mounted")",
                    fix:
                        "mount its disk; if it was moved, run `latchkey folder protect` on its new place; if it is gone, "
                        + "`latchkey folder forget`")
            }
        }
    }
}
