internal import AgentProtocol
internal import LatchkeyCLI
internal import LinuxSystem
internal import UserPresence

/// The check of the places where prompts can appear.
enum PromptExamination {
    /// Returns the finding. `pinentry` and `prompt` are the settings of the vault; `isNeeded` is true if a program without a
    /// terminal of its own uses the vault.
    static func finding(pinentry: String?, prompt: String?, isNeeded: Bool) -> DoctorFinding {
        var places: [String] = []
        if prompt != VaultSettings.inWindow, TerminalUser.isThere {
            if prompt != VaultSettings.onTerminal, let reader = TerminalReader() {
                return .bad(
                    "prompts",
                    "\(reader.program) (process \(reader.process)) reads this terminal, so none appears here",
                    fix:
                        "run `latchkey approve` in another terminal, or install a pinentry program, for a window of its own (docs/command-line.md)"
                )
            }
            places.append("they appear at this terminal")
        }
        if pinentry == VaultSettings.noPinentry {
            places.append("the setting pinentry allows no windows")
            return .good("prompts", places.joined(separator: "; "))
        }
        let place = PinentryPlace.ofThisProcess
        let wanted = pinentry.flatMap { PinentryFlavor(rawValue: $0) }
        let here = PinentryFlavor.fitting(place.withoutTerminal, first: wanted).compactMap(\.program)
        let all = PinentryFlavor.allCases.compactMap(\.program)
        if let window = here.first {
            places.append("\(window) shows them in windows")
        } else if let program = all.first {
            places.append("\(program) shows those of ssh and desktop programs, where it finds a display or a terminal")
        } else {
            let says = (places + ["no pinentry is installed, so ssh and desktop programs cannot prompt"]).joined(
                separator: "; ")
            let advice = "install pinentry-curses, or the pinentry of your desktop"
            return isNeeded
                ? .bad("prompts", says, fix: "\(advice) (docs/command-line.md)") : .off("prompts", "\(says): \(advice)")
        }
        return .good("prompts", places.joined(separator: "; "))
    }
}
