internal import CommandLineKit
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// `latchkey init`
enum InitCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let authenticators = Authenticators()
        let making = Making()
    }

    struct Authenticators: OptionList {
        let heading = "who judges"
        let ownPasscode = Option("--own-passcode", says: "a passcode of the vault's own, judged by its keys alone")
        let service = Option(
            "--service", value: "SERVICE",
            says: "the service of /etc/pam.d that PAM is asked by (latchkey where it is installed, or else one in the "
                + "vault's own folder)")
        let fakeBiometry = Option(
            "--fake-biometry", says: "a fake sensor, for trying things out; the vault says so for ever")
        let sensor = Option(
            "--sensor", value: "COMMAND", says: "the command that is the sensor; see docs/sensors.md", values: .file
        ) { (command) throws(UsageError) in
            if !command.hasPrefix("/") { throw UsageError("--sensor takes a path from the root on") }
            return command
        }
        let sensorKind = Option(
            "--sensor-kind", value: "KIND", kind: "kind of sensor",
            says: "what it is: touchID (the usual), faceID or opticID",
            among: SensorKind.allCases.filter { $0 != .none }.map { ($0.name, $0) })
    }

    struct Making: OptionList {
        let heading = "how"
        let cost = Option<StretchCost?>(
            "--kdf", value: "COST", says: "what a guess of the passcode costs: moderate (the usual) or sensitive",
            among: [("moderate", .moderate), ("sensitive", .sensitive)])
        let durableLog = Option(
            "--durable-log", says: "put each record of the log on the disk before an answer is given")
        let logSize = Option(
            "--log-size", value: "SIZE", says: "how large the log may grow, such as 64M or 1G; 32M is the usual",
            read: SettingsCommand.bytes)
        let noRecovery = Option(
            "--no-recovery", says: "no recovery key: a forgotten passcode then loses everything")
    }

    static let declaration = Declaration(
        name: "init", summary: "make a vault",
        text: """
            Makes a vault in a folder that does not exist yet, and leaves it unlocked. The passcode is your login password, as
            PAM checks it, unless --own-passcode says that the vault is to have one of its own.

            A recovery key is shown once, on the terminal: it sets a new passcode when the present one is forgotten. Write it
            down and keep it somewhere else.
            """,
        options: Options(),
        statuses: ExitStatus.all(but: [.notFound, .locked, .damaged]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = try options(given)
        let folder = try VaultAccess.folder(given[\.vault])
        if access(folder, F_OK) == 0 {
            throw AgentError(
                .exists,
                "there is something at \(folder) already, and nothing is replaced: --vault names another folder")
        }
        guard TerminalUser.isThere else {
            throw AgentError(.nobody, "a passcode has to be chosen and there is no terminal: run the command in one")
        }
        // Whatever is wrong with the place is said before anybody types a passcode.
        do throws(VaultError) { try Vault.requireSafe(newPlace: folder) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        try CrashSafety.shutOff()
        try makeParents(of: folder)
        let pam = try pam(given[\.authenticators], beside: folder)
        defer { pam?.removeDraft() }
        let passcode = try passcode(checkedBy: pam)
        try make(given, folder, options, passcode, pam)
        unlock(given[\.vault], passcode)
        if let warning = PasscodeStrength(passcode).warning(options.cost) { Output.complain(warning) }
        // A vault that was named has to be named again.
        let isNamed = given[\.vault].map { " --vault \(Terminal.line($0))" } ?? ""
        return "A vault was made in \(Terminal.line(folder)). To keep a secret in it: latchkey set NAME\(isNamed)\n"
    }

    /// Makes the vault, with its settings, and shows the recovery key: all of it or nothing, whatever key is pressed meanwhile.
    private static func make(
        _ given: Given<Options>, _ folder: String, _ options: KeychainOptions, _ passcode: borrowing SecureBytes,
        _ pam: NewPAMService?
    ) throws {
        let former = SignalSet(Signals.ending + [SIGTSTP]).hold()
        defer { former.holdOnly() }
        let made: (keychain: Keychain, recoveryKey: RecoveryKey?)
        do {
            made = try Keychain.create(
                at: folder, options, passcode: passcode, sensor: sensor(given[\.authenticators], options.sensor))
        } catch { throw AgentError(error) }
        made.keychain.close()
        do {
            let place = try VaultAccess.place(given[\.vault])
            var settings = VaultSettings()
            settings.pam = try pam?.move(into: place)
            settings.sensor = given[\.authenticators.sensor].map { [$0] }
            try settings.write(to: place)
            if let key = made.recoveryKey { try show(key) }
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
        if isFake && hasSensor { throw UsageError("--fake-biometry and --sensor exclude each other") }
        if isFake || hasSensor { options.sensor = authenticators[\.sensorKind] ?? .touchID }
        options.allowsFakeSensor = isFake
        options.hasRecoveryKey = !making[\.noRecovery]
        options.hasDurableAudit = making[\.durableLog]
        if let size = making[\.logSize] { options.auditLimit = size }
        return options
    }

    private static func sensor(_ given: Given<Authenticators>, _ kind: SensorKind) -> SensorChoice {
        if given[\.fakeBiometry] { return .fake }
        return given[\.sensor].map { .external(ExternalSensor(command: [$0], kind: kind)) } ?? .none
    }

    private static func makeParents(of folder: String) throws {
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for count in parts.indices where count > 0 {
            let path = parts[...count].joined(separator: "/")
            if path.isEmpty { continue }
            // The umask may take away rights of the owner.
            let isMade = mkdir(path, 0o700) == 0
            guard isMade ? chmod(path, 0o700) == 0 : errno == EEXIST || errno == EISDIR else {
                throw AgentError(.vault, "\(path): \(SystemError.last)")
            }
        }
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
            return try typed(.newPasscode, "make a vault; the passcode opens it and is known to nobody else")
        }
        let passcode = try typed(.passcode, "make a vault; its passcode is your login password, as PAM checks it")
        switch pam.authenticator.authenticate(passcode).verdict {
        case .accepted: return passcode
        case .wrong:
            throw AgentError(
                .wrong, "PAM does not take this for your login password: try again, or make a vault with --own-passcode"
            )
        case .unavailable(let trouble):
            throw AgentError(.unavailable, "\(trouble); --own-passcode makes a vault that does not ask PAM")
        }
    }

    private static func typed(_ kind: PromptContent.Kind, _ reason: String) throws -> SecureBytes {
        let response = TerminalUser().answer(Prompt(PromptContent(kind, reason: reason, app: "latchkey")))
        if case .typed(let typed) = consume response { return typed }
        throw AgentError(.dismissed, "nothing was typed, and no vault was made")
    }

    // MARK: - Afterwards

    /// Shows the recovery key on the terminal, wherever the output leads.
    private static func show(_ key: RecoveryKey) throws {
        let text = try key.text()
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        defer { if terminal >= 0 { close(terminal) } }
        guard terminal >= 0, Output.write("\nRecovery key, shown this once:\n\n  ", to: terminal),
            SecretOutput.write(text, to: terminal), Output.write("\n\n", to: terminal)
        else {
            throw AgentError(
                .nobody, "the recovery key could not be shown, and no vault was made: run it in a terminal")
        }
    }

    /// Whoever has just chosen the passcode need not type it again. That the agent does not come up is no reason to take the
    /// vault away: the next command says why.
    private static func unlock(_ vault: String?, _ passcode: borrowing SecureBytes) {
        guard let access = try? VaultAccess(vault), let text = try? passcode.copy() else { return }
        let once = OneAnswer(text)
        _ = try? access.client.ask(.unlock(bySensor: false), of: ClosureUser(atOnce: true) { _ in once.take() })
    }
}
