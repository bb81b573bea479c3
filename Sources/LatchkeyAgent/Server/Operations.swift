internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// What becomes of each request. Nothing is decided here: everything is asked of the keychain.

extension Session {
    func perform(_ asked: AskedRequest, _ secret: consuming SecureBytes?) throws(AgentError) -> Answer {
        let user: any DeviceUser = asked.mayAsk ? RelayedUser(session: self) : NoUser()
        do throws(AgentError) {
            var given = consume secret
            var answer = Answer()
            try Keychain.asking(user) { () throws(AgentError) in answer = try performAsking(asked, given.take()) }
            return answer
        } catch {
            // A prompt that nobody could be shown was not dismissed by anybody.
            if error.kind == .dismissed && !asked.mayAsk { throw error.asUnasked }
            throw error
        }
    }

    private func performAsking(_ asked: AskedRequest, _ secret: consuming SecureBytes?) throws(AgentError) -> Answer {
        switch asked.request {
        case .status: return Answer(try status().head)
        case .unlock(let bySensor): try unlock(bySensor: bySensor, asked)
        case .lock: try lock()
        case .stop: return Answer(agent.closeVault()?.head ?? Head())  // the process ends after the answer is sent
        case .read(let name): return try read(name, asked)
        case .add(let name, let policy, let comment, let replaces):
            try add(name, policy, comment, replaces: replaces, secret.take(), asked)
        case .exchange(let former, let name, let policy, let comment):
            try exchange(former, for: name, policy, comment, secret.take(), asked)
        case .change(let name, let changes): try change(name, changes, secret.take(), asked)
        case .remove(let name): try remove(name, asked)
        case .list(let isBrief): return try list(isBrief: isBrief)
        case .show(let name): return try show(name)
        case .changePasscode: return try changePasscode()
        case .recover: return try recover()
        case .verify: return try verify()
        case .backUp(let path): return try backUp(to: path, asked)
        case .importBackup(let path): return try importBackup(path, asked)
        case .enroll(let name): try enroll(name)
        case .removeEnrolled(let name): try removeEnrolled(name)
        case .enrolled: return try enrolled()
        case .match: return try match(asked)
        case .resetSensor: try resetSensor()
        case .log(let after, let latest): return try log(after: after, latest: latest)
        case .logSettings(let changes): return try logSettings(changes, asked)
        }
        return Answer()
    }

    /// Runs `body` on the keychain, with its errors as faults.
    func onKeychain<Value: ~Copyable>(
        _ body: (Keychain) throws(KeychainError) -> Value
    ) throws(AgentError) -> Value {
        do throws(KeychainError) { return try body(agent.keychain) } catch { throw AgentError(error) }
    }

    /// Shows a prompt at the client's terminal; what was typed there.
    func ask(_ kind: PromptContent.Kind, because reason: String) throws(AgentError) -> SecureBytes {
        let prompt = Prompt(PromptContent(kind, reason: reason))
        let response = agent.keychain.ask(prompt)
        if prompt.ending == .systemCanceled {
            throw AgentError(.dismissed, "the vault was locked before the question was answered, and nothing was done")
        }
        if case .typed(let typed) = consume response { return typed }
        throw AgentError(.dismissed, "nothing was typed, and nothing was changed")
    }

    /// Throws where the device refused.
    func require(_ effects: Effects) throws(AgentError) {
        if let refusal = effects.refusal { throw AgentError(KeychainError.refused(refusal)) }
    }

    // MARK: - The device

    /// Locks the vault. An error says that it is locked all the same.
    private func lock() throws(AgentError) {
        do throws(AgentError) {
            try onKeychain { (keychain) throws(KeychainError) in _ = try keychain.lock() }
        } catch {
            guard agent.hasFailed else { throw error }
            throw AgentError(
                error.kind,
                "the keys are wiped and the vault is locked, but the log could not record it (\(error.message))")
        }
    }

