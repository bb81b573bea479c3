internal import AgentProtocol
internal import Prompts
internal import VaultService

extension VaultSettings {
    /// Returns the user at the display or the terminal of a process, or else of those that started it. Returns nil if no
    /// pinentry can show a prompt there, or if the owner of the vault wants none.
    ///
    /// A program that forwards an SSH agent goes on reading its terminal, and would send a passcode that is typed there to the
    /// other host. So pass false for `onTerminal`, and only a window prompts. The same holds while another program reads the
    /// terminal.
    func user(at process: Int32, onTerminal: Bool = true) -> PinentryUser? {
        if pinentry == Self.noPinentry { return nil }
        var place = PinentryPlace(of: process)
        if !onTerminal || isTaken(place, for: process) { place = place.withoutTerminal }
        return PinentryUser(place, first: pinentry.flatMap { PinentryFlavor(rawValue: $0) })
    }

    /// Returns true if the terminal of a place is none for a prompt of this process.
    private func isTaken(_ place: PinentryPlace, for process: Int32) -> Bool {
        guard let terminal = place.terminal, prompt != Self.onTerminal else { return false }
        return prompt == Self.inWindow || TerminalReader(of: terminal, besides: process) != nil
    }
}
