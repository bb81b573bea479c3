internal import AccessPolicy
internal import PlainText
package import PolicyProver

/// The description of a profile: an attacker or an owner.
package struct ProfilePage: Sendable {
    package let profile: Profile

    package init(_ profile: Profile) { self.profile = profile }

    private var knows: [String] {
        profile.knows.map { known in
            switch known {
            case .passcode: "the passcode"
            case .applicationPassword: "the application password"
            case .backupPassword: "the password of the backup"
            case .appleAccount: "the password of the Apple Account"
            case .otherPasscode: "the passcode of the owner's other device"
            }
        }
    }

    private var carries: [String] {
        profile.carries.map { belonging in
            switch belonging {
            case .ownFinger: "a finger that is not enrolled"
            case .ownersFinger: "the owner's finger"
            case .ownersCompanion: "the owner's watch"
            case .ownCompanion: "another watch"
            case .ownDevice: "a device of their own"
            }
        }
    }

    private var holds: String {
        let hold =
            switch profile.holds {
            case .unlocked: "unlocked"
            case .locked: "locked"
            case .poweredOff: "switched off"
            case .backup: "not at all; they have an encrypted backup and another device"
            case .erased: "erased"
            case .nothing: "not at all"
            }
        return profile.time.map { "\(hold), for \($0.milliseconds / 60_000) minutes" } ?? hold
    }

    private var can: [String] {
        profile.can.map { ability in
            switch ability {
            case .guess: "guess passcodes"
            case .tryFinger: "try a finger"
            case .lock: "lock the device"
            case .reboot: "restart the device"
            case .wait: "wait"
            case .enroll: "enroll a finger"
            case .remove: "remove enrollments"
            case .changePasscode: "change the passcode"
            case .removePasscode: "remove the passcode"
            case .pair: "pair a watch"
            case .permit: "let an app use biometry"
            case .backUp: "make a backup"
            case .restore: "restore a backup"
            case .erase: "erase the device"
            }
        } + (profile.asksFromOtherGroup ? ["use an app of another access group"] : [])
    }

    private static func words(_ list: [String]) -> String { list.isEmpty ? "nothing" : list.joined(separator: ", ") }

    /// Returns descriptions as text for a terminal.
    package static func table(_ pages: [ProfilePage], colored: Bool) -> String {
        pages.map { page in
            var table = TextTable()
            for (name, words) in [
                ("knows", Self.words(page.knows)), ("carries", Self.words(page.carries)),
                ("get the device", page.holds), ("can", Self.words(page.can)),
            ] {
                table.rows.append([.init("  " + name, .faint), .init(words)])
            }
            var heading = TextTable()
            heading.rows.append([.init(page.profile.name, .heading), .init(page.profile.summary)])
            return heading.text(colored: colored) + table.text(colored: colored)
        }.joined(separator: "\n")
    }

    /// Returns descriptions as a Markdown table.
    package static func markdown(_ pages: [ProfilePage]) -> String {
        let head = ["profile", "description", "knows", "carries", "get the device", "can"]
        let rows = pages.map { page in
            [
                "`\(page.profile.name)`", page.profile.summary, words(page.knows), words(page.carries), page.holds,
                words(page.can),
            ]
        }
        return ([head, head.map { _ in "---" }] + rows).map(Quoting.markdownRow).joined()
    }

    /// Returns descriptions as JSON, in the words of files.
    package static func json(_ pages: [ProfilePage]) -> String {
        func list(_ values: [some NamedChoice]) -> String { JSONText.list(values.map { Quoting.json($0.name) }) }
        return "[\n"
            + pages.map(\.profile).map { profile in
                "  "
                    + JSONText.object([
                        ("profile", Quoting.json(profile.name)), ("summary", Quoting.json(profile.summary)),
                        ("knows", list(Array(profile.knows))), ("carries", list(Array(profile.carries))),
                        ("holds", Quoting.json(profile.holds.name)), ("can", list(Array(profile.can))),
                        ("seconds", profile.time.map { "\($0.milliseconds / 1000)" } ?? "null"),
                        ("asksFromOtherGroup", "\(profile.asksFromOtherGroup)"), ("isOwner", "\(profile.isOwner)"),
                    ])
            }.joined(separator: ",\n") + "\n]\n"
    }
}
