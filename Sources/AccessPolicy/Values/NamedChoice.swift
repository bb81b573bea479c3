/// A small enumeration that is stored by number and written by name.
///
/// Both are written out, so that renaming a case changes neither. `Fixtures/golden` lists them.
package protocol NamedChoice: RawRepresentable, CaseIterable, Sendable where RawValue == UInt8 {
    /// The word for it in scenario files, in messages and in reports.
    var name: String { get }
}

extension NamedChoice {
    /// Creates the choice of this name; nil if there is none.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
