internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import LoanRules
internal import PlainText

/// A folder for the sockets of a loan, and the user who may connect to them.
struct LentFolder: Sendable {
    /// A user other than the lender.
    struct User: Hashable, Sendable {
        let name: String
        let number: UInt32
    }

    /// The path without symbolic links.
    let path: String
    /// The user who may connect; nil for the lender's own programs in a sandbox.
    let user: User?

    /// The file with the variables.
    var environmentFile: String { "\(path)/\(Self.environment)" }
    private static let environment = "environment"
    private static let socketEnding = ".sock"
    /// The beginning of the file with the variables.
    static let mark = "# Written by `latchkey lend`."

    /// Checks a folder, and creates it if it is missing.
    ///
    /// - Throws: `AgentError` if another user could put sockets there, or if it has other files.
    init(_ word: String, for user: User?, services: [LoanService], keepingOut guarded: [String]) throws {
        self.user = user
        let here = word.hasPrefix("/") ? word : (SystemPath.workingFolder() ?? "") + "/" + word
        let trimmed = here.utf8.last == UInt8(ascii: "/") ? String(here.dropLast()) : here
        guard let (above, name) = SystemPath.split(trimmed), !name.isEmpty, name != ".", name != "..",
            let parent = realpath(above.isEmpty ? "/" : above)
        else { throw Self.refusal(word, "has no folder above it: name a folder that is there, or a new one in such") }
        path = (parent == "/" ? "" : parent) + "/" + name
        let keys = SystemPath.variable("HOME").map { ["\($0)/.ssh", "\($0)/.gnupg"] } ?? []
        let closed = guarded + keys + [SystemPath.variable("GNUPGHOME")].compactMap { $0 }.filter { !$0.isEmpty }
        for place in closed.flatMap({ [$0, realpath($0)].compactMap { $0 } })
        where path == place || path.hasPrefix(place + "/") {
            throw Self.refusal(word, "is in a folder of your keys, vaults or sockets: name another folder")
        }
        for service in services where "\(path)/\(service.name)\(Self.socketEnding)".utf8.count > 107 {
            throw Self.refusal(
                word, "has a path that is too long for the socket of \(service.name): name a shorter one")
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw AgentError.system(word) }
        try check(word)
        for entry in SystemPath.names(in: path).sorted() { try checkLeft(entry, word) }
    }

    private func check(_ word: String) throws {
        do { try PathTrust.require(path, .folder) } catch { throw Self.refusal(word, "\(error)") }
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == PathTrust.thisUser else {
            throw Self.refusal(word, "belongs to another user: name a folder of your own")
        }
    }

    /// Throws unless a file is one that a former loan has left.
    private func checkLeft(_ name: String, _ word: String) throws {
        let file = "\(path)/\(name)"
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFSOCK, name.hasSuffix(Self.socketEnding), status.st_uid == PathTrust.thisUser {
            guard let other = try SocketFiles.connect(to: file) else { return }
            close(other)
            throw Self.refusal(word, "is served by another `latchkey lend`: end that, or name another folder")
        }
        if name == Self.environment, kind == S_IFREG,
            SystemFile.regularBytes(file, atMost: Self.mark.utf8.count)?.elementsEqual(Self.mark.utf8) == true
        {
            return
        }
        throw Self.refusal(word, "has other files, such as \(Terminal.line(name)): name an empty or a new folder")
    }

    private static func refusal(_ word: String, _ why: String) -> AgentError {
        AgentError(.request, "\(Terminal.line(word)) \(why)")
    }

    /// Removes what a former loan has left, and closes the folder to all others.
    func clear() throws(AgentError) {
        let code = UserAccess.giveToOwnerAlone([.read, .write, .execute], at: path)
        guard code == 0 else { throw .system(path, code) }
        for name in SystemPath.names(in: path) where name == Self.environment || name.hasSuffix(Self.socketEnding) {
            unlink("\(path)/\(name)")
        }
    }

    /// Lets the user have these rights to a file in the folder, or to the folder itself.
    func open(_ file: String, _ rights: UserAccess.Rights, owner: UserAccess.Rights) throws(AgentError) {
        guard let user else { return }
        let code = UserAccess.give(rights, to: user.number, owner: owner, at: file)
        if code == EOPNOTSUPP {
            throw AgentError(
                .unavailable,
                "the file system of \(path) cannot let one user in and keep others out: name a folder on another one")
        }
        guard code == 0 else { throw .system(file, code) }
    }

    /// The first folder above that the user may not enter by its mode; nil if there is none.
    var closedParent: String? {
        guard let user, user.number != 0 else { return nil }
        var parent = path
        while let (above, _) = SystemPath.split(parent), !above.isEmpty {
            var status = stat()
            // The mode of a folder with a list of its own says nothing of others.
            if stat(above, &status) == 0, status.st_uid != user.number, status.st_mode & (S_IXOTH | S_IXGRP) == 0 {
                return above
            }
            parent = above
        }
        return nil
    }
}
