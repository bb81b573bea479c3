import Foundation
import Testing

/// Many byte strings, to search for all at once.
public struct Needles: Sendable {
    private var needles: [(name: String, bytes: [UInt8])] = []
    /// The needles that begin with the same four bytes.
    private var byStart: [UInt32: [Int]] = [:]
    /// True for the first two bytes of any needle.
    private var starts = [Bool](repeating: false, count: 65536)

    /// Creates an empty collection.
    public init() {}

    /// Adds all of `bytes`, at least eight, under a name for messages.
    public mutating func add(_ name: String, _ bytes: [UInt8]) {
        precondition(bytes.count >= 8, "\(name) is too short to look for: it would be found by chance")
        let start = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        byStart[start, default: []].append(needles.count)
        starts[Int(start & 0xFFFF)] = true
        needles.append((name, bytes))
    }

    /// Adds both halves of a key, because even one of them would be too much to find.
    public mutating func add(key: [UInt8], _ name: String) {
        precondition(key.count == 32, "\(name) is no key")
        add(name, Array(key.prefix(16)))
        add(name, Array(key.suffix(16)))
    }

    /// The names of all needles.
    public var names: Set<String> { Set(needles.map(\.name)) }
    private var longest: Int { needles.map(\.bytes.count).max() ?? 0 }

    /// Returns the names of the needles that are in `bytes`.
    public func found(in bytes: UnsafeRawBufferPointer) -> Set<String> {
        var found: Set<String> = []
        guard bytes.count >= 4 else { return found }
        starts.withUnsafeBufferPointer { starts in
            for place in 0...(bytes.count - 4) {
                let start = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                guard starts[Int(start & 0xFFFF)], let candidates = byStart[start] else { continue }
                for number in candidates {
                    let needle = needles[number].bytes
                    if place + needle.count <= bytes.count,
                        bytes[place..<(place + needle.count)].elementsEqual(needle)
                    {
                        found.insert(needles[number].name)
                    }
                }
            }
        }
        return found
    }

    /// Returns the names of the needles that are in `bytes`.
    public func found(in bytes: [UInt8]) -> Set<String> { bytes.withUnsafeBytes { found(in: $0) } }

    /// Returns the names of the needles that are in the file at `path`.
    public func found(inFile path: String) throws -> Set<String> {
        try Data(contentsOf: URL(filePath: path), options: .alwaysMapped).withUnsafeBytes { found(in: $0) }
    }

    /// Returns the names of the needles in any file under `folder`, each with its file.
    public func found(under folder: String) throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        try #require(!files.isEmpty)
        var all: Set<String> = []
        for file in files {
            // The name of a file can also hold data.
            all.formUnion(found(in: Array(file.utf8)).map { "\($0) in the name of \(file)" })
            let path = folder + "/" + file
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            all.formUnion(try found(inFile: path).map { "\($0) in \(file)" })
        }
        return all
    }

    /// Returns the names of the needles in all readable memory of a process.
    public func found(inMemoryOf process: Int32) throws -> Set<String> {
        let memory = open("/proc/\(process)/mem", O_RDONLY)
        try #require(memory >= 0)
        defer { close(memory) }
        let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps")).readToEnd() ?? Data()
        var found: Set<String> = []
        var searched = 0
        let piece = 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { buffer.deallocate() }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("r"), words.last != "[vvar]", words.last != "[vsyscall]",
                words.last != "[vvar_vclock]"
            else { continue }
            var place = ends[0]
            while place < ends[1] {
                let count = pread(memory, buffer.baseAddress, min(piece, Int(ends[1] - place)), off_t(place))
                guard count > 0 else { break }  // This part cannot be read after all.
                found.formUnion(self.found(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
                searched += count
                // The pieces overlap, so that the search misses nothing between two.
                place += UInt64(count)
                if place < ends[1] { place -= UInt64(min(count - 1, longest)) }
            }
        }
        try #require(searched > 1 << 20, "the memory of the process was not to be read")
        return found
    }
}
