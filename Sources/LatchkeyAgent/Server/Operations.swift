internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

// Performs each request. The keychain makes every decision.

extension Visit {
    /// Performs the deed of a request, and keeps what its user has proved.
    func answer<Call: Deed>(
        _ call: Call, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Call.Reply> {
        let user: any DeviceUser = asked.mayAsk ? asked.visitor.user(of: self) : NoUser()
        do throws(AgentError) {
            var given = consume secret
            var answer = Answer<Call.Reply>()
            let (before, locks) = (promptCount, agent.kept.locks)
            // A request that shows no prompt, such as a lock, waits for nothing here.
            defer { if promptCount != before { noteEvidence() } }
            try Keychain.asking(user) { () throws(AgentError) in answer = try call.run(self, asked, given.take())
            }
            // Before the answer, because the next program may ask as soon as the client has it.
            if promptCount != before {
                try keepAuthentication(for: call, since: locks)
            }
            return answer
        } catch {
            if error.kind == .notFound, case .secret(let name) = call.subject, wasDeleted(name) {
                throw AgentError(
                    .notFound, "\(name) was deleted: to bring it back, run `latchkey undo \(name)`",
                    status: error.status)
            }
            if let delayed = untilWhen(error) { throw delayed }
            // A prompt that was not shown was not dismissed either.
            if error.kind == .dismissed && !asked.mayAsk { throw error.asUnasked }
            throw error
        }
    }

    /// Returns an error about wrong passcodes with the time until one is accepted again; nil for any other error.
    private func untilWhen(_ error: AgentError) -> AgentError? {
        let isRefused = error.rule == Rule.passcodeDelayed.identifier
        guard isRefused || error.rule == Rule.sheetFailed.identifier, let device = try? agent.keychain.device else {
            return nil
        }
        switch device.passcodeState {
        // The last wrong passcode of a prompt may have been one too many.
        case .delayed: break
        case .disabled where !isRefused: return AgentError(KeychainError.refused(.passcodeDisabled))
        case .ready, .notSet, .disabled: if !isRefused { return nil }
        }
        return .passcodeDelayed(device.passcodeDelay, status: error.status)
    }

    /// Calls `body` with the keychain and throws its errors as ``AgentError``.
    func onKeychain<Value: ~Copyable>(
        _ body: (Keychain) throws(KeychainError) -> Value
    ) throws(AgentError) -> Value {
        do throws(KeychainError) { return try body(agent.keychain) } catch {
            var fault = AgentError(error)
            if case .wrongPasscode = error, let words = wordsOfWrongPasscode { fault.message = words }
            throw fault
        }
    }

    /// The message after a wrong passcode: how many are left before a delay, and what to do. Nil if none is left, or if the
    /// vault cannot be read.
    private var wordsOfWrongPasscode: String? {
        guard let device = try? agent.keychain.device else { return nil }
        let left = device.wrongPasscodeLimit - device.wrongPasscodes.count
        guard left > 0 else { return nil }
        let way = (try? agent.keychain.hasRecoveryKey) == true
        return
            "the passcode is wrong: try again; \(counted(left, "attempt is", "attempts are")) left, and then none is "
            + "accepted for a while" + (way ? ". If you forgot it, run `latchkey recover` with the recovery key" : "")
    }

    /// Shows a prompt at the client's terminal and returns what the user typed.
    func ask(
        _ kind: PromptContent.Kind, because reason: String, attempt: Int = 1, of limit: Int? = nil, notes: [String] = []
    ) throws(AgentError) -> SecureBytes {
        var content = PromptContent(kind, reason: reason)
        content.notes = notes
        // A note is about the last answer, so the prompt must not call that one wrong: the allowance counts earlier mistakes.
        content.attempt = notes.isEmpty ? attempt : 1
        content.allowance = limit.map { .init(number: attempt, limit: $0) }
        let prompt = Prompt(content)
        let response = agent.keychain.ask(prompt)
        if prompt.ending == .systemCanceled {
            throw AgentError(.dismissed, "the vault was locked before you answered, and nothing was done")
        }
        if case .typed(let typed) = consume response { return typed }
        throw AgentError(.dismissed, "nothing was typed, and nothing was changed")
    }

    /// Throws if the device refused.
    func require(_ effects: Effects) throws(AgentError) {
        if let refusal = effects.refusal { throw AgentError(KeychainError.refused(refusal)) }
    }

    // MARK: - The device

    /// Locks the vault. It waits for no file and no program. If this throws, the vault is closed, and locked all the same.
    func lock() throws(AgentError) -> LockReport {
        do throws(KeychainError) {
            var report = LockReport()
            report.hasFolders = agent.folders.hasAny
            switch try agent.lockAndRecord() {
            case .made: break
            case .waiting: report.isRecordWaiting = true
            case .failed(let error): report.trouble = error.message
            }
            return report
        } catch { throw AgentError(error) }
    }

    func status() throws(AgentError) -> StatusReport {
        let keychain = agent.keychain
        // This asks the sensor for its enrolled set, so that the report is up to date.
        let trouble = agent.sensorLook.trouble()
        let (device, names) = try onKeychain { (keychain) throws(KeychainError) in
            (try keychain.device, try keychain.enrolledNames)
        }
        let state: StatusReport.State =
            device.isLocked ? (device.hasFirstUnlock ? .locked : .beforeFirstUnlock) : .unlocked
        var report = StatusReport()
        report.vault = agent.place.vault
        report.state = state
        report.sensor = device.settings.sensor.name
        report.isSensorFake = keychain.hasFakeSensor
        report.enrolled = names
        report.sensorTrouble = device.settings.sensor == .none ? nil : trouble
        report.service = agent.storedSettings[.pamService].textIfAny
        report.areSettingsUnchecked = !keychain.hasCheckedSettings
        report.settingsPutBack = try onKeychain { (keychain) throws(KeychainError) in try keychain.settingsPutBack }
            .map { Int($0 / 1000) }
        report.locksAfter = agent.locksAfter
        report.failedAttempts = device.wrongPasscodes.count
        report.delay = device.passcodeDelay
        if let remains = try onKeychain({ (keychain) throws(KeychainError) in try keychain.formerPasscodeRemains }) {
            report.formerOpensFor = Int((remains + 999) / 1000)
        }
        report.sleepTrouble = agent.sleepTrouble
        report.clockBehind = clockBehind(device)
        report.limitTroubles = agent.limits.troubles
        report.process = Agent.process
        // A damaged log must not hide the rest of the report. `latchkey verify` names the damage.
        if let log = try? keychain.auditSettings { report.log = SettingChanges(log) }
        return report
    }

    /// Returns the seconds by which the clock is behind the latest time that the vault has seen.
    private func clockBehind(_ device: Device) -> Int {
        max(0, Int(device.now.milliseconds / 1000) - Int(SystemClock.since1970.seconds))
    }

    func unlock(bySensor: Bool, _ asked: AskedRequest) throws(AgentError) {
        if !asked.mayAsk {
            throw AgentError(.noTerminal, "the passcode is needed and there is no terminal: run the command in one")
        }
        let context = try authenticationContext()
        if bySensor {
            let effects = try unlockBySensor()
            try require(effects)
            if !effects.authenticated(.biometry) {
                throw AgentError(.wrong, "the sensor found no match")
            }
            return
        }
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlock(reason: asked.reason ?? "unlock the vault", by: requester, in: context)
        }
    }

