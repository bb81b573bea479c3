internal import DeviceModel
internal import Glibc
internal import PlainText

/// The settings of a vault that lie beside it: its authenticators, and when it locks itself. A user who can write this
/// file has the files of the vault, and still cannot open a key with it.
package struct VaultSettings: Hashable, Sendable {
    /// A PAM service.
    package struct PAM: Hashable, Sendable {
        /// The name of the service.
        package var service: String
        /// The folder that contains it.
        package var folder: String

        /// Creates a service.
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

    /// The number of seconds for which a vault stays unlocked by default.
    package static let usualLock = 600
    /// The longest number of seconds that can be set: ten years.
    static let longestLock = 10 * 366 * 86_400

    /// Creates settings.
    package init(pam: PAM? = nil, sensor: [String]? = nil, locksAfter: Int? = VaultSettings.usualLock) {
        self.pam = pam
        self.sensor = sensor
        self.locksAfter = locksAfter
    }

    /// Reads the settings beside a vault. Without a file, these are the usual ones.
    ///
    /// - Throws: ``AgentError`` if another user can write the file, or if it is not valid.
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
                .agent, "\(path) is not a file that only you may write to: check who owns it, and run `chmod go-w`")
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
                .agent, "\(path) is not valid: \(error). Correct it, or remove it for the usual settings")
        }
    }

    private init(from head: inout Head, of place: AgentPlace) throws(WireError) {
        if var pam = try head.consumeHeadIfPresent("pam") {
            let (service, folder) = (try pam.consumeText("service"), try pam.consumeText("folder"))
            // A relative folder lies in the vault's own, and moves with it.
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

    /// Writes the settings beside a vault, all of them or none.
    package func write(to place: AgentPlace) throws(AgentError) {
        let draft = place.settingsFile + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(draft) }
        let bytes = Array((head(of: place).text + "\n").utf8)
        // The umask may have taken rights from the owner.
        let isWritten =
            fchmod(file, 0o600) == 0 && Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let fault = AgentError.system(draft)
        close(file)
        guard isWritten else { throw fault }
        guard rename(draft, place.settingsFile) == 0 else { throw .system(place.settingsFile) }
    }
}
