/// Values of settings in one store. In a request, a setting without a value stays as it is.
package struct SettingChanges: Hashable, Sendable {
    private let store: SettingRow.Store
    private var values: [SettingName: SettingValue]

    /// Creates changes from those `values` whose settings are in this store.
    package init(_ store: SettingRow.Store = .vault, _ values: [SettingName: SettingValue] = [:]) {
        self.store = store
        self.values = values.filter { $0.key.row.store == store }
    }

    package init(from head: inout WireObject, _ store: SettingRow.Store = .vault) throws(WireError) {
        self.init(store)
        try read(from: &head)
    }

    package subscript(name: SettingName) -> SettingValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// Throws if no vault can have one of the values.
    package func check() throws(AgentError) {
        for name in SettingName.all(in: store) {
            if let value = values[name] { try name.row.kind.check(value, name.member) }
        }
    }
}

extension SettingChanges: WireValue {
    /// Passes every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        for name in SettingName.all(in: store) {
            try coder.valueIfSaid(name.member, like: name.row.usual, &values[name])
        }
    }
}
