internal import DeviceModel
internal import Glibc
internal import PlainText

/// What the owner of a vault has chosen for it besides what is sealed in it: whom to ask, and when to lock. Whoever can write
/// here has the files, and the keys stay shut all the same.
package struct VaultSettings: Hashable, Sendable {
    /// How PAM is asked; nil where the keys alone check the passcode.
    package struct PAM: Hashable, Sendable {
        /// The service.
        package var service: String
        /// The folder that it is a file of.
        package var folder: String

        package init(service: String, folder: String) {
            self.service = service
            self.folder = folder
        }
    }

    /// How PAM is asked; nil where the keys alone check the passcode.
    package var pam: PAM?
    /// The command that is the sensor; nil where there is none, or a fake one.
    package var sensor: [String]?
    /// After how many seconds without a request the vault is locked; nil for never.
    package var locksAfter: Int?

    /// How long a vault stays unlocked without a request, unless somebody says otherwise.
    package static let usualLock = 600
    /// The longest that it may stay so, where it does not stay so for ever: ten years.
    static let longestLock = 10 * 366 * 86_400

    package init(pam: PAM? = nil, sensor: [String]? = nil, locksAfter: Int? = VaultSettings.usualLock) {
        self.pam = pam
        self.sensor = sensor
        self.locksAfter = locksAfter
    }

    /// What is written beside the vault. Without a file, the usual.
    package init(of place: AgentPlace) throws(AgentError) {
        let path = place.settingsFile
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT {
                self.init()
                return
            }
            throw .system(path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else {
            throw AgentError(
                .agent, "\(path) is not a file that only you may write to: see who owns it, and chmod go-w it")
        }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw .system(path) }
        do throws(WireError) {
            var head = try Head(Array(bytes[..<count]))
            try self.init(from: &head, of: place)
            try head.end()
        } catch {
            throw AgentError(
                .agent, "\(path) is not understood: \(error); mend it, or remove it for the usual settings")
        }
    }

    private init(from head: inout Head, of place: AgentPlace) throws(WireError) {
        if var pam = try head.consumeHeadIfPresent("pam") {
            let (service, folder) = (try pam.consumeText("service"), try pam.consumeText("folder"))
            // A folder of the vault's own goes along where the vault is moved to.
            self.pam = PAM(service: service, folder: folder.hasPrefix("/") ? folder : "\(place.vault)/\(folder)")
            try pam.end()
        }
        let command = try head.consumeTexts("sensor")
        sensor = command.isEmpty ? nil : command
        let isSaid = head["lock-after"] != nil
        let seconds = try head.consumeNumberIfPresent("lock-after").map { Int(clamping: $0) } ?? 0
        locksAfter = isSaid ? seconds > 0 ? seconds : nil : Self.usualLock
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
        return head
    }

    /// Writes them beside a vault, whole or not at all.
    package func write(to place: AgentPlace) throws(AgentError) {
        let draft = place.settingsFile + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(draft) }
        let bytes = Array((head(of: place).text + "\n").utf8)
        // The umask may take away rights of the owner.
        let isWritten =
            fchmod(file, 0o600) == 0 && Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let fault = AgentError.system(draft)
        close(file)
        guard isWritten else { throw fault }
        guard rename(draft, place.settingsFile) == 0 else { throw .system(place.settingsFile) }
    }
}