    private func status() throws(AgentError) -> StatusReport {
        let keychain = agent.keychain
        // This asks the sensor whom it knows, so that what follows is of now.
        _ = try onKeychain { (keychain) throws(KeychainError) in try keychain.enrollmentHash }
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
        report.sensorTrouble = device.settings.sensor == .none ? nil : keychain.sensorError.map { "\($0)" }
        report.service = agent.settings.pam.map { "\($0.folder)/\($0.service)" }
        report.locksAfter = agent.locksAfter
        report.failedAttempts = device.wrongPasscodes.count
        report.delay = max(0, Int((device.delayedUntil - device.now).milliseconds + 999) / 1000)
        report.sleepTrouble = agent.sleepTrouble
        report.clockBehind = clockBehind(device)
        report.limitTroubles = agent.limits.troubles
        report.process = Agent.process
        // A damaged log does not hide how the vault is; `latchkey verify` names the damage.
        if let log = try? keychain.auditSettings {
            report.log = Request.LogChanges(size: log.limit, isDurable: log.isDurable)
        }
        return report
    }

    /// By how many seconds the clock on the wall is behind what the vault has seen.
    private func clockBehind(_ device: Device) -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return max(0, Int(device.now.milliseconds / 1000) - time.tv_sec)
    }

    private func unlock(bySensor: Bool, _ asked: AskedRequest) throws(AgentError) {
        if !asked.mayAsk {
            throw AgentError(.nobody, "the passcode is needed and there is no terminal: run the command in one")
        }
        let context = try authenticationContext()
        if bySensor {
            let effects = try unlockBySensor()
            try require(effects)
            if !effects.authenticated(.biometry) {
                throw AgentError(.wrong, "the sensor does not know what it was shown")
            }
            return
        }
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlock(reason: asked.reason ?? "unlock the vault", by: requester, in: context)
        }
    }

    private func unlockBySensor() throws(AgentError) -> Effects {
        let sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if sensor == .none { throw AgentError(.request, "the vault has no sensor: the passcode unlocks it") }
        let (prompt, shown) = try showSensor(because: "unlock the vault")
        return try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlockBySensor(showing: shown, until: prompt)
        }
    }

    /// Asks whoever is there to turn to the sensor; what they show, where it is a fake one, and the prompt that they may end.
    func showSensor(because reason: String) throws(AgentError) -> (Prompt, shown: String?) {
        let status = try status()
        var content = PromptContent(.biometry, reason: reason)
        content.sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        content.enrolled = status.enrolled
        content.isSensorFake = status.isSensorFake
        let prompt = Prompt(content)
        let response = agent.keychain.ask(prompt)
        if case .touch(let shown) = consume response { return (prompt, shown) }
        throw AgentError(.dismissed, "no finger or face came to the sensor")
    }

    private func changePasscode() throws(AgentError) -> Answer {
        let reason = "change the passcode of the vault"
        let present = try ask(.passcode, because: reason)
        // Whoever has it wrong is told before they think of another.
        let checked = try onKeychain { (keychain) throws(KeychainError) in try keychain.unlock(passcode: present) }
        try require(checked)
        if !checked.authenticated(.passcode) { throw AgentError(KeychainError.wrongPasscode) }
        let next = try ask(.newPasscode, because: reason)
        if next.equals(present) { throw AgentError(.request, "this is the present passcode: choose another one") }
        let effects = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.changePasscode(from: present, to: next)
        }
        try require(effects)
        if effects.contains(.rejected(.passcode)) { throw AgentError(KeychainError.wrongPasscode) }
        return warning(about: next)
    }

    /// The answer once a passcode is set: a warning where it is easy to guess. It is set all the same.
    private func warning(about passcode: borrowing SecureBytes) -> Answer {
        guard let cost = try? agent.keychain.cost, let warning = PasscodeStrength(passcode).warning(cost) else {
            return Answer()
        }
        return Answer(Head(["warning": .string(warning)]))
    }

    private func recover() throws(AgentError) -> Answer {
        let text = try ask(.recoveryKey, because: "set a new passcode")
        guard let key = try? RecoveryKey(text) else {
            throw AgentError(.wrong, "this is no recovery key: it has 56 letters and digits; check it letter by letter")
        }
        let next = try ask(.newPasscode, because: "set a new passcode")
        try require(
            try onKeychain { (keychain) throws(KeychainError) in try keychain.recover(with: key, to: next) })
        return warning(about: next)
    }
}

extension AgentError {
    /// The same where nobody could be shown the prompt.
    fileprivate var asUnasked: AgentError {
        AgentError(
            .nobody, "authentication is needed and there is no terminal: run the command in one", rule: rule,
            status: status)
    }
}
