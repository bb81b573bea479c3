internal import AgentProtocol
internal import Courier
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Synchronization

/// A folder of sockets for a container or another user. No program is started.
final class FolderPlace: LoanPlace {
    private let folder: LentFolder
    private let addresses: LoanAddresses
    private let signals: EndingSignals
    /// The sockets that were made.
    private let sockets = Mutex<[(path: String, identity: SocketFiles.Identity?)]>([])
    let clients: ClientRules

    /// Clears the folder, and writes the file with the variables.
    init(_ folder: LentFolder, _ environment: [(name: String, value: String)], of services: [LoanService]) throws {
        self.folder = folder
        addresses = .folder(folder.path)
        clients = ClientRules(.user(folder.user?.number ?? PathTrust.thisUser, isApart: folder.user == nil))
        do throws(SystemError) { signals = try EndingSignals() } catch {
            throw AgentError.system("signals", error.code)
        }
        try folder.clear()
        do throws(SystemError) {
            try OutputFile.replacePrivate(
                folder.environmentFile, with: Self.text(environment, of: services, at: addresses, in: folder.path))
        } catch { throw AgentError.system(folder.environmentFile, error.code) }
        do { try folder.open(folder.environmentFile, .read, owner: [.read, .write]) } catch {
            unlink(folder.environmentFile)
            throw error
        }
    }

    /// The text of the file with the variables, as `--env-file` of containers takes it.
    private static func text(
        _ environment: [(name: String, value: String)], of services: [LoanService], at addresses: LoanAddresses,
        in folder: String
    ) -> String {
        var lines = [
            "\(LentFolder.mark) Give it to a container:",
            "# podman run -v \(folder):\(folder):ro --env-file \(folder)/environment …",
            "# Clients of Unix sockets need no more. The addresses on 127.0.0.1 are there if you run inside:",
        ]
        for (number, service) in services.enumerated() {
            let socket = addresses.socket(of: service.name) ?? ""
            lines.append(
                "# socat TCP-LISTEN:\(addresses.port(number)),bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:\(socket)")
        }
        lines += environment.map { "\($0.name)=\($0.value)" }
        return lines.map { $0 + "\n" }.joined()
    }

    var words: [String] {
        var words: [String] = []
        if let user = folder.user {
            words.append("Only \(Terminal.line(user.name)) (uid \(user.number)) can connect to the sockets.")
            if let parent = folder.closedParent {
                words.append(
                    "By its mode, that user may not enter \(Terminal.line(parent)): then nothing is lent there.")
            }
        }
        return words + [
            "The variables are in \(Terminal.line(folder.environmentFile)). What the other side can reach of yours was not tried. Press Ctrl-C to end this."
        ]
    }

    func listener(named name: String, _ number: Int) throws -> Int32 {
        let path = addresses.socket(of: name) ?? ""
        let listener = try SocketFiles.listen(at: path)
        sockets.withLock { $0.append((path, SocketFiles.Identity(path))) }
        do { try folder.open(path, [.read, .write], owner: [.read, .write]) } catch {
            close(listener)
            throw error
        }
        return listener
    }

    /// Lets the other user in, and waits for a signal.
    func run() throws -> Int32 {
        try folder.open(folder.path, [.read, .execute], owner: [.read, .write, .execute])
        _ = signals.wait()
        end()
        return 0
    }

    func end() {
        let made = sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        for (path, identity) in made { if let identity { SocketFiles.remove(path, of: identity) } }
        _ = UserAccess.giveToOwnerAlone([.read, .write, .execute], at: folder.path)
        unlink(folder.environmentFile)
    }
}
