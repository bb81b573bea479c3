/// A small enumeration that vaults store by number and files contain by name.
///
/// Number and name are both spelled out, so that renaming a case changes neither. `Fixtures/golden` lists them.
package protocol NamedChoice: RawRepresentable, CaseIterable, Sendable where RawValue == UInt8 {
    /// The name in scenario files, messages and reports.
    var name: String { get }
}

extension NamedChoice {
    /// Creates the choice with this name; nil if there is none.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
