package import Glibc
package import LinuxSystem

/// A folder with everything below it, as it was found.
///
/// It is a list and no recursion, and every folder is opened step by step from the top: so a tree of any depth needs few descriptors,
/// and a link that replaces one of its folders is never followed.
package struct FolderTree {
    package struct Folder {
        /// The place of the folder above; nil for the top.
        package let parent: Int?
        /// The name in the folder above.
        package let name: String
        package let status: stat
        /// The files and links in it.
        package var entries: [Entry] = []
    }

    /// A file or a symbolic link, or something that is neither.
    package struct Entry {
        /// The name in its folder.
        package let name: String
        package let status: stat
        /// The first name of the same file in the tree, if this is another one.
        package var first: Place?

        /// The type, such as `S_IFREG`.
        package var type: mode_t { status.st_mode & S_IFMT }
        /// The state by which a change shows.
        package var stamp: Stamp { Stamp(status) }
    }

    /// A place of an entry: its folder, and its number there.
    package struct Place: Hashable, Sendable {
        /// The number of the folder.
        package let folder: Int
        /// The number of the entry in it.
        package let entry: Int
    }

    /// A call of the system that failed, and the path below the top at which it did.
    package struct Failure: Error, Hashable, Sendable {
        /// The path below the top.
        package let path: String
        package let error: SystemError
    }

    /// The folders. The top comes first, and each before those in it.
    package private(set) var folders: [Folder]

    /// Finds everything below an open folder. `visit` gets the path of each folder, file and link below the top.
    ///
    /// - Throws: ``Failure`` if a folder cannot be read, or what `visit` throws.
    package init<Problem: Error>(
        of top: OpenFile, failing: (Failure) -> Problem,
        visit: (String, FolderEntry, stat) throws(Problem) -> Void
    ) throws(Problem) {
        do {
            folders = [Folder(parent: nil, name: "", status: try top.status())]
        } catch {
            throw failing(Failure(path: "", error: error))
        }
        var number = 0
        while number < folders.count {
            let names: [String]
            let folder: OpenFile
            do {
                folder = try open(number, below: top)
                names = try FolderEntry.names(in: folder.descriptor)
            } catch {
                throw failing(Failure(path: path(of: number), error: error))
            }
            for name in names {
                let entry = FolderEntry(name, in: folder.descriptor)
                let path = path(of: number, name)
                let found: stat?
                do { found = try entry.status() } catch {
                    throw failing(Failure(path: path, error: error))
                }
                // If a process has just removed it, it is not in the tree.
                guard let status = found else { continue }
                try visit(path, entry, status)
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders.append(Folder(parent: number, name: name, status: status))
                } else {
                    folders[number].entries.append(Entry(name: name, status: status))
                }
            }
            number += 1
        }
        findHardLinks()
    }

    /// Notes which entries are further names of a file.
    private mutating func findHardLinks() {
        var firsts: [UInt64: Place] = [:]
        for folder in folders.indices {
            for entry in folders[folder].entries.indices where folders[folder].entries[entry].status.st_nlink > 1 {
                let inode = UInt64(folders[folder].entries[entry].status.st_ino)
                if let first = firsts[inode] {
                    folders[folder].entries[entry].first = first
                } else {
                    firsts[inode] = Place(folder: folder, entry: entry)
                }
            }
        }
    }

    /// The path of a file that has a name outside the tree; nil if there is none.
    package var linkedOutside: String? {
        var names: [UInt64: (found: UInt64, expected: UInt64, path: String)] = [:]
        for folder in folders.indices {
            for entry in folders[folder].entries where entry.status.st_nlink > 1 {
                let found = names[UInt64(entry.status.st_ino)]?.found ?? 0
                names[UInt64(entry.status.st_ino)] =
                    (found + 1, UInt64(entry.status.st_nlink), path(of: folder, entry.name))
            }
        }
        return names.values.filter { $0.found < $0.expected }.map(\.path).min()
    }

    /// The places of the folders in each folder.
    package var children: [[Int]] {
        var children = [[Int]](repeating: [], count: folders.count)
        for number in folders.indices { if let parent = folders[number].parent { children[parent].append(number) } }
        return children
    }

    /// The numbers of all files, links and folders, including the top.
    package var inodes: Set<UInt64> {
        var inodes: Set<UInt64> = []
        for folder in folders {
            inodes.insert(UInt64(folder.status.st_ino))
            for entry in folder.entries { inodes.insert(UInt64(entry.status.st_ino)) }
        }
        return inodes
    }

    /// The paths of everything below the top.
    var paths: Set<String> {
        var paths: Set<String> = []
        for number in folders.indices {
            if number > 0 { paths.insert(path(of: number)) }
            for entry in folders[number].entries { paths.insert(path(of: number, entry.name)) }
        }
        return paths
    }

    /// Opens a folder of the tree, or the one in the same place of another tree.
    package func open(_ number: Int, below top: OpenFile) throws(SystemError) -> OpenFile {
        var names: [String] = []
        var next = number
        while let parent = folders[next].parent {
            names.append(folders[next].name)
            next = parent
        }
        var folder = try OpenFile(FolderEntry(".", in: top.descriptor), O_RDONLY | O_DIRECTORY)
        for name in names.reversed() {
            folder = try OpenFile(FolderEntry(name, in: folder.descriptor), O_RDONLY | O_DIRECTORY)
        }
        return folder
    }

    /// Returns the path of a folder below the top, or of a name in it.
    package func path(of number: Int, _ name: String? = nil) -> String {
        var names = name.map { [$0] } ?? []
        var next = number
        while let parent = folders[next].parent {
            names.append(folders[next].name)
            next = parent
        }
        return names.reversed().joined(separator: "/")
    }
}
