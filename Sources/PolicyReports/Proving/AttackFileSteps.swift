internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import ScenarioFormat

/// The declaration of a file and the uses of it in a story, as lines of a scenario.
struct AttackFileSteps {
    /// A step of a scenario.
    struct Line {
        let words: String
        let takesPerson: Bool
        let expected: String?
    }

    private let file: FileSetup
    /// The name of the file as a value.
    private let name: String

    init(_ file: FileSetup) {
        self.file = file
        // A lone dollar sign in a value would name a column.
        name = Quoting.yaml(file.name.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$"))
    }

    /// The key under which the scenario declares the file.
    var declaration: String {
        var fields = ["protection: \(file.protection)"]
        if file.isExcludedFromBackup { fields.append("excludedFromBackup: true") }
        if file.isOpen { fields.append("open: true") }
        return "files:\n  \(Quoting.yaml(file.name)): { \(fields.joined(separator: ", ")) }\n"
    }

    /// Returns the steps that play a use of the file, which comes out for this reason.
    func steps(_ use: FileUse, _ reason: Attack.Reason) -> [Line] {
        switch reason {
        case .decidedFile(let access, let rule):
            let isGranted = rule.facts.effect == .allows
            return [app(words(use, access), expecting: isGranted ? "granted" : rule.identifier)]
        case .fileMissing:
            // Only a look at the file can show that there is none.
            // The name is a key there, in which a dollar sign means nothing.
            let key = Quoting.yaml(file.name)
            return [Line(words: "expect: { files: { \(key): missing } }", takesPerson: false, expected: nil)]
        case .opensBackup:
            // A scenario reads a backup by restoring it onto another device.
            return [
                Line(words: "restore: anotherDevice", takesPerson: true, expected: nil),
                app("open: \(name)", expecting: "granted"),
            ]
        case .deviceUnlocked: return [app("close: \(name)", expecting: "granted")]
        case .otherAppsFile, .nothingNeeded, .settings, .protectedSettings, .knowsPasscode, .guesses, .knownFinger,
            .unknownFinger, .wearsCompanion, .decided, .account:
            return []  // A scenario has no step with which another app opens the file.
        }
    }

    private func words(_ use: FileUse, _ access: FileAccess) -> String {
        switch access {
        case .create: "write: \(name)"
        // A file that is open already is used without being opened again.
        case .use: "append: \(name)"
        case .open: use == .append ? "append: \(name)" : "open: \(name)"
        case .manage, .protect: "unlink: \(name)"
        }
    }

    private func app(_ words: String, expecting expected: String) -> Line {
        Line(words: words, takesPerson: false, expected: expected)
    }
}
