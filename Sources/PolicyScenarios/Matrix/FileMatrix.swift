package import AccessPolicy
internal import DeviceModel

/// A table of what happens to a file of each protection class in each condition of its device, as `decide` answers.
package struct FileMatrix: Hashable, Sendable {
    /// An access to a file: a table of its own in a report.
    package enum Use: Hashable, Sendable {
        /// Create a file, or replace one by a new file.
        case create
        /// Open a file, to read or to write.
        case open
        /// Read or write a file that is open.
        case use
        /// Look at the name and attributes, rename or delete.
        case manage
        /// Move a file to this class.
        case protect(as: FileProtection)

        package static let all: [Use] =
            [.create, .open, .use, .manage] + FileProtection.allCases.map { .protect(as: $0) }

        /// The word for the access in reports for programs.
        package var word: String {
            switch self {
            case .create: "create"
            case .open: "open"
            case .use: "use"
            case .manage: "manage"
            case .protect: "protect"
            }
        }

        /// Returns the access to a file of this class; nil if the file has the class already.
        func access(to protection: FileProtection) -> FileAccess? {
            switch self {
            case .create: .create(protection)
            case .open: .open(protection)
            case .use: .use(protection)
            case .manage: .manage(protection)
            case .protect(let next): next == protection ? nil : .protect(protection, as: next)
            }
        }
    }

    package let device: MatrixDevice
    /// The conditions that can occur on the device, one row each.
    package private(set) var conditions: [MatrixCondition] = []
    private var answers: [FileProtection: [[Use: FileRule]]] = [:]

    package init(on device: MatrixDevice) {
        self.device = device
        let begin = MatrixStage(MatrixPolicy(AccessControl(.always)), device)
        for condition in MatrixCondition.allCases where condition.bearsOnFiles {
            var stage = begin
            condition.arrange(&stage)
            guard stage.couldHappen else { continue }
            conditions.append(condition)
            stage.welcome(.owner)
            let now = stage.conditions
            for protection in FileProtection.allCases {
                var row: [Use: FileRule] = [:]
                for use in Use.all {
                    row[use] = use.access(to: protection).map { decide($0, under: now).rule }
                }
                answers[protection, default: []].append(row)
            }
        }
    }

    /// Returns the rule that answers an access to a file of this class in `condition`; nil if the device never meets
    /// the condition, or the access makes no sense.
    package func rule(
        _ use: Use, of protection: FileProtection, in condition: MatrixCondition
    ) -> FileRule? {
        guard let row = conditions.firstIndex(of: condition) else { return nil }
        return answers[protection]?[row][use]
    }

    /// Returns which accesses to a file of this class are granted, condition by condition. Moves to other classes are
    /// left out, because they follow from the rest.
    func answers(of protection: FileProtection) -> [[Bool]] {
        conditions.map { condition in
            [Use.create, .open, .use, .manage].map { rule($0, of: protection, in: condition)?.facts.effect == .allows }
        }
    }
}

extension MatrixCondition {
    /// True if the condition can make a difference to a file. The class of a file depends on the lock alone, and no
    /// prompt opens it.
    fileprivate var bearsOnFiles: Bool {
        switch self {
        case .unlocked, .lockedInGrace, .locked, .lockedThenUnlocked, .lockedFromAfarThenUnlocked, .restarted,
            .restartedThenUnlocked, .lockedAfterFirstUnlock, .passcodeRemoved, .passcodeSetAnew:
            true
        case .unlockedForAWeek, .background, .lockedForDaysThenUnlocked, .anotherEnrolled, .thiefEnrolled,
            .enrolledAnew, .nobodyEnrolled, .sensorReset, .matchesFailed, .permissionRefused, .passcodeDelayed,
            .passcodeDisabled, .passcodeChanged, .companionAway, .companionLocked, .companionUnpaired,
            .wrongApplicationPassword, .noApplicationPassword, .otherApp, .appReinstalled, .restoredHere,
            .restoredElsewhere, .restoredEncryptedHere, .restoredEncryptedElsewhere:
            false
        }
    }
}
