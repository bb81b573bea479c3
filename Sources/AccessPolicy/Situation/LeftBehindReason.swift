/// The reason why a backup cannot bring an item to another device. The numbers are in backups and in replies of the agent.
public enum LeftBehindReason: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// It never leaves the device: it is a private key, or its accessibility class is bound to the passcode.
    case neverLeaves = 1
    /// It needs authentication that the user did not give for the backup.
    case asksForAuthentication = 2
    /// It is invalidated.
    case lost = 3
    /// It is in the backup, and its accessibility class binds it to the device that made the backup.
    case thisDeviceOnly = 4
    /// It is damaged.
    case damaged = 5

    /// The reason in words, to follow the name of the item.
    public var description: String {
        switch self {
        case .neverLeaves: "it never leaves its device"
        case .asksForAuthentication: "it needs authentication that was not given"
        case .lost: "it is invalidated, and can never be opened again"
        case .thisDeviceOnly: "it is bound to the device that made the backup"
        case .damaged: "it was damaged when the backup was made"
        }
    }
}
