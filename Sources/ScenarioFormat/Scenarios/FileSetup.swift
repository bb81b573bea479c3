package import AccessPolicy

/// A file that exists at the beginning of a scenario, or that a step may create.
package struct FileSetup: Sendable {
    /// The name by which steps refer to the file.
    package var name: String
    /// The place of the name in the file of the scenario.
    package var position: Position
    /// The class of the file, until a step names another.
    package var protection: FileProtection
    /// True if backups leave the file out.
    package var isExcludedFromBackup: Bool
    /// True if the file exists at the beginning.
    package var isStored: Bool
    /// True if the app holds the file open at the beginning.
    package var isOpen: Bool

    package init(
        name: String, position: Position, protection: FileProtection, isExcludedFromBackup: Bool = false,
        isStored: Bool = true, isOpen: Bool = false
    ) {
        self.name = name
        self.position = position
        self.protection = protection
        self.isExcludedFromBackup = isExcludedFromBackup
        self.isStored = isStored
        self.isOpen = isOpen
    }
}

/// The state of a file after a step.
package enum FileState: String, CaseIterable, Sendable {
    /// The file exists.
    case stored
    /// The file does not exist.
    case missing
}

/// A call on a file that the scenario declares.
package struct FileRequest: Sendable {
    /// The kind of call.
    package enum Action: Hashable, Sendable {
        /// A new file takes the place of the file. Without a class, it has that of the former file.
        case write(FileProtection?)
        /// The file is created, and stays open. Without a class, it has the declared one.
        case begin(FileProtection?)
        /// The file is opened and read, and stays open.
        case open
        /// The file is written to.
        case append
        case close
        /// The file takes the place of the file at this index.
        case rename(to: Int)
        /// The file moves to another class.
        case protect(as: FileProtection)
        /// The file is excluded from backups.
        case exclude
        /// The file is deleted.
        case unlink
    }

    /// The index of the file.
    package var file: Int
    package var action: Action
}
