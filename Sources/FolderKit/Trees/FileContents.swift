internal import Glibc
package import LinuxSystem

/// The bytes of files, and the parts of a file that have none.
package enum FileContents {
    /// The bytes that are read at once.
    private static let chunk = 1 << 20

    /// Copies the content of an open file to an empty one, and keeps its holes. `pause` gets the bytes that were read since the last
    /// call.
    package static func copy<Problem: Error>(
        from source: Int32, to target: Int32, size: Int64, failing: (SystemError) -> Problem,
        pause: (Int64) throws(Problem) -> Void
    ) throws(Problem) {
        let room = UnsafeMutableRawPointer.allocate(byteCount: chunk, alignment: 4096)
        defer { room.deallocate() }
        var place: Int64 = 0
        while place < size {
            let (start, end) = data(in: source, from: place, size)
            place = start
            while place < end {
                let count = pread(source, room, min(chunk, Int(end - place)), off_t(place))
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw failing(.last) }
                // The file has become shorter, which the caller sees by its status.
                guard count > 0 else { return }
                var written = 0
                while written < count {
                    let more = pwrite(
                        target, room + written, count - written, off_t(place + Int64(written)))
                    if more < 0 && errno == EINTR { continue }
                    guard more > 0 else { throw failing(.last) }
                    written += more
                }
                place += Int64(count)
                try pause(Int64(count))
            }
        }
        guard ftruncate(target, off_t(size)) == 0 else { throw failing(.last) }
    }

    /// Returns true if two open files of this size have the same bytes.
    package static func areEqual<Problem: Error>(
        _ one: Int32, _ other: Int32, size: Int64, failing: (SystemError) -> Problem,
        pause: (Int64) throws(Problem) -> Void
    ) throws(Problem) -> Bool {
        let room = UnsafeMutableRawPointer.allocate(byteCount: 2 * chunk, alignment: 4096)
        defer { room.deallocate() }
        var place: Int64 = 0
        while place < size {
            // Where neither has data, both are zero.
            let start = min(data(in: one, from: place, size).start, data(in: other, from: place, size).start)
            try pause(start - place)
            place = start
            let wanted = min(chunk, Int(size - place))
            guard wanted > 0 else { break }
            for (file, base) in [(one, 0), (other, chunk)] {
                var filled = 0
                while filled < wanted {
                    let count = pread(
                        file, room + base + filled, wanted - filled,
                        off_t(place + Int64(filled)))
                    if count < 0 && errno == EINTR { continue }
                    guard count >= 0 else { throw failing(.last) }
                    guard count > 0 else { return false }
                    filled += count
                }
            }
            guard memcmp(room, room + chunk, wanted) == 0 else { return false }
            place += Int64(wanted)
            try pause(Int64(wanted))
        }
        return true
    }

    /// Returns the next part of a file that has data.
    private static func data(in file: Int32, from place: Int64, _ size: Int64) -> (start: Int64, end: Int64) {
        // SEEK_DATA is 3 and SEEK_HOLE 4. A file system that knows neither has data everywhere.
        let start = lseek(file, off_t(place), 3)
        if start < 0 { return errno == ENXIO ? (size, size) : (place, size) }
        let end = lseek(file, start, 4)
        return (min(Int64(start), size), end < 0 ? size : min(Int64(end), size))
    }
}
