internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

extension Accessibility {
    /// Apple's constant, such as `kSecAttrAccessibleWhenUnlocked`.
    package var constant: String {
        // Every name begins with a small letter of ASCII. Swift's own capitals would add tables to the engine of the page.
        var letters = Array(name.utf8)
        letters[0] -= 32
        return "kSecAttrAccessible" + String(decoding: letters, as: UTF8.self)
    }
}

extension Subject {
    /// The policy as a line of Swift for Apple's `Security`.
    var swift: String {
        let protection = control.protection.constant
        if !control.hasFlags { return "query[kSecAttrAccessible as String] = \(protection)" }
        let flags = control.flags.members.map { ".\($0.name)" }.joined(separator: ", ")
        return "let access = SecAccessControlCreateWithFlags(nil, \(protection), [\(flags)], nil)!"
    }

    /// The command that shows the same table of threats.
    var command: String {
        var words = ["latchkey threats", "--accessible \(control.protection.name)"]
        let flags = control.flags.members.map { $0.name }
        if control.hasFlags { words.append("--require \"\(flags.isEmpty ? "none" : flags.joined(separator: " "))\"") }
        if isKey && !control.guardsKeyUse { words.append("--key") }
        if isSynchronizable { words.append("--synchronizable") }
        if setting.preset.name != DevicePreset.usual.name { words.append("--device \(setting.preset.name)") }
        if setting.settings.stolenDeviceProtection { words.append("--stolen-device-protection") }
        for assumption in Assumption.allCases where assumption.isStated(in: setting.assumes) {
            words.append("--\(assumption.rawValue) \(assumption.word(in: Assumptions(setting.assumes)))")
        }
        return words.joined(separator: " ")
    }
}
