internal import AgentProtocol
internal import CommandLineKit
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence
internal import VaultService

/// `latchkey init`
enum InitCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let authenticators = Authenticators()
        let making = Making()
    }

    struct Authenticators: OptionList {
        let heading = "authentication"
        let ownPasscode = Option("--own-passcode", says: "give the vault its own passcode, which PAM does not check")
        let service = Option(
            "--service", value: "SERVICE",
            says: "the PAM service in /etc/pam.d; by default latchkey if it is installed, or else one in the vault")
        let fakeBiometry = Option(
            "--fake-biometry", says: "use a fake sensor, to try things out; the vault always says so")
        let sensor = Option(
            "--sensor", value: "COMMAND",
            says: "fprintd for the fingerprint reader of this machine, or the command of another sensor "
                + "(docs/sensors.md)", values: .file
        ) { (word) throws(UsageError) in try SettingName.sensor.value(of: word).text }
        let sensorKind = Option(
            "--sensor-kind", value: "KIND", kind: "kind of sensor",
            says: "the kind of sensor: touchID (the default), faceID or opticID",
            among: SensorKind.allCases.filter { $0 != .none }.map { ($0.name, $0) })
    }

    struct Making: OptionList {
        let heading = "vault"
        let cost = Option<StretchCost?>(
            "--kdf", value: "COST", says: "the cost of a passcode guess: moderate (the default) or sensitive",
            among: [("moderate", .moderate), ("sensitive", .sensitive)])
        let durableLog = Option(
            "--durable-log", says: "write each log record to disk before the agent answers")
        let logSize = Option(
            "--log-size", value: "SIZE", says: "the maximum size of the audit log, such as 1G; 32M by default"
        ) { (word) throws(UsageError) in try Int64(SettingName.logSize.value(of: word).number) }
        let defaultPolicy = Option(
            "--default-policy", value: "PRESET", kind: "preset",
            says: "the access policy of new secrets that name none; the command asks unless you choose it here",
            among: PolicyPreset.all.map { ($0.name, $0.policy) })
        let noRecovery = Option(
            "--no-recovery",
            says:
                "create no recovery key: a forgotten passcode then loses everything, until latchkey recovery-key replace "
                + "makes one")
    }

    static let declaration = Declaration(
        name: "init", summary: "create a vault",
        text: """
            Creates a vault in a folder that must not exist, and leaves it unlocked. The passcode is your login password, which
            PAM checks, unless you choose --own-passcode.

            The terminal shows a recovery key once. It sets a new passcode if you forget the present one: write it down and
            keep it somewhere else. The command then asks for one part of what you wrote down.
            """,
        options: Options(),
        examples: [
            ("latchkey init", "the passcode is your login password"),
            ("latchkey init --own-passcode", "the vault has its own passcode"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .locked, .damaged]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = try options(given)
        let folder = try NewVault.place(given[\.vault])
        try NewVault.prepare(folder)
        let pam = try pam(given[\.authenticators], beside: folder)
        defer { pam?.removeDraft() }
        let passcode = try passcode(checkedBy: pam)
        let policy = try given[\.making][\.defaultPolicy] ?? chosenPolicy()
        let recoveryKey = try make(given, folder, options, passcode, pam, policy)
        NewVault.unlock(given[\.vault], passcode)
        if let warning = PasscodeStrength(passcode).warning(options.cost) { Output.complain(warning) }
        // If --vault named the vault, later commands need it too.
        let isNamed = given[\.vault][\.folder].map { " --vault \(Terminal.line($0))" } ?? ""
        Output.confirm("Created a vault in \(folder). To save a secret in it, run `latchkey set NAME\(isNamed)`.")
        if let key = try recoveryKey?.text() { RecoveryKeyOutput.askForPart(of: key) }
        return ""
    }

    /// Creates the vault with its settings, and shows and returns the recovery key: everything or nothing. Signals of the terminal wait
    /// meanwhile.
    private static func make(
        _ given: Given<Options>, _ folder: String, _ options: KeychainOptions, _ passcode: borrowing SecureBytes,
        _ pam: NewPAMService?, _ policy: ItemPolicy
    ) throws -> RecoveryKey? {
        let place = AgentPlace(vault: folder, usual: nil, runtime: nil)
        var settings = VaultSettings.ofNewVault
        settings[.defaultPolicy] = .policy(policy)
        settings[.pamService] = pam?.setting(in: place) ?? ""
        settings[.sensor] = .text(given[\.authenticators.sensor] ?? "")
        var options = options
        options.settings = settings.bytes(forVaultIn: place.vault)
        let former = SignalSet(Signals.ending + [SIGTSTP]).hold()
        defer { former.holdOnly() }
        let made: (keychain: Keychain, recoveryKey: RecoveryKey?)
        do {
            made = try Keychain.create(
                at: folder, options, passcode: passcode, sensor: sensor(given[\.authenticators], options.sensor))
        } catch { throw AgentError(error) }
        made.keychain.close()
        do {
            try pam?.move(into: place)
            if let key = made.recoveryKey { try show(key) }
            return made.recoveryKey
        } catch {
            TemporaryPlace.remove(folder)
            throw error
        }
    }

    private static func options(_ given: Given<Options>) throws(UsageError) -> KeychainOptions {
        let (authenticators, making) = (given[\.authenticators], given[\.making])
        var options = KeychainOptions()
        if let cost = making[\.cost] { options.cost = cost }
        let (isFake, hasSensor) = (authenticators[\.fakeBiometry], authenticators[\.sensor] != nil)
        let kind = authenticators[\.sensorKind] ?? .touchID
        if authenticators[\.sensor] == VaultSettings.fprintd && kind != .touchID {
            throw UsageError("--sensor fprintd serves fingers: leave out --sensor-kind")
        }
        if isFake && hasSensor { throw UsageError("--fake-biometry and --sensor exclude each other") }
        if isFake || hasSensor { options.sensor = kind }
        options.allowsFakeSensor = isFake
        options.hasRecoveryKey = !making[\.noRecovery]
        options.hasDurableAudit = making[\.durableLog]
        if let size = making[\.logSize] { options.auditLimit = size }
        return options
    }

    private static func sensor(_ given: Given<Authenticators>, _ kind: SensorKind) -> SensorChoice {
        if given[\.fakeBiometry] { return .fake }
        return VaultSettings([.sensor: .text(given[\.sensor] ?? "")]).sensorChoice(kind)
    }

    // MARK: - Authenticators

    private static func pam(_ given: Given<Authenticators>, beside folder: String) throws -> NewPAMService? {
        let service = given[\.service]
        if given[\.ownPasscode] {
            if service != nil { throw UsageError("--own-passcode and --service exclude each other") }
            return nil
        }
        return try NewPAMService(named: service, beside: folder)
    }

    private static func passcode(checkedBy pam: NewPAMService?) throws -> SecureBytes {
        guard let pam else {
            return try NewVault.typed(.newPasscode, "create a vault; this passcode opens it")
        }
        for attempt in 1...NewVault.tries {
            let passcode = try NewVault.typed(.passcode, "create a vault; its passcode is your login password", attempt)
            switch pam.authenticator.authenticate(passcode).verdict {
            case .accepted: return passcode
            case .wrong: continue
            case .unavailable(let trouble):
                throw AgentError(.unavailable, "\(trouble); or create a vault without PAM, with --own-passcode")
            }
        }
        throw AgentError(
            .wrong,
            "PAM rejected your login password \(NewVault.tries) times, and no vault was created: try again, or create one with "
                + "--own-passcode")
    }

    /// Asks how new secrets are to open. Enter alone takes the recommendation.
    private static func chosenPolicy() throws -> ItemPolicy {
        let choices = ["open", "presence", "every-time"].compactMap { name in
            PolicyPreset.policy(named: name)
        }
        Output.write(
            """

            How do new secrets open? You can choose another way for each one.
              1  without a prompt, while the vault is unlocked
              2  once you have authenticated in the session (recommended)
              3  after a prompt each time

            """, isError: true)
        while true {
            guard let answer = DoctorQuestion.ask("1, 2 or 3 [2]: ") else {
                throw AgentError(.dismissed, "you chose nothing, and no vault was created")
            }
            if answer.isEmpty { return choices[1] }
            if let number = Int(answer), choices.indices.contains(number - 1) { return choices[number - 1] }
        }
    }

    // MARK: - Recovery key

    /// Shows the recovery key on the terminal, even if standard output goes elsewhere. Throws if it cannot be shown.
    private static func show(_ key: RecoveryKey) throws {
        let text = try key.text()
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        defer { if terminal >= 0 { close(terminal) } }
        guard terminal >= 0, RecoveryKeyOutput.show(text, on: terminal) else {
            throw AgentError(
                .noTerminal,
                "the recovery key could not be shown, and no vault was created: run the command in a terminal")
        }
    }
}
