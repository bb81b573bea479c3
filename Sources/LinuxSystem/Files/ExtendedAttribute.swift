internal import CLinux
internal import Glibc

/// A small text that the file system keeps beside a file or folder, under a name that begins with `user.`.
package enum ExtendedAttribute {
    /// Returns the text under this name, nil if there is none; and 0 or the system's error number.
    package static func read(_ name: String, of path: String) -> (text: String?, code: Int32) {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = path.withPath { getxattr($0, name, &bytes, bytes.count) }
        if count < 0 { return (nil, [ENODATA, EOPNOTSUPP].contains(errno) ? 0 : errno) }
        return (String(decoding: bytes[..<count], as: UTF8.self), 0)
    }

    /// Writes a text, or removes it. Returns 0 or the system's error number; a file system without such texts has
    /// `EOPNOTSUPP`.
    package static func write(_ text: String?, as name: String, to path: String) -> Int32 {
        guard let text else {
            if path.withPath({ removexattr($0, name) }) == 0 || errno == ENODATA { return 0 }
            return errno
        }
        let bytes = Array(text.utf8)
        return path.withPath { setxattr($0, name, bytes, bytes.count, 0) } == 0 ? 0 : errno
    }
}
