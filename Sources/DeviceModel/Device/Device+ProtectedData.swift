internal import AccessPolicy

/// A notice that apps get about the files of the classes that a lock closes (semantics 8.4).
///
/// The raw values are the names of Apple's notifications.
public enum ProtectedDataNotice: String, CaseIterable, Sendable {
    /// The device was locked. After the lock grace, the files are closed.
    case willBecomeUnavailable = "UIApplicationProtectedDataWillBecomeUnavailable"
    /// The device was unlocked, and the files are open.
    case didBecomeAvailable = "UIApplicationProtectedDataDidBecomeAvailable"
}

extension Device {
    /// True if files of the classes that a lock closes can be opened: the device is unlocked, in the grace period after
    /// a lock, or without a passcode.
    public var isProtectedDataAvailable: Bool { openClasses.contains(.whenUnlocked) }

    /// Returns the notice that apps get because the device has become this one; nil if they get none.
    ///
    /// A device without a passcode sends none. A restart ends every app, so no app gets a notice of it. An app that runs
    /// before the first unlock gets the notice of that unlock.
    public func protectedDataNotice(since former: Device) -> ProtectedDataNotice? {
        if !former.isLocked, isLocked { return hasFirstUnlock ? .willBecomeUnavailable : nil }
        return former.isLocked && !isLocked && passcode != nil ? .didBecomeAvailable : nil
    }
}
