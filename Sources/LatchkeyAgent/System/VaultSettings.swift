internal import AccessPolicy
package import AgentProtocol
internal import DeviceModel
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import UserPresence

/// The settings of a vault: its authenticators, when it locks itself, and what new secrets are like.
///
/// They are sealed with the keys of the vault, and a change takes the passcode. Any program of the user can change them all
/// the same, with the keys of the device file. So until the vault has compared them with their copy under a key of the
/// root, the agent uses ``strictest`` instead.
package struct VaultSettings: Hashable, Sendable {
    /// A PAM service.
    package struct PAM: Hashable, Sendable {
        /// The name of the service.
        package var service: String
        /// The folder that contains it.
        package var folder: String

        package init(service: String, folder: String) {
            self.service = service
            self.folder = folder
        }
    }

    /// The PAM service that checks the passcode; nil if the keys alone do.
    package var pam: PAM?
    /// The command of the sensor; nil if there is none, or a fake one.
    package var sensor: [String]?
    /// The number of seconds without a request after which the vault locks itself; nil for never.
    package var locksAfter: Int?
    /// The number of seconds since its last use for which an authentication counts in its session; 0 to prompt each time.
    package var reuse: Int
    /// The access policy of new secrets that name none.
    package var policy: ItemPolicy
    /// The number of seconds after which a command clears the clipboard of a secret that it copied; nil for never.
    package var clipboardTime: Int?
    /// The number of seconds for which former versions of a secret are kept; 0 to keep none.
    package var history: Int

    /// The pinentry that shows prompts outside of a terminal, or ``noPinentry``; nil for any.
    package var pinentry: String?
    /// The place of prompts, ``inWindow`` or ``onTerminal``; nil for a terminal that no other program reads, and else a
    /// window.
    package var prompt: String?
    package var secretService: SecretServiceSettings
    /// True if the end of the user's last login session locks the vault.
    package var locksAtLogout: Bool
    /// True if the desktop shows a notification when an SSH key signs without a prompt.
    package var notifies: Bool

    /// The word for no prompts outside of a terminal.
    package static let noPinentry = "none"
    /// The word for any pinentry that can show a prompt.
    package static let anyPinentry = "auto"
    /// The words for a pinentry.
    package static let pinentries = [anyPinentry, noPinentry] + PinentryFlavor.allCases.map(\.rawValue)

    /// The word for prompts in a window alone.
    package static let inWindow = "window"
    /// The word for prompts at the terminal, also while another program reads it.
    package static let onTerminal = "terminal"
    /// The word for prompts at the terminal, or in a window while another program reads the terminal.
    package static let eitherPlace = "auto"
    /// The words for the place of prompts.
    package static let promptPlaces = [eitherPlace, inWindow, onTerminal]

    /// The number of seconds for which a vault stays unlocked by default.
    package static let usualLock = 600
    /// The number of seconds for which an authentication counts by default in a new vault.
    package static let usualReuse = 600
    /// The longest number of seconds that can be set: ten years.
    package static let longestLock = 10 * 366 * 86_400
    /// The longest number of seconds that an authentication can count: twelve hours.
    package static let longestReuse = 12 * 3600

    /// The number of seconds after which the clipboard is cleared by default.
    package static let usualClipboardTime = 45
    /// The longest number of seconds after which the clipboard can be cleared: one hour.
    package static let longestClipboardTime = 3600
    /// The number of seconds for which a new vault keeps former versions by default: thirty days.
    package static let usualHistory = 30 * 86_400
    /// The longest number of seconds for which former versions can be kept: ten years.
    package static let longestHistory = longestLock

    /// Creates settings. Without a default of its own, the vault prompts each time.
    package init(
        pam: PAM? = nil, sensor: [String]? = nil, locksAfter: Int? = VaultSettings.usualLock, reuse: Int = 0,
        policy: ItemPolicy = .usual, clipboardTime: Int? = VaultSettings.usualClipboardTime, history: Int = 0
    ) {
        self.init(
            pam, sensor, locksAfter: locksAfter, reuse: reuse, policy, clipboardTime: clipboardTime, history: history,
            pinentry: nil, prompt: nil, SecretServiceSettings(), locksAtLogout: false, notifies: true)
    }

    /// Creates settings from all of them. None has a default here, so that ``strictest`` cannot forget one.
    private init(
        _ pam: PAM?, _ sensor: [String]?, locksAfter: Int?, reuse: Int, _ policy: ItemPolicy, clipboardTime: Int?,
        history: Int, pinentry: String?, prompt: String?, _ secretService: SecretServiceSettings, locksAtLogout: Bool,
        notifies: Bool
    ) {
        (self.pam, self.sensor, self.locksAfter, self.reuse) = (pam, sensor, locksAfter, reuse)
        (self.policy, self.clipboardTime, self.history) = (policy, clipboardTime, history)
        (self.pinentry, self.prompt, self.secretService) = (pinentry, prompt, secretService)
        (self.locksAtLogout, self.notifies) = (locksAtLogout, notifies)
    }

    /// The settings that hold as long as nothing shows that the owner chose these: each one is at least as strict as it is
    /// here, and as the usual one.
    package var strictest: VaultSettings {
        VaultSettings(
            // Only root can change a service in this folder. Another service runs code of its modules in the agent.
            pam.flatMap { $0.folder == Self.systemPAM ? $0 : nil },
            // A command runs with the rights of the user.
            nil,
            locksAfter: min(locksAfter ?? Self.usualLock, Self.usualLock),
            reuse: 0,
            // A passcode each time, whatever the vault's sensor says.
            ItemPolicy(.whenUnlockedThisDeviceOnly, .devicePasscode),
            clipboardTime: min(clipboardTime ?? Self.usualClipboardTime, Self.usualClipboardTime),
            // Nothing is deleted that the owner may want back.
            history: max(history, Self.usualHistory),
            // All of these are programs of the system, and "none" only takes prompts away.
            pinentry: pinentry,
            // No passcode is typed at a terminal that another program reads.
            prompt: prompt == Self.onTerminal ? nil : prompt,
            // The service shows nothing that the files do not show too. Without rules, each program is asked about.
            SecretServiceSettings(isEnabled: secretService.isEnabled),
            locksAtLogout: true,
            notifies: true)
    }

    /// The folder of the PAM services of the system.
    package static let systemPAM = "/etc/pam.d"

    /// Reads the settings that are sealed in a vault. A vault that another program has made has none; it gets the usual ones.
    package init(sealed bytes: [UInt8], of place: AgentPlace) throws(AgentError) {
        if bytes.isEmpty {
            self.init()
            return
        }
        do throws(WireError) {
            var head = try Head(bytes)
            try self.init(from: &head, of: place)
            try head.end()
        } catch {
            throw AgentError(
                .vault, "the settings of the vault are not valid: \(error). Use the version of Latchkey that wrote them"
            )
        }
    }

    /// How long an authentication counts.
    var reuseLimit: ReuseLimit { ReuseLimit(sinceUse: TimeSpan(milliseconds: Int64(reuse) * 1000)) }

    /// The limit of what is kept of former versions of a secret.
    var historyLimit: HistoryLimit { HistoryLimit(age: Int64(history) * 1000) }

    private init(from head: inout Head, of place: AgentPlace) throws(WireError) {
        self.init()
        if var pam = try head.consumeHeadIfPresent("pam") {
            let (service, folder) = (try pam.consumeText("service"), try pam.consumeText("folder"))
            // A relative folder lies in the vault's own, and moves with it.
            self.pam = PAM(
                service: service, folder: folder.utf8.first == UInt8(ascii: "/") ? folder : "\(place.vault)/\(folder)")
            try pam.end()
        }
        let command = try head.consumeTexts("sensor")
        sensor = command.isEmpty ? nil : command
        let isSaid = head["lock-after"] != nil
        let seconds = try head.consumeNumberIfPresent("lock-after").map { Int(clamping: $0) } ?? 0
        locksAfter = isSaid ? seconds > 0 ? seconds : nil : Self.usualLock
        let reuse = try head.consumeNumberIfPresent("reuse") ?? 0
        self.reuse = Int(min(max(0, reuse), Int64(Self.longestReuse)))
        let history = try head.consumeNumberIfPresent("history") ?? 0
        self.history = Int(min(max(0, history), Int64(Self.longestHistory)))
        pinentry = try head.consumeTextIfPresent("pinentry")
        prompt = try head.consumeTextIfPresent("prompt")
        if var fields = try head.consumeHeadIfPresent("secret-service") {
            try secretService.read(from: &fields)
            try fields.end()
        }
        if head["lock-at-logout"] != nil { locksAtLogout = try head.consumeFlag("lock-at-logout") }
        if head["notify"] != nil { notifies = try head.consumeFlag("notify") }
        policy = .usual
        if var fields = try head.consumeHeadIfPresent("policy") {
            policy = try ItemPolicy(from: &fields)
            try fields.end()
        }
        let time = try head.consumeNumberIfPresent("clipboard-time") ?? Int64(Self.usualClipboardTime)
        clipboardTime = time > 0 ? Int(min(time, Int64(Self.longestClipboardTime))) : nil
    }

    private func head(of place: AgentPlace) -> Head {
        var head = Head()
        if let pam {
            let own = place.vault + "/"
            let folder = pam.folder.hasPrefix(own) ? String(pam.folder.dropFirst(own.count)) : pam.folder
            head["pam"] = .object(["service": .string(pam.service), "folder": .string(folder)])
        }
        if let sensor { head["sensor"] = .array(sensor.map { .string($0) }) }
        head["lock-after"] = locksAfter.map { .number("\($0)") } ?? .null
        if reuse > 0 { head["reuse"] = .number("\(reuse)") }
        if history > 0 { head["history"] = .number("\(history)") }
        if let pinentry { head["pinentry"] = .string(pinentry) }
        if let prompt { head["prompt"] = .string(prompt) }
        if secretService != SecretServiceSettings() { head["secret-service"] = .object(secretService.head.fields) }
        if locksAtLogout { head["lock-at-logout"] = .bool(true) }
        if !notifies { head["notify"] = .bool(false) }
        if policy != .usual { head["policy"] = .object(policy.head.fields) }
        if clipboardTime != Self.usualClipboardTime { head["clipboard-time"] = .number("\(clipboardTime ?? 0)") }
        return head
    }

    /// The path of the PAM service; nil if there is none.
    package var path: String? { pam.map { "\($0.folder)/\($0.service)" } }

    /// Returns the bytes to seal in a vault.
    package func bytes(for place: AgentPlace) -> [UInt8] { Array(head(of: place).text.utf8) }
}
