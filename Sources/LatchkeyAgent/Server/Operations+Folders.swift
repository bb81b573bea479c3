internal import AgentProtocol
internal import FolderKit
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import SodiumKit

// Requests about the folders that the kernel encrypts. The client moves the content; the agent alone has the keys.

extension Visit {
    func encryptedFolders() throws(AgentError) -> Answer<RawReply> {
        let isSettled = agent.folders.settle()
        let reports = agent.folders.reports
        try send(reports.map(\.head.text), as: "items")
        return Answer(Head(["count": .number("\(reports.count)"), "settled": .bool(isSettled)]))
    }

    /// Makes the key of a folder that is to be encrypted, and gives it to the kernel.
    func addEncryptedFolder(_ folder: EncryptedFolder, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        try requireAbsolute(folder.path)
        let key = try Self.randomKey()
        var folder = folder
        do throws(SystemError) {
            // Only the kernel derives identifiers from keys.
            let identifier = try key.withBytes { (bytes) throws(SystemError) in
                try FolderKeys.add(bytes, to: folder.path)
            }
            folder.identifier = "\(identifier)"
            agent.folders.note(folder)
        } catch { throw AgentError(.request, "\(folder.path): the file system takes no key: \(error)") }
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            try agent.folders.records.add(
                folder, key: key, by: requester, in: context, interaction: interaction)
        } catch {
            agent.folders.forget(folder.identifier)
            throw AgentError(error)
        }
        agent.folders.settle()
        return Answer(Head(["identifier": .string(folder.identifier)]))
    }

    /// Opens a folder, and notes where it is.
    func openEncryptedFolder(
        _ identifier: String, at path: String, _ asked: AskedRequest
    ) throws(AgentError) {
        try requireAbsolute(path)
        let folder = try encryptedFolder(identifier)
        let (context, interaction) = try context(asked)
        // This unlocks the vault if it has to be, and shows that the key is there.
        let key = try onKeychain { (keychain) throws(KeychainError) in
            try agent.folders.records.readKey(
                of: identifier, by: requester, in: context, interaction: interaction)
        }
        guard let key else {
            throw AgentError(.damaged, "the key of \(path) is missing: restore it from a backup of the vault")
        }
        _ = consume key
        if folder.path != path {
            var next = folder
            next.path = path
            try onKeychain { (_) throws(KeychainError) in
                try agent.folders.records.change(
                    folder, to: next, by: requester, in: context, interaction: interaction)
            }
        }
        guard agent.folders.settle() else {
            throw AgentError(.agent, "\(path) is not open yet: run `latchkey folder status`")
        }
        let report = agent.folders.reports.first { $0.folder.identifier == identifier }
        if let trouble = report?.trouble { throw AgentError(.request, "\(path) cannot be opened: \(trouble)") }
    }

    func changeEncryptedFolder(_ folder: EncryptedFolder, _ asked: AskedRequest) throws(AgentError) {
        try requireAbsolute(folder.path)
        let former = try encryptedFolder(folder.identifier)
        let drops = agent.folders.drops(for: folder.identifier)
        // While the content is moved, no dropped file is: they would be in the way of the end of an `unprotect`.
        if folder.isMoving && !former.isMoving && drops > 0 {
            throw AgentError(
                .request, "\(counted(drops, "dropped file")) wait for \(folder.path): run `latchkey folder status`")
        }
        let (context, interaction) = try context(asked)
        try onKeychain { (_) throws(KeychainError) in
            try agent.folders.records.change(
                former, to: folder, by: requester, in: context, interaction: interaction)
        }
        agent.folders.settle()
    }

    /// Deletes the key of a folder. Throws if that would make content unreadable for good, unless the client is sure.
    func removeEncryptedFolder(_ identifier: String, isSure: Bool) throws(AgentError) {
        let folder = try encryptedFolder(identifier)
        // Only a move leaves a plain folder that this key belongs to. Another one at the path says nothing about its folder.
        guard isSure || (folder.isMoving && (try? FolderKeys.encryption(of: folder.path)) == .plain) else {
            throw AgentError(
                .request,
                "\(folder.path) may still be encrypted with this key: run `latchkey folder unprotect \(folder.path)`")
        }
        if !isSure, let first = try Self.remains(of: folder) {
            throw AgentError(
                .request, "\(first) is encrypted with this key: run `latchkey folder unprotect` on it first")
        }
        let drops = agent.folders.drops(for: identifier)
        if drops > 0 && !isSure {
            throw AgentError(
                .request,
                "\(counted(drops, "dropped file")) for \(folder.path) would be lost: run `latchkey folder protect "
                    + "\(folder.path)` so that they are moved into it, then unprotect it again")
        }
        try onKeychain { (_) throws(KeychainError) in try agent.folders.records.remove(identifier, by: requester) }
        agent.folders.discardDrops(for: identifier)
        agent.folders.settle()
    }

    func drop(_ path: String, into identifier: String) throws(AgentError) -> Answer<RawReply> {
        try requireAbsolute(path)
        let isMoved = try agent.folders.drop(path, into: encryptedFolder(identifier))
        return Answer(Head(["moved": .bool(isMoved)]))
    }

    private func encryptedFolder(_ identifier: String) throws(AgentError) -> EncryptedFolder {
        let folder = try onKeychain { (_) throws(KeychainError) in
            try agent.folders.records.folder(identifier, by: requester)
        }
        guard let folder else {
            throw AgentError(.notFound, "the vault has no such folder: run `latchkey folder status` to see all")
        }
        return folder
    }

    /// Returns the path of a folder that an earlier move has left and that the key of this one encrypts; nil if there is none.
    private static func remains(of folder: EncryptedFolder) throws(AgentError) -> String? {
        guard let identifier = FolderKeyIdentifier(folder.identifier) else { return nil }
        do throws(FolderError) {
            return try FolderMove.remains(of: folder.path, encryptedBy: identifier).first
        } catch {
            throw AgentError(
                .request, "it is not known if something beside \(folder.path) is encrypted with its key: \(error)")
        }
    }

    private static func randomKey() throws(AgentError) -> SecureBytes {
        do throws(SodiumError) {
            var key = try SecureBytes(count: FolderKeys.keyCount)
            key.withMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in Sodium.fillRandomly(bytes) }
            return key
        } catch { throw AgentError(.vault, "\(error)") }
    }
}
