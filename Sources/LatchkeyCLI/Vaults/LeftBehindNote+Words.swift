internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import PlainText

extension LeftBehindNote {
    /// The note in one line.
    var text: String {
        "left behind: \(isKey ? "the key " : "")\(name ?? "a secret without a name"): \(why)"
    }

    /// Returns what to do about secrets that stayed behind for this reason, with the name of one of them.
    static func advice(on reason: LeftBehindReason, such name: String?) -> String {
        let name = name.map { Shell.word($0) } ?? "NAME"
        let again = "if you cannot, get a new secret where you use it and save it here with `latchkey set \(name)`"
        return switch reason {
        case .neverLeaves:
            "to bring such a secret, read it on the old machine with `latchkey get \(name)` and save it here with "
                + "`latchkey set \(name)`; \(again)"
        case .asksForAuthentication:
            "to bring such a secret, run `latchkey edit \(name) --preset presence` on the old machine and back up again; "
                + again
        case .thisDeviceOnly:
            "to bring such a secret, run `latchkey edit \(name) --accessible whenUnlocked` on the old machine and back up "
                + "again; \(again)"
        case .lost, .damaged:
            "no machine opens such a secret any more: get a new one where you use it and save it with `latchkey set "
                + "\(name)`"
        }
    }
}
