internal import AgentProtocol
internal import FolderKit
internal import LinuxSystem
internal import PlainText

/// The processes that have files of an encrypted folder open.
struct FolderHolders {
    /// The processes; nil if they cannot be looked up.
    private let search: HolderSearch?

    /// Looks for processes that use files of a folder. It finds none if another folder is at the path of this one, because
    /// the processes there have nothing to do with its key.
    init(of folder: EncryptedFolder) {
        search = FolderKeyIdentifier(folder.identifier).flatMap {
            try? HolderSearch(below: folder.path, encryptedBy: $0)
        }
    }

    /// Ends each of the processes, which may take two seconds for one that does not end by itself.
    func end() {
        for holder in search?.holders ?? [] { _ = holder.end() }
    }

    /// The processes, each as a line for a person.
    var lines: [String] {
        guard let search else {
            return [
                "the processes that keep its files open cannot be looked up: it is not at this path, or cannot be read"
            ]
        }
        var lines = search.holders.prefix(Self.most).map(\.description)
        if search.holders.count > Self.most {
            lines.append("and \(counted(search.holders.count - Self.most, "other process", "other processes"))")
        }
        if search.hidden > 0 && search.holders.isEmpty {
            lines.append(
                "it may be one of \(counted(search.hidden, "process", "processes")) of other users: run `sudo lsof`")
        }
        return lines
    }

    private static let most = 20
}
