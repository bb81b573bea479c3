/// The facts about a device that decide whether it takes part in the syncing of its account.
public struct SyncStanding: Hashable, Sendable {
    /// True if the device is signed in.
    public var isSignedIn: Bool
    /// True if the account's list has the device.
    public var isOnList: Bool
    /// True if the device is in the circle.
    public var isInCircle: Bool
    /// True if the device has no network.
    public var isOffline: Bool
    /// True if the person lets passwords sync on the device.
    public var syncsPasswords: Bool
    /// The kind of the device.
    public var kind: AccountDeviceKind

    /// Creates the standing of a device that takes part.
    public init(
        isSignedIn: Bool = true, isOnList: Bool = true, isInCircle: Bool = true, isOffline: Bool = false,
        syncsPasswords: Bool = true, kind: AccountDeviceKind = .full
    ) {
        self.isSignedIn = isSignedIn
        self.isOnList = isOnList
        self.isInCircle = isInCircle
        self.isOffline = isOffline
        self.syncsPasswords = syncsPasswords
        self.kind = kind
    }

    /// The rule by which the device neither sends nor receives anything; nil if it takes part.
    public var obstacle: SyncRule? {
        if !isSignedIn { return .noAccount }
        if !isOnList { return .removedFromAccount }
        if !isInCircle { return .notInCircle }
        return isOffline ? .offline : nil
    }

    /// Returns the rule by which items of a view neither leave the device nor arrive there; nil if they do.
    public func obstacle(to view: SyncView) -> SyncRule? {
        if !view.syncs { return .viewNeverSyncs }
        if !kind.gets(view) { return .viewOfOtherDevices }
        // The switch covers every view that syncs.
        return syncsPasswords ? nil : .switchedOff
    }
}

extension Item {
    /// The rule by which this item never leaves its device although it is synchronizable; nil if it may.
    public var syncObstacle: SyncRule? {
        if isKey { return .keyOfEnclave }
        if control.hasFlags { return .protected }
        return control.protection.isThisDeviceOnly ? .thisDeviceOnly : nil
    }
}

/// Returns the rule by which a record that arrives meets what the device has under the same primary key.
///
/// - Parameters:
///   - incoming: The identifier of the record that arrives.
///   - local: The identifier of the local item's record; nil if the item has none, or the account does not know it.
/// - Returns: ``SyncRule/arrived`` if the arrival takes the place without a conflict, ``SyncRule/lowerRecordWins`` if it
///   takes it from another record, and ``SyncRule/higherRecordDropped`` if it is dropped.
public func meeting<RecordID: Comparable>(of incoming: RecordID, with local: RecordID?) -> SyncRule {
    guard let local, local != incoming else { return .arrived }
    return incoming < local ? .lowerRecordWins : .higherRecordDropped
}
