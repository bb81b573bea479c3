internal import LinuxSystem
internal import UserPresence

extension Agent {
    /// The number of processes, from the caller up, whose display or terminal may show its prompts.
    private static let generations = 8

    /// Returns a user at the display or the terminal of a caller, or else of the processes that started it. Returns nil if
    /// there is none, or if the owner of the vault wants none.
    ///
    /// A program that forwards the agent goes on reading its terminal, and would send a passcode that is typed there to the
    /// other host. So pass true for `isForwarding`, and only a window prompts.
    func pinentry(for caller: OuterCaller, isForwarding: Bool) -> PinentryUser? {
        let setting = settings.pinentry
        if setting == VaultSettings.noPinentry { return nil }
        let wanted = setting.flatMap { PinentryFlavor(rawValue: $0) }
        var process = caller.peer.process
        for _ in 0..<Self.generations where process > 1 {
            guard let status = ProcessStatus(of: process) else { return nil }
            if let found = PinentryPlace(ofProcess: process) {
                let place = isForwarding ? found.withoutTerminal : found
                if let user = PinentryUser(place, first: wanted) { return user }
            }
            process = status.parent
        }
        return nil
    }
}
