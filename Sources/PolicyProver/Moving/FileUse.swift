internal import AccessPolicy
internal import DeviceModel

/// A use that a person makes of a file.
public enum FileUse: UInt8, CaseIterable, Sendable {
    /// Has the app read the file.
    case read = 0
    /// Takes the content of the file out of the backup.
    case readInBackup = 1
    /// Has the app create a file of the class, or replace the file by a new one.
    case create = 2
    /// Has the app write to the file.
    case append = 3
    /// Has the app delete the file.
    case delete = 4
    /// Ends the app, which closes the file.
    case close = 5
}

/// The answer to a use of a file.
enum FileOutcome {
    /// The engine decides the access.
    case decided(FileAccess, FileDecision)
    /// It takes a backup that has the file and that the person can open.
    case backup(isOpen: Bool)
    /// It takes the unlocked device, and a file that is open.
    case unlockedDevice(isReached: Bool)
    case missing
    /// The file belongs to another app than the one that the person asks through.
    case otherApps

    /// True if the use succeeds.
    var isGranted: Bool {
        switch self {
        case .decided(_, let decision): decision.isGranted
        case .backup(let isOpen): isOpen
        case .unlockedDevice(let isReached): isReached
        case .missing, .otherApps: false
        }
    }
}

extension Situation {
    /// Returns the answer to a use of the file at this index by `actor`.
    ///
    /// The file belongs to the app, so a person who asks through another app never gets it there. Everyone else who can
    /// make the app ask gets what `decide` grants to the app. That includes a file that the app holds open.
    func answer(to use: FileUse, of place: Int, by actor: Actor) -> FileOutcome {
        let file = world.files[place]
        let access: FileAccess
        switch use {
        case .readInBackup: return .backup(isOpen: file.hasCopy && actor.opensBackup(in: self))
        case .create: access = .create(file.protection)
        case .read, .append: access = file.isOpen ? .use(file.protection) : .open(file.protection)
        case .delete: access = .manage(file.protection)
        case .close:
            return .unlockedDevice(isReached: file.isOpen && !world.device.isLocked && actor.canAsk(in: self))
        }
        if actor.profile.asksFromOtherGroup { return .otherApps }
        if !actor.canAsk(in: self) || (!file.isPresent && use != .create) { return .missing }
        return .decided(access, decide(access, under: world.device.conditions()))
    }

    /// Makes a use of a file, and returns true if it succeeded.
    mutating func perform(_ use: FileUse, of place: Int, by actor: Actor) -> Bool {
        guard answer(to: use, of: place, by: actor).isGranted else { return false }
        switch use {
        case .read, .readInBackup, .create, .append: break  // No move depends on these: they are last steps.
        case .delete: world.files[place].clear()
        case .close: world.files[place].isOpen = false
        }
        return true
    }
}

extension Actor {
    /// Returns true if they have a backup and can open it.
    ///
    /// Everyone who makes or restores backups has the last one. An owner never takes anything from a backup that the attacker
    /// made.
    fileprivate func opensBackup(in situation: Situation) -> Bool {
        guard let backup = situation.world.backup, !situation.isBackupAttackers else { return false }
        let hasBackup = profile.holds == .backup || !profile.can.intersection([.backUp, .restore]).isEmpty
        return hasBackup && (!backup.isEncrypted || person(in: situation).knowsBackupPassword)
    }
}
