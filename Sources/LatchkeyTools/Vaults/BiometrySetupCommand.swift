internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import UserPresence

/// `latchkey biometry setup`
enum BiometrySetupCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let finger = Option(
            "--finger", value: "NAME", says: "the finger to enroll if none is; right index by default",
            values: .words(FprintdFinger.all.map { $0.name.replacing(" ", with: "-") })
        ) { (name) throws(UsageError) in
            guard let finger = FprintdFinger(called: name) else {
                throw UsageError("--finger takes one of \(FprintdFinger.names)")
            }
            return finger.name
        }
    }

    static let declaration = Declaration(
        name: "setup", summary: "use the fingerprint reader of this machine",
        text: """
            Finds the reader that fprintd serves, enrolls a finger unless one is enrolled, and adds the reader to the vault. Asks
            for the passcode. From then on a finger opens every secret whose policy allows one, and the passcode is the fallback.

            \(EnrolledSet.limit)
            """,
        options: Options(),
        examples: [
            ("latchkey biometry setup", ""),
            ("latchkey biometry setup --finger 'left thumb'", "enrolls the left thumb"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let setting = try settingOfSensor(access)
        guard access.user != nil else { throw AgentError.noTerminal }
        let present = try reader()
        Output.confirm("Found the reader: \(present.sensor.dropFirst("fprintd ".count)).")
        var names = present.templates.map(\.name)
        let finger = given[\.finger] ?? FprintdFinger(called: "right index")?.name ?? ""
        if setting == VaultSettings.fprintd {
            if names.isEmpty { names = [try enrollInVault(finger, access)] }
            return told(names, "The vault uses the reader already.")
        }
        try EnrolledSet.requireConsent(access)
        if names.isEmpty {
            try enroll(finger)
            names = [finger]
            Output.confirm("Enrolled \(finger).")
        }
        try announce(access)
        let changes = SettingChanges(.vault, [.sensor: .text(VaultSettings.fprintd)])
        _ = try access.ask(SettingsCall(changes), because: "use the fingerprint reader")
        return told(names, "Added the reader to the vault.")
    }

    /// Returns the setting of the vault's sensor. Throws if the vault cannot use the reader.
    private static func settingOfSensor(_ access: VaultAccess) throws -> String {
        let settings = try access.client.ask(SettingsCall(SettingChanges()), of: nil).reply.settings
        let setting = settings[.sensor]?.text ?? ""
        let status = try access.status()
        if status.isSensorFake {
            throw AgentError(
                .request,
                "the vault was created with a fake sensor and keeps it: create another vault with `latchkey init`")
        }
        if status.sensor != "none" && setting != VaultSettings.fprintd {
            throw AgentError(
                .exists,
                "the vault has a sensor already (\(Terminal.line(setting))): to use the reader instead, run "
                    + "`latchkey config --sensor fprintd`")
        }
        return setting
    }

    /// Returns what the reader knows. Throws an error with the next step if there is no reader.
    private static func reader() throws -> Enrollments {
        do throws(SensorError) { return try FprintdSensor().enrollments() } catch { throw fault(error) }
    }

    private static func fault(_ error: SensorError) -> AgentError {
        switch error {
        case .refused where RemoteLogin.containsThisProcess:
            AgentError(
                .unavailable, "\(error). You are logged in over a network: run the command at the machine")
        case .interrupted: AgentError(.dismissed, "the enrollment was ended, and nothing was changed")
        default: AgentError(.unavailable, "\(error)")
        }
    }

    /// Enrolls a finger in fprintd.
    private static func enroll(_ finger: String) throws {
        let sensor = FprintdSensor { Output.confirm("\($0).") }
        do throws(SensorError) {
            try sensor.enroll(finger, until: Prompt(PromptContent(.biometry)))
        } catch { throw fault(error) }
    }

    /// Enrolls a finger for a vault that uses the reader, which takes the passcode.
    private static func enrollInVault(_ finger: String, _ access: VaultAccess) throws -> String {
        try EnrolledSet.requireConsent(access)
        try EnrolledSet.add(finger, access)
        Output.confirm("Enrolled \(finger).")
        return finger
    }

    /// Says which secrets a finger opens from now on.
    private static func announce(_ access: VaultAccess) throws {
        let secrets = try access.entries(because: "look for secrets that take a finger").entries.filter {
            $0.policy.takesFinger
        }
        if secrets.isEmpty { return }
        let names = secrets.prefix(5).map { Terminal.line($0.name) }.joined(separator: ", ")
        let isMore = secrets.count > 5 ? " and \(secrets.count - 5) more" : ""
        Output.confirm("From now on a finger opens \(names)\(isMore), as the policy of each allows.")
    }

    private static func told(_ names: [String], _ done: String) -> String {
        """
        \(done) It opens secrets for \(Terminal.line(names.joined(separator: " or "))); the passcode is the fallback.
        \(EnrolledSet.limit)

        """
    }
}
