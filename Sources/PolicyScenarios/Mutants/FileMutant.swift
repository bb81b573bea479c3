package import AccessPolicy

/// The class of a file and its exclusion from backups, changed in a single point.
package struct FileMutant: Hashable, Sendable {
    /// The changed choice.
    package let choice: FileChoice
    /// The effect of the change as a verb phrase, such as "is none instead of complete".
    package let words: String

    /// Returns every choice that differs from `choice` in the class or in the exclusion, each once.
    package static func all(of choice: FileChoice) -> [FileMutant] {
        let classes = FileProtection.allCases.filter { $0 != choice.protection }.map { protection in
            var other = choice
            other.protection = protection
            return FileMutant(choice: other, words: "is \(protection) instead of \(choice.protection)")
        }
        var flipped = choice
        flipped.isExcludedFromBackup.toggle()
        let words = choice.isExcludedFromBackup ? "is in backups" : "is not in backups"
        return classes + [FileMutant(choice: flipped, words: words)]
    }
}

/// The choices that an app makes about a file.
package struct FileChoice: Hashable, Sendable, CustomStringConvertible {
    package var protection: FileProtection
    /// True if backups leave the file out.
    package var isExcludedFromBackup: Bool

    package init(_ protection: FileProtection, isExcludedFromBackup: Bool = false) {
        self.protection = protection
        self.isExcludedFromBackup = isExcludedFromBackup
    }

    /// The choice in the words of reports, such as "complete, excluded from backups".
    package var description: String { protection.name + (isExcludedFromBackup ? ", excluded from backups" : "") }
}
