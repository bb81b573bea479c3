internal import Prompts

/// The settings of a vault: its authenticators, when it locks itself, and what new secrets are like.
///
/// They are sealed with the keys of the vault, and a change takes the passcode. Any program of the user can change them all
/// the same, with the keys of the device file. So until the vault has compared them with their copy under a key of the
/// root, the agent uses ``strictest`` instead.
package struct VaultSettings: Hashable, Sendable {
    /// The values that are not the usual ones.
    private var values: [SettingName: SettingValue] = [:]
    /// The rules of the Secret Service, which are read once from their text.
    package private(set) var secretRules = SecretRules()

    /// Creates settings with these values, and the usual one for any other.
    package init(_ values: [SettingName: SettingValue] = [:]) {
        for (name, value) in values { self[name] = value }
    }

    /// Creates the settings that an answer of the agent names.
    package init(answer: SettingChanges) { self = VaultSettings().changed(by: answer) }

    /// The settings of a new vault, without those that its owner chooses.
    package static var ofNewVault: VaultSettings {
        var settings = VaultSettings()
        for name in SettingName.all(in: .vault) {
            if let value = name.row.initial { settings[name] = value }
        }
        return settings
    }

    package subscript(name: SettingName) -> SettingValue {
        get { values[name] ?? name.row.usual }
        set {
            values[name] = newValue == name.row.usual ? nil : newValue
            if name == .secretRules { secretRules = (try? SecretRules(newValue.text)) ?? SecretRules() }
        }
    }

    /// Returns the settings with these changes.
    package func changed(by changes: SettingChanges) -> VaultSettings {
        var settings = self
        for name in SettingName.all(in: .vault) {
            if let value = changes[name] { settings[name] = value }
        }
        return settings
    }

    /// Returns the values that an answer names, or the output of `latchkey config`.
    package func named(inOutput isOutput: Bool = false) -> SettingChanges {
        var named = SettingChanges()
        for name in SettingName.all(in: .vault) {
            let isAlwaysNamed =
                switch name.row.naming {
                case .nowhere: false
                case .inOutput: isOutput
                case .inAnswers: true
                }
            if isAlwaysNamed || values[name] != nil { named[name] = self[name] }
        }
        return named
    }

    /// The settings that hold as long as nothing shows that the owner chose these: each one is at least as strict as it is
    /// here, and as the usual one.
    package var strictest: VaultSettings {
        var settings = self
        for name in SettingName.all(in: .vault) { settings[name] = name.row.strict(self[name]) }
        return settings
    }
}

// MARK: - The values, for the code that acts on them

extension VaultSettings {
    /// A PAM service.
    package struct PAM: Hashable, Sendable {
        /// The name of the service.
        package let service: String
        /// The folder that contains it.
        package let folder: String

        /// Creates the service at this path; nil if it is in no folder.
        package init?(path: String) {
            guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            (service, folder) = (String(path[path.utf8.index(after: end)...]), String(path[..<end]))
        }
    }

    /// The PAM service that checks the passcode; nil if the keys alone do.
    package var pam: PAM? { PAM(path: self[.pamService].text) }
    /// The command of the sensor; nil if there is none, or a fake one.
    package var sensor: String? { self[.sensor].textIfAny }
    /// The number of seconds without a request after which the vault locks itself; nil for never.
    package var locksAfter: Int? { self[.lockAfter].number > 0 ? self[.lockAfter].number : nil }
    /// The number of seconds since its last use for which an authentication counts in its session; 0 to prompt each time.
    package var reuse: Int { self[.reuse].number }
    /// The access policy of new secrets that name none.
    package var policy: ItemPolicy { self[.defaultPolicy].policy }
    /// The number of seconds for which former versions of a secret are kept; 0 to keep none.
    package var history: Int { self[.history].number }
    /// The pinentry that shows prompts outside of a terminal, or ``noPinentry``; nil for any.
    package var pinentry: String? { self[.pinentry].text == Self.anyPinentry ? nil : self[.pinentry].text }
    /// The place of prompts, ``inWindow`` or ``onTerminal``; nil for a terminal that no other program reads, and else a
    /// window.
    package var prompt: String? { self[.prompt].text == Self.eitherPlace ? nil : self[.prompt].text }

    /// The setting for the fingerprint reader of this machine, instead of the command of a sensor.
    package static let fprintd = "fprintd"
    /// The folder of the PAM services of the system.
    package static let systemPAM = "/etc/pam.d"
    /// The longest number of seconds that can be set: ten years.
    package static let longestLock = 10 * 366 * 86_400

    /// The word for no prompts outside of a terminal.
    package static let noPinentry = "none"
    /// The word for any pinentry that can show a prompt.
    static let anyPinentry = "auto"
    /// The words for a pinentry.
    static let pinentries = [anyPinentry, noPinentry] + PinentryFlavor.allCases.map(\.rawValue)

    /// The word for prompts in a window alone.
    package static let inWindow = "window"
    /// The word for prompts at the terminal, also while another program reads it.
    package static let onTerminal = "terminal"
    /// The word for prompts at the terminal, or in a window while another program reads the terminal.
    package static let eitherPlace = "auto"
    /// The words for the place of prompts.
    static let promptPlaces = [eitherPlace, inWindow, onTerminal]
}
