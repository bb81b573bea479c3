internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// The subject of a request: one item under an access policy, on a device as its owner leaves it.
struct Subject {
    let control: AccessControl
    /// True if the item is a private key.
    let isKey: Bool
    /// True if the item asks to sync.
    let isSynchronizable: Bool
    /// The device and the assumptions.
    let setting: Setting

    /// Reads the subject of a request. Throws if a word is unknown, flags are refused, or no device is like this.
    init(_ members: inout Members) throws(QuestionError) {
        let terms = try Terms(&members)
        let setting = try Setting(&members)
        do throws(InvalidFlagsError) { try self.init(terms, setting) } catch { throw QuestionError(error.description) }
    }

    /// Creates the subject of these words. Throws if the flags are refused.
    init(_ terms: Terms, _ setting: Setting) throws(InvalidFlagsError) {
        control = try terms.control
        isKey = terms.isKey || control.guardsKeyUse
        isSynchronizable = terms.isSynchronizable
        self.setting = setting
    }

    /// The device with the item on it. Throws if the device cannot store it.
    var scene: Scene {
        get throws(StoringError) {
            let preset = setting.preset
            var scene = try Scene(
                setting.settings, hasPasscode: preset.passcode != nil, fingers: preset.enrolled.count,
                companion: setting.companion, apps: [NamedApp()],
                storing: [Item(control, isKey: isKey, isSynchronizable: isSynchronizable)])
            scene.reuse = setting.reuse
            return scene
        }
    }

    /// The ordinary use of the item: a private key is used, and every other item is read.
    var use: Aim { isKey ? .use : .read }
}

/// The words of a request that state an access policy, which may be one that Apple refuses.
struct Terms {
    let protection: Accessibility
    /// The flags; nil for a policy without any.
    let flags: AccessControlFlags?
    /// True if the request says that the item is a private key.
    let isKey: Bool
    /// True if the item asks to sync.
    let isSynchronizable: Bool

    /// Reads the words. Throws if one is unknown.
    init(_ members: inout Members) throws(QuestionError) {
        let classes = Accessibility.allCases.map { ($0.name, $0) }
        protection = try members.word("accessible", "class", among: classes) ?? .whenUnlocked
        isKey = try members.truth("key") ?? false
        isSynchronizable = try members.truth("synchronizable") ?? false
        guard let words = try members.words("require"), !words.isEmpty else {
            flags = nil
            return
        }
        let text = words.joined(separator: " ")
        if let word = AccessControlFlags.unknownWords(in: text).first {
            throw QuestionError(unknownWord("flag", word, among: AccessControlFlags.words))
        }
        flags = AccessControlFlags(written: text)
    }

    /// The access policy. Without any flags it is the class alone.
    ///
    /// The flags of a private key guard its use, so a private key has `privateKeyUsage` too.
    var control: AccessControl {
        get throws(InvalidFlagsError) {
            guard let flags else { return AccessControl(protection) }
            return try AccessControl(protection: protection, flags: isKey ? flags.union(.privateKeyUsage) : flags)
        }
    }
}

/// The words of a request that state a device and assumptions.
struct Setting {
    let preset: DevicePreset
    let settings: DeviceSettings
    /// The state of the owner's companion.
    let companion: CompanionState
    /// The greatest age of an unlock by biometry that still counts for the app.
    let reuse: TimeSpan
    let assumes: Assumptions.Stated

    /// The longest lock grace, which leaves the prover's clock room for many of them.
    private static let longestGrace = TimeSpan.hours(24 * 36_500)

    /// Reads the words. Throws if one is unknown, or a device of this kind lacks a stated feature.
    init(_ members: inout Members) throws(QuestionError) {
        var preset = try members.word("device", "device", among: DevicePreset.all.map { ($0.name, $0) }) ?? .usual
        preset.stolenDeviceProtection = try members.truth("stolenDeviceProtection") ?? false
        if preset.stolenDeviceProtection, let lack = preset.lackOfStolenDeviceProtection { throw QuestionError(lack) }
        self.preset = preset
        var settings = preset.settings
        if let grace = try Self.span("lockGrace", &members) {
            if grace > Self.longestGrace { throw QuestionError("claims need a lockGrace of at most 36500d") }
            settings.lockGrace = grace
        }
        self.settings = settings
        let companions = CompanionState.allCases.map { ($0.name, $0) }
        companion =
            try members.word("companion", "companion", among: companions)
            ?? (preset.passcode == nil ? .notPaired : .ready)
        reuse = try Self.span("reuse", &members) ?? .zero

        var assumes = Assumptions.Stated()
        for assumption in Assumption.allCases {
            let words = assumption.words.map { ($0, $0) }
            if let word = try members.word(assumption.rawValue, "assumption", among: words) {
                _ = assumption.state(word, in: &assumes)
            }
        }
        self.assumes = assumes
    }

    private static func span(_ name: String, _ members: inout Members) throws(QuestionError) -> TimeSpan? {
        guard let text = try members.text(name) else { return nil }
        guard let span = TimeSpan(written: text) else {
            throw QuestionError("\(name) needs a duration such as 30s or 5m, not \"\(Terminal.word(text))\"")
        }
        return span
    }
}
