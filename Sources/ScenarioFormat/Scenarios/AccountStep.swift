internal import AccessPolicy

/// A step of a scenario with several devices that changes their account, or moves items between them. It happens to the
/// device of the step.
package enum AccountStep: Hashable, Sendable {
    /// Every device sends, and then every one fetches, until nothing moves any more.
    case settle
    /// The other devices send, and this one fetches.
    case deliver
    case signIn
    case signOut(deletesData: Bool)
    case establishCircle
    /// The device at this index brings this one in.
    case joinBySponsor(Int)
    /// This one joins with a passcode of the device at this index.
    case joinByPasscode(String, of: Int)
    case joinByRecoveryKey(String)
    case setRecoveryKey(String)
    case leaveCircle
    case removeFromAccount
    case changeAccountPassword
    case resetCircle
    case offline(Bool)
    case syncPasswords(Bool)
}

/// The word of a step about the account, with its value.
struct AccountRow: Sendable {
    let word: String
    let shape: Shape
    let says: String
    /// Returns the step with this value; nil if its keys do not fit each other, or a device is unknown. The second argument
    /// finds the index of a device.
    let read: @Sendable (Node, (Node?) -> Int?) -> AccountStep?
}

extension AccountRow {
    /// Every word, in the order of the documentation.
    static let all: [AccountRow] = [
        AccountRow(
            "settle", "delivers everything everywhere: every device sends and fetches, until nothing moves", .settle),
        AccountRow("deliver", "lets the other devices send, and this one fetch", .deliver),
        AccountRow("signIn", "signs the device in to the account again", .signIn),
        AccountRow(
            "signOut", .either([.nothing, .word(called: "choice", ["keepingData", "deletingData"])]),
            "signs the device out, and deletes the synced passwords of Apple's own apps from it or not"
        ) { value, _ in .signOut(deletesData: value.text == "deletingData") },
        AccountRow("establishCircle", "establishes a circle, if the account has none", .establishCircle),
        AccountRow(
            "join",
            .record(
                Shape.Record(
                    "a join",
                    [
                        Shape.Field("sponsor", .text, "the unlocked member that brings the device in"),
                        Shape.Field("passcode", .text, "a passcode to try on the record of another device"),
                        Shape.Field("of", .text, "the device that left that record"),
                        Shape.Field("recoveryKey", .text, "the recovery key to try"),
                    ])), "joins the circle by one of: `sponsor`, `passcode` and `of`, `recoveryKey`"
        ) { value, device in
            // Exactly one of the three ways.
            switch Set(value.entries.map(\.key)) {
            case ["sponsor"]: return device(value["sponsor"]).map { .joinBySponsor($0) }
            case ["passcode", "of"]:
                let typed = value["passcode"]?.text ?? ""
                return device(value["of"]).map { .joinByPasscode(typed, of: $0) }
            case ["recoveryKey"]: return .joinByRecoveryKey(value["recoveryKey"]?.text ?? "")
            default: return nil
            }
        },
        AccountRow("setRecoveryKey", .text, "sets the recovery key of the account") { value, _ in
            .setRecoveryKey(value.text ?? "")
        },
        AccountRow("leaveCircle", "leaves the circle", .leaveCircle),
        AccountRow("removeFromAccount", "is removed from the account's list of devices", .removeFromAccount),
        AccountRow("changeAccountPassword", "changes the password of the account", .changeAccountPassword),
        AccountRow("resetCircle", "begins a new circle with this device alone", .resetCircle),
        AccountRow("offline", .truth, "loses its network, or has it again") { value, _ in .offline(value.text == "true")
        },
        AccountRow("syncPasswords", .truth, "switches the syncing of passwords on or off") { value, _ in
            .syncPasswords(value.text == "true")
        },
    ]

    private init(_ word: String, _ says: String, _ step: AccountStep) {
        self.init(word, .nothing, says) { _, _ in step }
    }

    private init(
        _ word: String, _ shape: Shape, _ says: String,
        read: @escaping @Sendable (Node, (Node?) -> Int?) -> AccountStep?
    ) {
        self.init(word: word, shape: shape, says: says, read: read)
    }

    /// True if the step happens to all devices alike, so that it names none.
    var isOfAllDevices: Bool { word == "settle" }

    /// True if the word alone is a step.
    var standsAlone: Bool {
        switch shape {
        case .nothing: true
        case .either(let shapes): shapes.contains { if case .nothing = $0 { true } else { false } }
        default: false
        }
    }
}
