internal import AccessPolicy
internal import Latchkey
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization

extension Stage {
    /// Returns the files that the scenario declares, as they are on the new device.
    static func files(_ scenario: Scenario, on vault: Vault) throws(KeychainError) -> StageFiles {
        var files = try StageFiles(count: scenario.files.count, on: vault)
        for (place, file) in scenario.files.enumerated() where file.isStored {
            var new = try files.make(file.protection, on: vault, isOpen: file.isOpen)
            new.isExcludedFromBackup = file.isExcludedFromBackup
            files[place] = new
        }
        return files
    }

    /// Performs a call on a file: `decide` gives the verdict, and a grant also needs the keys.
    func call(_ request: FileRequest, _ outcome: inout StepOutcome) throws(KeychainError) {
        let vault = keychain.vault
        var files = state.withLock { $0.files }
        if let fault = fault(of: request, files[request.file]) {
            outcome.verdict = .faulty(fault)
            return
        }
        if let access = access(of: request, files[request.file]) {
            let name = scenario.files[request.file].name
            let subject = FileSubject(id: Array(name.utf8), path: name, caller: keychain.caller)
            let decision: FileDecision
            do {
                decision = try vault.decision(access, about: subject)
            } catch {
                throw .vault(error)
            }
            outcome.fileDecision = decision
            if !decision.isGranted {
                outcome.verdict = .closed(decision.rule)
                return
            }
            try Self.perform(request, access, on: &files, vault)
        } else {
            files[request.file]?.handle = nil
        }
        outcome.verdict = .granted([], reusesUnlock: false)
        state.withLock { $0.files = files }
    }

    /// Returns the reason why a call is impossible in any state of the device; nil if there is none.
    private func fault(of request: FileRequest, _ file: StageFiles.File?) -> String? {
        let name = scenario.files[request.file].name
        switch request.action {
        case .write: return nil
        case .begin: return file == nil ? nil : "there is a file \(name) already"
        case .open, .append, .rename, .protect, .exclude, .unlink: return file == nil ? "there is no file \(name)" : nil
        case .close: return file?.handle == nil ? "\(name) is not open" : nil
        }
    }

    /// Returns the access to decide about; nil if the call needs none.
    private func access(of request: FileRequest, _ file: StageFiles.File?) -> FileAccess? {
        let protection = file?.protection ?? scenario.files[request.file].protection
        switch request.action {
        case .write(let named), .begin(let named): return .create(named ?? protection)
        case .open: return .open(protection)
        case .append: return file?.handle == nil ? .open(protection) : .use(protection)
        case .close: return nil
        case .rename, .exclude, .unlink: return .manage(protection)
        case .protect(let next): return .protect(protection, as: next)
        }
    }

    /// Does what was granted.
    private static func perform(
        _ request: FileRequest, _ access: FileAccess, on files: inout StageFiles, _ vault: Vault
    ) throws(KeychainError) {
        let place = request.file
        switch access {
        case .create(let protection):
            let isOpen = if case .begin = request.action { true } else { false }
            files[place] = try files.make(protection, on: vault, isOpen: isOpen)
        case .open(let protection):
            guard let file = files[place] else { return }
            let key = try file.key(to: access, on: vault)
            if request.action == .open { files[place]?.handle = try StageFiles.handle(protection, key) }
        case .use:
            guard let file = files[place] else { return }
            if try file.handle?.read(file) != true { _ = try file.key(to: access, on: vault) }
        case .protect(_, let next): try files.move(place, to: next, on: vault)
        case .manage:
            if case .rename(let next) = request.action {
                guard next != place else { return }
                files[next] = files[place]
                files[place] = nil
            } else if request.action == .unlink {
                files[place] = nil
            } else {
                files[place]?.isExcludedFromBackup = true
            }
        }
    }

    // MARK: - Events

    /// Forgets the files of a device that was erased, by a person or after the last wrong passcode.
    func forgetErasedFiles() throws(KeychainError) {
        let (vault, files) = (keychain.vault, state.withLock { $0.files })
        if try files.areErased(on: vault) { try restoreFiles([]) }
    }

    /// Puts the files of a backup on a device that was just erased. They get new keys there.
    func restoreFiles(_ copies: [StageFiles.Copy]) throws(KeychainError) {
        let vault = keychain.vault
        var files = try StageFiles(count: scenario.files.count, on: vault)
        for copy in copies { files[copy.place] = try files.make(copy.protection, on: vault) }
        state.withLock { $0.files = files }
    }

    /// Returns the state of the file at this index.
    func fileState(_ place: Int) -> FileState {
        state.withLock { $0.files[place] == nil } ? .missing : .stored
    }
}
