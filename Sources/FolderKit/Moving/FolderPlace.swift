internal import Glibc
internal import LinuxSystem
internal import PlainText

/// A folder that is moved, its copy beside it, and the mark by which a crash shows.
///
/// At any time the folder's own name leads to complete content. So a crash loses nothing, and this type tells from the disk alone
/// how to go on:
///
/// - The copy is marked as `copying` until it is complete. It then gets the mark `moved` with the name and the number of the folder
///   that was copied.
/// - The two names are exchanged in one step. So if the folder at its own name has the mark `moved`, it is the copy, and what is left
///   of the originals has the name of the copy.
struct FolderPlace {
    /// The name of the extended attribute that marks a copy.
    static let mark = "user.latchkey.moving"
    static let copying = Array("copying".utf8)
    /// The end of the name of originals that were kept.
    static let kept = ".latchkey-kept"
    private static let moved = "moved"

    /// The path as it was given.
    let path: String
    let parentPath: String
    let name: String

    /// The name of the copy, and of the originals after the exchange.
    var siblingName: String { Self.siblingName(of: name) }
    static func siblingName(of name: String) -> String { ".\(name).latchkey-new" }
    var siblingPath: String { parentPath + "/" + siblingName }

    func path(_ rest: String) -> String { rest.isEmpty ? path : "\(path)/\(rest)" }

    /// Splits the path of a folder.
    init(_ path: String) throws(FolderError) {
        self.path = path
        var plain = path
        while plain.utf8.count > 1 && plain.utf8.last == UInt8(ascii: "/") { plain = String(plain.dropLast()) }
        var split = SystemPath.split(plain) ?? (".", plain)
        if ["", ".", ".."].contains(split.name) {
            guard let real = realpath(plain), let parts = SystemPath.split(real) else { throw .notFolder(path) }
            split = parts
        }
        guard !split.name.isEmpty else { throw .mountPoint(path) }
        name = split.name
        parentPath = split.above.isEmpty ? "/" : split.above
    }

    func openParent() throws(FolderError) -> OpenFile {
        let parent = open(parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .notFolder(path) : .closedParent(parentPath, .last)
        }
        return OpenFile(parent)
    }

    /// Opens the folder, and keeps other processes from moving it as long as it is open.
    func openFolder(in parent: OpenFile) throws(FolderError) -> OpenFile {
        let entry = entry(in: parent)
        let folder: OpenFile
        do { folder = try OpenFile(entry, O_RDONLY | O_DIRECTORY) } catch {
            throw [ENOENT, ENOTDIR, ELOOP].contains(error.code) ? .notFolder(path) : .unreadable(path, error)
        }
        try claim(folder)
        // Another process may have moved the folder after this one opened it. The name then leads to the copy.
        guard try FolderError.at(path, isAt(entry, folder)) else { throw .busy(path) }
        return folder
    }

    /// The time in which a program that is just starting or ending closes the files that it does not use, in milliseconds. Until
    /// then it shares them, and their locks, with the program that has started it.
    static let moment: Int32 = 1000

    /// Keeps other processes from moving a folder as long as it is open.
    func claim(_ folder: OpenFile) throws(FolderError) {
        let moment = Deadline(Self.moment)
        while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw .system(path, .last) }
            guard moment.left > 0 else { throw .busy(path) }
            usleep(20_000)
        }
    }

    /// Opens what has this name of a copy; nil if nothing has. Throws if that is no folder of this user.
    func openSibling(_ name: String, in parent: OpenFile) throws(FolderError) -> OpenFile? {
        do throws(SystemError) {
            let entry = FolderEntry(name, in: parent.descriptor)
            guard let status = try entry.status() else { return nil }
            guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { throw SystemError(EEXIST) }
            return try OpenFile(entry, O_RDONLY | O_DIRECTORY)
        } catch {
            throw .inTheWay(parentPath + "/" + name)
        }
    }

    enum Mark: Hashable {
        case none
        case copying
        /// The copy is complete.
        case moved(Moved)
    }

    /// A folder that was copied.
    struct Moved: Hashable {
        var number: UInt64
        /// The number of the folder above it.
        var parent: UInt64
        /// The name that it had.
        var name: String

        /// The name of the originals.
        var siblingName: String { FolderPlace.siblingName(of: name) }
    }

    static func mark(of folder: OpenFile) throws(SystemError) -> Mark {
        guard let bytes = try ExtendedAttributes(of: folder.descriptor).values[mark] else { return .none }
        if bytes == copying { return .copying }
        let words = PathText.text(bytes).split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == moved, let number = UInt64(words[1]), let parent = UInt64(words[2]) else {
            return .none
        }
        return .moved(Moved(number: number, parent: parent, name: String(words[3])))
    }

    /// Writes or removes the mark of an open folder.
    static func set(_ value: Mark, on folder: OpenFile) throws(SystemError) {
        var attributes = try ExtendedAttributes(of: folder.descriptor)
        attributes.values[mark] =
            switch value {
            case .none: nil
            case .copying: copying
            case .moved(let folder):
                PathText.cString("\(moved) \(folder.number) \(folder.parent) \(folder.name)").dropLast().map {
                    UInt8(bitPattern: $0)
                }
            }
        // Attributes can be changed only by those who may write to the folder, even by its owner.
        let mode = try folder.status().st_mode & 0o7777
        let isReadOnly = mode & 0o200 == 0
        if isReadOnly { _ = fchmod(folder.descriptor, mode | 0o200) }
        defer { if isReadOnly { _ = fchmod(folder.descriptor, mode) } }
        try attributes.set(on: folder.descriptor)
    }
}
