internal import Glibc
package import LinuxSystem

/// The processes that use files of a folder.
package struct HolderSearch: Sendable {
    /// The processes, by their numbers. This process is not among them.
    package let holders: [FileHolder]
    /// The number of processes into which this one may not look.
    package let hidden: Int

    /// Looks into all processes for files of the folder at `path`, which may be locked.
    ///
    /// It finds files that are open, in memory, or a working folder or root folder; also under other names and after they were
    /// deleted.
    ///
    /// - Parameter identifier: The identifier of the key that encrypts the folder. If another folder is at the path by now,
    ///   its processes have nothing to do with the key.
    /// - Throws: ``SystemError`` if the folder cannot be read; `ESTALE` if the key does not encrypt the folder at this path.
    package init(below path: String, encryptedBy identifier: FolderKeyIdentifier) throws(SystemError) {
        let top = try Self.open(path)
        guard try FolderKeys.encryption(of: top.descriptor) == .encrypted(identifier) else { throw SystemError(ESTALE) }
        try self.init(top)
    }

    /// Looks for files of the folder at `path`, whatever its encryption is.
    package init(below path: String) throws(SystemError) { try self.init(try Self.open(path)) }

    private static func open(_ path: String) throws(SystemError) -> OpenFile {
        let descriptor = LinuxSystem.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        return OpenFile(descriptor)
    }

    private init(_ top: OpenFile) throws(SystemError) {
        try self.init(top, try FolderTree(of: top, failing: \.error) { (_, _, _) throws(SystemError) in })
    }

    /// Looks for files of a tree below an open folder.
    package init(_ top: OpenFile, _ tree: FolderTree) throws(SystemError) {
        // The path of the folder that is open, whatever the path that led to it means by now.
        guard let path = SystemFile.target(of: "/proc/self/fd/\(top.descriptor)") else { throw .last }
        let files = HeldFiles(top: path, device: UInt64(tree.folders[0].status.st_dev), inodes: tree.inodes)
        let processes = try Self.processes()
        var (holders, hidden): ([FileHolder], Int) = ([], 0)
        for process in processes where process != getpid() {
            guard let status = ProcessStatus(of: process), !status.isKernelThread else { continue }
            switch files.look(into: process) {
            case .nothing: break
            case .hidden: hidden += 1
            case .holds(let path, let use, let count):
                holders.append(
                    FileHolder(
                        process: process, program: Self.program(of: process), path: path, use: use, count: count,
                        start: status.start, files: files))
            }
        }
        (self.holders, self.hidden) = (holders, hidden)
    }

    private static func processes() throws(SystemError) -> [Int32] {
        let folder = try open("/proc")
        return try FolderEntry.names(in: folder.descriptor).compactMap { Int32($0) }.sorted()
    }

    private static func program(of process: Int32) -> String {
        guard let line = SystemFile.bytes("/proc/\(process)/comm", atMost: 64) else { return "a process" }
        let name = line.prefix { $0 != UInt8(ascii: "\n") }
        // The system cuts the name after 15 bytes. The first word of the command has the whole.
        if name.count == 15, let words = SystemFile.bytes("/proc/\(process)/cmdline", atMost: 4096),
            let whole = words.prefix(while: { $0 != 0 }).split(separator: UInt8(ascii: "/")).last,
            whole.starts(with: name)
        {
            return String(decoding: whole, as: UTF8.self)
        }
        return String(decoding: name, as: UTF8.self)
    }
}

/// The files of a folder, to recognize in other processes.
struct HeldFiles: Sendable {
    /// The path of the folder, without links.
    let top: String
    let device: UInt64
    let inodes: Set<UInt64>

    /// The use that a process makes of the files.
    enum Finding {
        case nothing
        /// This process may not see what the other uses.
        case hidden
        case holds(path: String, use: FileHolder.Use, count: Int)
    }

    /// Finds out which of the files a process uses.
    func look(into process: Int32) -> Finding {
        let place = "/proc/\(process)"
        var (found, count): ((path: String, use: FileHolder.Use)?, Int) = (nil, 0)
        func note(_ path: String, _ use: FileHolder.Use) {
            count += 1
            if found == nil { found = (path, use) }
        }
        let folder = open(place + "/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return errno == EACCES || errno == EPERM ? .hidden : .nothing }
        defer { close(folder) }
        let descriptors: [String]
        do { descriptors = try FolderEntry.names(in: folder) } catch {
            return error.code == EACCES || error.code == EPERM ? .hidden : .nothing
        }
        for number in descriptors { if let path = match("\(place)/fd/\(number)") { note(path, .open) } }
        for path in mapped(by: place) { note(path, .mapped) }
        if let path = match(place + "/cwd") { note(path, .workingFolder) }
        if let path = match(place + "/root") { note(path, .root) }
        guard let found else { return .nothing }
        return .holds(path: found.path, use: found.use, count: count)
    }

    /// Returns the path that a link of the system leads to, if that is one of the files.
    private func match(_ link: String) -> String? {
        // The link leads to the file itself, whatever its name means by now.
        var status = stat()
        guard link.withPath({ stat($0, &status) }) == 0, UInt64(status.st_dev) == device,
            let path = SystemFile.target(of: link),
            has(path, UInt64(status.st_ino), isDeleted: status.st_nlink == 0)
        else { return nil }
        return path
    }

    /// Returns true for a file of the folder. A file that was deleted has only its former path. For all others the path says
    /// nothing: in a container, the same path leads to another file of the same disk.
    private func has(_ path: String, _ inode: UInt64, isDeleted: Bool) -> Bool {
        inodes.contains(inode) || (isDeleted && (path == top || path.utf8.starts(with: (top + "/").utf8)))
    }

    /// Returns the paths of the files that are in the memory of a process.
    private func mapped(by place: String) -> Set<String> {
        guard let maps = SystemFile.bytes(place + "/maps") else { return [] }
        var paths: Set<String> = []
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            // Addresses, rights, offset, device, number of the file, and its path behind spaces.
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count == 6, fields[3].elementsEqual(deviceText.utf8),
                let inode = UInt64(String(decoding: fields[4], as: UTF8.self))
            else { continue }
            let path = String(decoding: fields[5].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
            if has(path, inode, isDeleted: path.hasSuffix(" (deleted)")) { paths.insert(path) }
        }
        return paths
    }

    /// The device as the lists of mapped files write it.
    private var deviceText: String {
        func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        return "\(hexadecimal(major)):\(hexadecimal(minor))"
    }
}
