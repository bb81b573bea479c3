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
    func perform(_ asked: AskedRequest, _ secret: consuming SecureBytes?) throws(Fault) -> Answer {
        let holder: any Holder = asked.mayAsk ? RelayedHolder(session: self) : NobodyThere()
        do throws(Fault) {
            let given = Carrier<SecureBytes?>(secret)
            return try Keychain.asking(holder) { () throws(Fault) in
                Carrier(try performAsking(asked, given.take() ?? nil))
            }.take() ?? Answer()
        } catch {
            // A prompt that nobody could be shown was not dismissed by anybody.
            if error.kind == .dismissed && !asked.mayAsk { throw error.asUnasked }
            throw error
        }
    }

    private func performAsking(_ asked: AskedRequest, _ secret: consuming SecureBytes?) throws(Fault) -> Answer {
        switch asked.request {
        case .status: return Answer(try status().head)
        case .unlock(let bySensor): try unlock(bySensor: bySensor, asked)
        case .lock: try lock()
        case .stop: return Answer(agent.closeVault()?.head ?? Head())  // the process ends after the answer is sent
        case .read(let name): return try read(name, asked)
        case .add(let name, let demand, let comment, let replaces):
            try add(name, demand, comment, replaces: replaces, secret.take(), asked)
        case .exchange(let former, let name, let demand, let comment):
            try exchange(former, for: name, demand, comment, secret.take(), asked)
        case .change(let name, let changes): try change(name, changes, secret.take(), asked)
        case .remove(let name): try remove(name, asked)
        case .list(let isBrief): return try list(isBrief: isBrief)
        case .show(let name): return try show(name)
        case .changePasscode: return try changePasscode()
        case .recover: return try recover()
        case .verify: return try verify()
        case .backUp(let path): return try backUp(to: path, asked)
        case .takeIn(let path): return try takeIn(path, asked)
        case .enrol(let name): try enrol(name)
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
    ) throws(Fault) -> Value {
        do throws(KeychainError) { return try body(agent.keychain) } catch { throw Fault(error) }
    }

    /// Shows a prompt at the client's terminal; what was typed there.
    func ask(_ wish: Question.Wish, because reason: String) throws(Fault) -> SecureBytes {
        let prompt = Prompt(Question(wish, reason: reason))
        let response = agent.keychain.ask(prompt)
        if prompt.ending == .systemCancelled {
            throw Fault(.dismissed, "the vault was locked before the question was answered, and nothing was done")
        }
        if case .typed(let typed) = consume response { return typed }
        throw Fault(.dismissed, "nothing was typed, and nothing was changed")
    }

    /// Throws where the device refused.
    func require(_ effects: Effects) throws(Fault) {
        if let refusal = effects.refusal { throw Fault(KeychainError.refused(refusal)) }
    }

    // MARK: - The device

    /// Locks the vault. An error says that it is locked all the same.
    private func lock() throws(Fault) {
        do throws(Fault) {
            try onKeychain { (keychain) throws(KeychainError) in _ = try keychain.lock() }
        } catch {
            guard agent.hasFailed else { throw error }
            throw Fault(
                error.kind,
                "the keys are wiped and the vault is locked, but the log could not record it (\(error.message))")
        }
    }

    private func status() throws(Fault) -> StatusReport {
        let keychain = agent.keychain
        // This asks the sensor whom it knows, so that what follows is of now.
        _ = try onKeychain { (keychain) throws(KeychainError) in try keychain.enrolmentHash }
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
        report.sensorTrouble = device.settings.sensor == .none ? nil : keychain.sensorFailure.map { "\($0)" }
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

    private func unlock(bySensor: Bool, _ asked: AskedRequest) throws(Fault) {
        if !asked.mayAsk { throw Fault(.nobody, "somebody has to type the passcode: run it in a terminal") }
        let context = try proofs()
        if bySensor {
            let effects = try unlockBySensor()
            try require(effects)
            if !effects.proved(.biometry) { throw Fault(.wrong, "the sensor does not know what it was shown") }
            return
        }
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlock(reason: asked.reason ?? "unlock the vault", by: requester, in: context)
        }
    }

    private func unlockBySensor() throws(Fault) -> Effects {
        let sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        if sensor == .none { throw Fault(.request, "the vault has no sensor: the passcode unlocks it") }
        let (prompt, shown) = try showSensor(because: "unlock the vault")
        return try onKeychain { (keychain) throws(KeychainError) in
            try keychain.unlockBySensor(showing: shown, until: prompt)
        }
    }

    /// Asks whoever is there to turn to the sensor; what they show, where it is a fake one, and the prompt that they may end.
    func showSensor(because reason: String) throws(Fault) -> (Prompt, shown: String?) {
        let status = try status()
        var question = Question(.biometry, reason: reason)
        question.sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        question.enrolled = status.enrolled
        question.isSensorFake = status.isSensorFake
        let prompt = Prompt(question)
        let response = agent.keychain.ask(prompt)
        if case .touch(let shown) = consume response { return (prompt, shown) }
        throw Fault(.dismissed, "nobody turned to the sensor")
    }

    private func changePasscode() throws(Fault) -> Answer {
        let reason = "change the passcode of the vault"
        let present = try ask(.passcode, because: reason)
        // Whoever has it wrong is told before they think of another.
        let judged = try onKeychain { (keychain) throws(KeychainError) in try keychain.unlock(passcode: present) }
        try require(judged)
        if !judged.proved(.passcode) { throw Fault(KeychainError.wrongPasscode) }
        let next = try ask(.newPasscode, because: reason)
        if next.equals(present) { throw Fault(.request, "this is the present passcode: choose another one") }
        let effects = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.changePasscode(from: present, to: next)
        }
        try require(effects)
        if effects.contains(.rejected(.passcode)) { throw Fault(KeychainError.wrongPasscode) }
        return warning(about: next)
    }

    /// The answer once a passcode is set: a warning where it is easy to guess. It is set all the same.
    private func warning(about passcode: borrowing SecureBytes) -> Answer {
        guard let cost = try? agent.keychain.cost, let warning = PasscodeStrength(passcode).warning(cost) else {
            return Answer()
        }
        return Answer(Head(["warning": .string(warning)]))
    }

    private func recover() throws(Fault) -> Answer {
        let text = try ask(.recoveryKey, because: "set a new passcode")
        guard let key = try? RecoveryKey(text) else {
            throw Fault(.wrong, "this is no recovery key: it has 56 letters and digits; check it letter by letter")
        }
        let next = try ask(.newPasscode, because: "set a new passcode")
        try require(
            try onKeychain { (keychain) throws(KeychainError) in try keychain.recover(with: key, to: next) })
        return warning(about: next)
    }
}

extension Fault {
    /// The same where nobody could be shown the prompt.
    fileprivate var asUnasked: Fault {
        Fault(
            .nobody, "somebody has to be asked, and nobody can be here: run it in a terminal", rule: rule,
            status: status)
    }
}
