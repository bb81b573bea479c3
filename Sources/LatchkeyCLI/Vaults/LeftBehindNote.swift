internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import PlainText

/// The note of a backup about a secret or a key that stayed on its device.
struct LeftBehindNote {
    /// The name; nil if the backup does not have it.
    let name: String?
    /// The reason; nil if this version does not know it.
    let reason: LeftBehindReason?
    /// True for a private key.
    let isKey: Bool
    private let why: String

    init(reading head: inout WireObject) throws(WireError) {
        name = try head.consumeTextIfPresent("name")
        why = try head.consumeText("why")
        reason = LeftBehindReason(rawValue: UInt8(clamping: try head.consumeNumber("reason")))
        isKey = try head.consumeFlag("key")
    }

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
