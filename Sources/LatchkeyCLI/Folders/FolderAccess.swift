package import AgentProtocol
package import CommandLineKit
internal import FolderKit
internal import Glibc
package import LinuxSystem
package import PlainText

/// A connection to the agent for a command on encrypted folders.
package struct FolderAccess {
    /// The operand that names a folder.
    package static let operand = Operand(name: "DIR", says: "the folder", values: .file, takesAnyBytes: true)

    package let vault: VaultAccess

    /// Connects to the agent of the vault.
    package init(_ choice: Given<VaultChoice>, mayAsk: Bool = true) throws {
        vault = try VaultAccess(choice, mayAsk: mayAsk)
    }

    /// Returns every folder of the vault. It never prompts.
    package func reports() throws -> [EncryptedFolderReport] { try Self.reports(of: vault.client) }

    private static func reports(of client: AgentClient) throws -> [EncryptedFolderReport] {
        try look(client).reports
    }

    /// Returns every folder that an agent keeps, and if all keys are where they should be. It never prompts.
    private static func look(_ client: AgentClient) throws -> (reports: [EncryptedFolderReport], isSettled: Bool) {
        var reports: [EncryptedFolderReport] = []
        let isSettled = try client.ask(EncryptedFoldersCall(), of: nil) { reports.append($0) }.reply.isSettled
        return (reports, isSettled)
    }

    /// Complains about each folder that a lock could not close, because a program keeps its files open.
    static func tellHeld(_ client: AgentClient) throws {
        let (reports, isSettled) = try look(client)
        if !isSettled {
            Output.complain("some folders are still being locked: run `latchkey folder status` to see them")
        }
        for report in reports where report.state.isLeftOpen(report.folder.protection) {
            let path = report.folder.path
            Output.complain("\(path) is \(report.state.words(report.folder.protection).text)")
            if let trouble = report.trouble { Output.complain("  \(trouble)") }
            for line in report.processes { Output.complain("  \(line)") }
            if report.state == .held {
                Output.complain("end these programs, and the kernel forgets the files within seconds")
            }
        }
    }

    /// Returns the folder at this path.
    ///
    /// - Throws: `AgentError` if the vault has no folder there.
    package func report(at path: String) throws -> EncryptedFolderReport {
        let reports = try reports()
        // The kernel knows its key, wherever the folder was moved. A plain folder has one while its content is moved.
        let identifier = try Self.identifier(at: path)
        let found = reports.first { report in
            if let identifier { return report.folder.identifier == identifier }
            return report.folder.isMoving && report.folder.path.utf8.elementsEqual(path.utf8)
        }
        guard let found else {
            throw AgentError(
                .notFound,
                "\(path) is not protected by this vault: run `latchkey folder status` to see the folders that are")
        }
        return found
    }

    /// Returns the identifier of the key of the folder at this path; nil if it is not encrypted, or there is none.
    package static func identifier(at path: String) throws(AgentError) -> String? {
        do throws(SystemError) {
            guard case .encrypted(let identifier) = try FolderKeys.encryption(of: path) else { return nil }
            return "\(identifier)"
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            throw AgentError(.request, "\(path): \(error)")
        }
    }

    /// Returns the goal of a move into a folder that is encrypted by the key with this identifier.
    static func goal(_ identifier: String) throws(AgentError) -> FolderMove.Goal {
        guard let identifier = FolderKeyIdentifier(identifier) else {
            throw AgentError(.agent, "\(identifier) is not the identifier of a key")
        }
        return .encrypted(identifier)
    }

    package static func encryption(of path: String) throws(AgentError) -> FolderEncryption {
        do throws(SystemError) { return try FolderKeys.encryption(of: path) } catch {
            throw AgentError(.request, "\(path): \(error)")
        }
    }

    /// Returns the absolute path of a folder that exists, without links.
    package static func path(_ word: RawText) throws -> String {
        guard let path = realpath(try VaultAccess.absolute(word.text)) else {
            throw AgentError(.notFound, "\(word.text): \(SystemError.last)")
        }
        return path
    }
}

extension EncryptedFolderReport.State {
    /// True if a locked folder can still be read, and its class forbids that.
    fileprivate func isLeftOpen(_ protection: EncryptedFolder.Protection) -> Bool {
        switch (self, protection) {
        case (.held, .complete), (.kept, _), (.shared, _), (.unreached, _), (.open, .complete), (.open, .unlessOpen):
            true
        case (.held, .unlessOpen), (.held, .untilFirstUnlock), (.open, .untilFirstUnlock), (.locked, _), (.plain, _),
            (.missing, _):
            false
        }
    }

    package func words(_ protection: EncryptedFolder.Protection) -> (text: String, tone: TextTable.Tone) {
        switch self {
        case .open: ("open", .good)
        case .locked: ("locked", .plain)
        case .held:
            switch protection {
            case .unlessOpen: ("locked; files that are open stay readable", .plain)
            case .complete, .untilFirstUnlock:
                ("locked, but files that are open can still be read, also by other programs", .bad)
            }
        case .kept: ("open: another user of the machine has added its key", .bad)
        case .shared: ("open: another vault of yours has its key, and is unlocked", .bad)
        case .plain: ("not encrypted yet, or no longer", .bad)
        case .unreached: ("may be open", .bad)
        case .missing: ("not there", .bad)
        }
    }
}
