internal import UserPresence

extension VaultSettings {
    /// Returns the user at the display or the terminal of a process, or else of those that started it. Returns nil if no
    /// pinentry can show a prompt there, or if the owner of the vault wants none.
    func user(at process: Int32) -> PinentryUser? {
        if pinentry == Self.noPinentry { return nil }
        return PinentryUser(PinentryPlace(of: process), first: pinentry.flatMap { PinentryFlavor(rawValue: $0) })
    }
}
