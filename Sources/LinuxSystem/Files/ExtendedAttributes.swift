internal import CLinux
internal import Glibc
internal import PlainText

/// All extended attributes of a file, such as its access control list.
package struct ExtendedAttributes: Hashable, Sendable {
    package var values: [String: [UInt8]]

    /// Reads the attributes of an open file that this process may read.
    ///
    /// - Throws: ``SystemError`` if one cannot be read.
    package init(of descriptor: Int32) throws(SystemError) {
        try self.init {
            flistxattr(descriptor, $0, $1)
        } value: {
            fgetxattr(descriptor, $0, $1, $2)
        }
    }

    /// Reads the attributes of a symbolic link itself.
    ///
    /// - Throws: ``SystemError`` if one cannot be read.
    package init(ofLink link: FolderEntry) throws(SystemError) {
        let path = Self.path(of: link)
        try self.init {
            llistxattr(path, $0, $1)
        } value: {
            lgetxattr(path, $0, $1, $2)
        }
    }

    private init(
        list: (UnsafeMutablePointer<CChar>?, Int) -> Int,
        value: (UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    ) throws(SystemError) {
        var values: [String: [UInt8]] = [:]
        // A name has at most 255 bytes, and all names and each value at most 64 KiB.
        var names = [CChar](repeating: 0, count: 65_536)
        let count = list(&names, names.count)
        guard count >= 0 else {
            // A file system without attributes has none.
            guard errno == EOPNOTSUPP else { throw .last }
            self.values = [:]
            return
        }
        for name in names[..<count].split(separator: 0) {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let size = value(Array(name) + [0], &bytes, bytes.count)
            guard size >= 0 else { throw .last }
            values[PathText.text(name.map { UInt8(bitPattern: $0) })] = Array(bytes[..<size])
        }
        self.values = values
    }

    /// Gives an open file these attributes, and takes away any other that it has.
    ///
    /// - Throws: ``SystemError`` if one cannot be changed.
    package func set(on descriptor: Int32) throws(SystemError) {
        let present = try ExtendedAttributes(of: descriptor).values
        for name in present.keys where values[name] == nil {
            guard name.withPath({ fremovexattr(descriptor, $0) }) == 0 else { throw .last }
        }
        // An access control list may take away the right to write the others, so it comes last.
        let order = values.keys.sorted { !$0.hasPrefix("system.") && $1.hasPrefix("system.") }
        for name in order {
            guard let bytes = values[name], present[name] != bytes else { continue }
            guard name.withPath({ fsetxattr(descriptor, $0, bytes, bytes.count, 0) }) == 0 else { throw .last }
        }
    }

    /// Gives a symbolic link itself these attributes.
    ///
    /// - Throws: ``SystemError`` if one cannot be changed.
    package func set(onLink link: FolderEntry) throws(SystemError) {
        let path = Self.path(of: link)
        for (name, bytes) in values {
            guard name.withPath({ lsetxattr(path, $0, bytes, bytes.count, 0) }) == 0 else { throw .last }
        }
    }

    /// There are no calls for the attributes of a link in an open folder, so this names the folder by its descriptor.
    private static func path(of link: FolderEntry) -> [CChar] {
        "/proc/self/fd/\(link.folder)/".utf8.map { CChar(bitPattern: $0) } + link.name
    }
}