    private func unlockBySensor() throws(AgentError) -> Effects {
        let sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if sensor == .none { throw AgentError(.request, "the vault has no sensor: unlock it with the passcode") }
        if agent.keychain.isOutOfReach(of: requester) {
            throw AgentError(
                .unavailable,
                "you are logged in over a network, and the sensor is at the machine: run `latchkey unlock`")
        }
        let (prompt, shown) = try showSensor(because: "unlock the vault")
        return try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlockBySensor(showing: shown, until: prompt)
        }
    }

    /// Asks the user to turn to the sensor. Returns the prompt, which the user may still end, and the finger that a
    /// fake sensor is shown.
    func showSensor(because reason: String) throws(AgentError) -> (Prompt, shown: String?) {
        let status = try status()
        var content = PromptContent(.biometry, reason: reason)
        content.sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        content.enrolled = status.enrolled
        content.isSensorFake = status.isSensorFake
        let prompt = Prompt(content)
        let response = agent.keychain.ask(prompt)
        if case .touch(let shown) = consume response { return (prompt, shown) }
        throw AgentError(.dismissed, "the prompt for the sensor was dismissed")
    }
}

extension Device {
    /// The number of seconds in which no passcode is accepted; 0 if one is.
    fileprivate var passcodeDelay: Int { max(0, Int((delayedUntil - now).milliseconds + 999) / 1000) }
}

extension AgentError {
    /// The error for a client that may show no prompt.
    fileprivate var asUnasked: AgentError {
        AgentError(
            .noTerminal, "authentication is needed and there is no terminal: run the command in one", rule: rule,
            status: status)
    }
}
