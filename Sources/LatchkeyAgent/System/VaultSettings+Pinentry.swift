internal import UserPresence

extension VaultSettings {
    /// Returns the user at the display or the terminal of a process, or else of those that started it. Returns nil if no
    /// pinentry can show a prompt there, or if the owner of the vault wants none.
    ///
    /// A program that forwards an SSH agent goes on reading its terminal, and would send a passcode that is typed there to the
    /// other host. So pass false for `onTerminal`, and only a window prompts.
    func user(at process: Int32, onTerminal: Bool = true) -> PinentryUser? {
        if pinentry == Self.noPinentry { return nil }
        let place = PinentryPlace(of: process)
        return PinentryUser(
            onTerminal ? place : place.withoutTerminal, first: pinentry.flatMap { PinentryFlavor(rawValue: $0) })
    }
}
