import AccessPolicy
import AgentProtocol
import PlainText
import SecretVault
import TestSupport
import Testing

/// The table of settings: each row reads what it writes, and its strict value is strict.
@Suite struct SettingTableTests {
    private static let folder = "/v"

    /// Returns some values that a vault can have besides the usual one, the loosest first.
    static func values(of name: SettingName) -> [SettingValue] {
        switch name {
        case .reuse: [43_200, 1]
        case .lockAfter: [0, .number(VaultSettings.longestLock), 601, 5]
        case .defaultPolicy: PolicyPreset.all.map { .policy($0.policy) }
        case .history: [1, 86_400, .number(VaultSettings.longestLock)]
        case .pinentry: ["curses", "none"]
        case .prompt: ["terminal", "window"]
        case .lockAtLogout, .secretService, .durableLog: [true]
        case .notify: [false]
        case .pamService: ["/home/me/s", "/v/pam.d/latchkey", "/etc/pam.d/login"]
        case .sensor: ["/home/me/sensor", "fprintd"]
        case .clipboardTime: [0, 3600, 46, 1]
        case .secretRules: ["a=* -> once-per-session require=nothing"]
        case .logSize: [.number(1 << 40), .number(1 << 20), .number(1 << 10 + 1 << 20)]
        }
    }

    /// Returns the strictness of a value: no other value that is as high lets more happen.
    private static func strictness(_ name: SettingName, _ value: SettingValue) -> Int {
        /// The strictness of a time that 0 takes away.
        func shorter(_ seconds: Int) -> Int { seconds == 0 ? .min : -seconds }
        return switch name {
        case .reuse: -value.number
        case .lockAfter, .clipboardTime: shorter(value.number)
        // The passcode each time is what every other policy takes at most.
        case .defaultPolicy:
            value.policy == ItemPolicy(.whenUnlockedThisDeviceOnly, .devicePasscode) ? 1 : 0
        case .history: value.number
        case .prompt: value.text == "terminal" ? 0 : 1
        case .lockAtLogout, .notify: value.flag ? 1 : 0
        case .pamService: value.text.isEmpty || value.text.hasPrefix("/etc/pam.d/") ? 1 : 0
        case .sensor, .secretRules: value.text.isEmpty ? 1 : 0
        // Each of these is the owner's as much as any other, or the vault itself sees to it.
        case .pinentry, .secretService, .logSize, .durableLog: 0
        }
    }

    @Test(arguments: SettingName.allCases) func strictValuesAreTheStrictest(_ name: SettingName) throws {
        let row = name.row
        for value in Self.values(of: name) + [row.usual] where row.store == .vault {
            let strict = VaultSettings([name: value]).strictest[name]
            for other in [value, row.usual] {
                #expect(Self.strictness(name, strict) >= Self.strictness(name, other), "\(value) holds as \(strict)")
            }
            #expect(VaultSettings([name: strict]).strictest[name] == strict, "\(value)")
            // What is strict enough stays as the owner has chosen it.
            if Self.strictness(name, value) >= Self.strictness(name, VaultSettings().strictest[name]) {
                #expect(strict == value)
            }
        }
    }

    @Test(arguments: SettingName.allCases) func everyValueIsReadAsItIsWritten(_ name: SettingName) throws {
        let row = name.row
        for value in Self.values(of: name) + [row.usual] {
            let changes = SettingChanges(row.store, [name: value])
            var head = try #require(WireObject(try JSON(Array(changes.head.text.utf8))))
            #expect(Array(head.fields.keys) == [name.member])
            #expect(try SettingChanges(from: &head, row.store) == changes)
            #expect(head.fields.isEmpty)
            guard row.store == .vault else { continue }
            let settings = VaultSettings([name: value])
            #expect(settings[name] == value)
            let bytes = settings.bytes(forVaultIn: Self.folder)
            #expect(try VaultSettings(sealed: bytes, ofVaultIn: Self.folder) == settings)
            #expect(VaultSettings(answer: settings.named()) == settings)
            let usual = VaultSettings().bytes(forVaultIn: Self.folder)
            #expect(VaultSettings.members(of: bytes, differingFrom: usual).isEmpty == (value == row.usual))
        }
    }

    @Test(arguments: SettingName.allCases) func everyValueIsReadAsItIsTyped(_ name: SettingName) throws {
        for value in Self.values(of: name) {
            let word = name.row.kind.word(for: value)
            #expect(try name.row.kind.value(of: word, for: "--\(name.rawValue)") == value, "\(word)")
            #expect(!name.row.words(for: value).isEmpty)
        }
    }

    @Test func everyMemberIsSentAndSealedAsEver() throws {
        let lines = SettingName.allCases.map { name in
            let values = [name: Self.values(of: name)[0]]
            let wire = SettingChanges(name.row.store, values).head.text
            if name.row.store == .log { return "\(name.rawValue) \(wire)" }
            let sealed = VaultSettings(values).bytes(forVaultIn: Self.folder)
            return "\(name.rawValue) \(wire) \(String(decoding: sealed, as: UTF8.self))"
        }
        try Golden.expect("settings", lines)
    }

    /// A number that no vault can have counts as the nearest one, and anything else that is wrong is an error.
    @Test func sealedNumbersAreClampedAndNonsenseIsRefused() throws {
        func settings(_ text: String) throws -> VaultSettings {
            try VaultSettings(sealed: Array(text.utf8), ofVaultIn: Self.folder)
        }
        let low = try settings(#"{"reuse":-1,"history":-1,"clipboard-time":-1,"lock-after":-1}"#)
        #expect(low == VaultSettings([.lockAfter: 0, .clipboardTime: 0]))
        let high = try settings(#"{"reuse":43201,"history":999999999,"clipboard-time":3601,"lock-after":999999999}"#)
        let longest = SettingValue.number(VaultSettings.longestLock)
        #expect(
            high == VaultSettings([.reuse: 43_200, .history: longest, .clipboardTime: 3600, .lockAfter: longest]))
        for text in [
            #"{"reuse":"1"}"#, #"{"notify":null}"#, #"{"sensor":"/s"}"#, #"{"sensor":["/s","x"]}"#, #"{"pam":{}}"#,
            #"{"secret-service":{"rules":"x"}}"#, #"{"policy":{"accessible":"x"}}"#, #"{"log-size":1048576}"#, "[]",
        ] {
            #expect(throws: AgentError.self, "\(text)") { _ = try settings(text) }
        }
    }

    /// A service in the vault's own folder moves with it.
    @Test func aServiceInTheVaultIsRelativeToIt() throws {
        let bytes = VaultSettings([.pamService: "/v/pam.d/latchkey"]).bytes(forVaultIn: "/v")
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""folder":"pam.d""#))
        #expect(try VaultSettings(sealed: bytes, ofVaultIn: "/w").pam?.folder == "/w/pam.d")
    }

    @Test func aLogCanHaveTheSizesThatAreTyped() {
        #expect(TypedSize.ofLogs == Int(AuditSize.range.lowerBound)...Int(AuditSize.range.upperBound))
        #expect(SettingName.logSize.row.usual.number == Int(AuditSize.usual))
    }
}
