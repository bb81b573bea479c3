internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// The explanation of the table of an account.
    static let accountReading =
        "The first device has stored the item, and the account has delivered everything. All devices are in the circle, online, "
        + "and let passwords sync."
}

extension AccountMatrix {
    /// The heading of the table.
    var title: String { "\(use.title), on each device" }

    /// The devices, each in one or more sentences after its name.
    var deviceSentences: [String] { devices.map { "\(Terminal.line($0.name)): \($0.device.sentence)" } }

    /// Returns the heading of a person's column. The devices may have different sensors.
    func name(of person: MatrixPerson) -> String {
        let names = Set(devices.map { person.name(on: $0.device.sensor) })
        return names.count == 1 ? names.first ?? "" : Factor.biometry.name
    }

    /// Returns the condition of a row in plain words.
    func condition(of row: Row) -> String { row.condition.title(on: devices[row.device].device.sensor) }

    /// Returns the name of a row's device.
    func name(of row: Row) -> String { Terminal.line(devices[row.device].name) }
}
