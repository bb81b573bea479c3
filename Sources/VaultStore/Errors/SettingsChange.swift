/// The settings of a vault that a program has changed without the passcode, beside those that its owner chose.
public struct SettingsChange: Hashable, Sendable {
    /// The settings of the program that uses the vault, as they were found.
    package let found: [UInt8]
    /// The settings of the program that uses the vault, as the owner chose them.
    package let owner: [UInt8]
    /// The names of the other parts that differ.
    package let names: [String]

    package init(found: [UInt8], owner: [UInt8], names: [String]) {
        self.found = found
        self.owner = owner
        self.names = names
    }
}

extension SettingsChange: CustomStringConvertible {
    /// The change in words, with what to do next.
    public var description: String { words(names + (found == owner ? [] : ["settings"])) }

    /// Returns the change in words, if these settings differ.
    package func words(_ names: [String]) -> String {
        "another program has changed the settings of the vault without its passcode: \(names.joined(separator: ", ")). "
            + "Latchkey has put back what you chose, and locked the vault: find that program, for example in "
            + "`latchkey log`, and then unlock the vault again"
    }
}
