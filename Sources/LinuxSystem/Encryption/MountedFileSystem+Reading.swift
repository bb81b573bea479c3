internal import Glibc
internal import PlainText

extension MountedFileSystem {
    /// Finds the file system of an open file; nil if the system does not tell.
    package init?(of descriptor: Int32) {
        // The number of the mount tells bind mounts apart, which have the same device.
        guard let about = SystemFile.bytes("/proc/self/fdinfo/\(descriptor)", atMost: 4096),
            let line = about.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: "mnt_id:".utf8) }),
            let number = String(decoding: line, as: UTF8.self).split(whereSeparator: { " \t".contains($0) }).last,
            let mounts = SystemFile.bytes("/proc/self/mountinfo")
        else { return nil }
        self.init(number: Array(number.utf8), in: mounts)
    }

    /// Finds the mount with this number in the text of `mountinfo`.
    package init?(number: [UInt8], in mounts: [UInt8]) {
        for line in mounts.split(separator: UInt8(ascii: "\n"))
        where line.prefix(while: { $0 != UInt8(ascii: " ") }).elementsEqual(number) {
            guard let found = Self(line: line) else { continue }
            self = found
            return
        }
        return nil
    }

    package static var all: [MountedFileSystem] {
        (SystemFile.bytes("/proc/self/mountinfo") ?? []).split(separator: UInt8(ascii: "\n")).compactMap(
            Self.init(line:))
    }

    /// Reads a line of `mountinfo`.
    private init?(line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: " "))
        // Optional fields end with a hyphen. The type and the device stand behind it.
        guard fields.count > 6,
            let end = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }), fields.count > end + 2
        else { return nil }
        type = Self.text(fields[end + 1])
        device = Self.text(fields[end + 2])
        mountPoint = Self.text(fields[4])
        deviceNumber = Self.text(fields[2])
    }

    /// Returns the text of a field. The kernel writes spaces, tabs, ends of lines and backslashes as octal numbers.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        var path: [UInt8] = []
        var rest = field[...]
        while let first = rest.first {
            let digits = rest.dropFirst().prefix(3)
            if first == UInt8(ascii: "\\"), digits.count == 3,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                path.append(byte)
                rest = rest.dropFirst(4)
            } else {
                path.append(first)
                rest = rest.dropFirst()
            }
        }
        return PathText.text(path)
    }
}
