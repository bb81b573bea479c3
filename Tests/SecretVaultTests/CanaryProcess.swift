import Foundation
import Testing

/// The process that the tests of rest and wiping look into, from the parent's side.
final class CanaryProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    var id: Int32 { process.processIdentifier }

    /// Starts `vault-exerciser canary` with these arguments.
    init(_ arguments: [String]) throws {
        let folder = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent()
        process.executableURL = folder.appending(path: "vault-exerciser")
        process.arguments = ["canary"] + arguments
        // A core is wanted as it is, without a crash handler that looks into the dying process first.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        signal(SIGPIPE, SIG_IGN)  // a child that dies early is found out by what it does not say
        try process.run()
    }

    deinit { if process.isRunning { Foundation.kill(id, SIGKILL) } }

    /// Says something, with its length in front.
    func send(_ bytes: [UInt8]) throws {
        var piece = withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) }
        piece += bytes
        try input.fileHandleForWriting.write(contentsOf: Data(piece))
    }

    /// Has one thing done, and takes down what is said until the end of it.
    @discardableResult
    func command(_ letter: Character, _ bytes: [UInt8]? = nil) throws -> [Piece] {
        try input.fileHandleForWriting.write(contentsOf: Data(String(letter).utf8))
        if let bytes { try send(bytes) }
        return letter == "x" ? [] : try pieces()
    }

    /// What the process says: a name, and bytes.
    typealias Piece = (name: String, bytes: [UInt8])

    /// What it says up to a piece without bytes.
    func pieces() throws -> [Piece] {
        var pieces: [Piece] = []
        while true {
            let name = String(decoding: try take(length()), as: UTF8.self)
            let bytes = try take(length())
            pieces.append((name, bytes))
            if bytes.isEmpty { return pieces }
        }
    }

    private func length() throws -> Int {
        Int(try take(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let data = try output.fileHandleForReading.read(upToCount: count - bytes.count) ?? Data()
            try #require(!data.isEmpty, "the process ended early")
            bytes += data
        }
        return bytes
    }

    /// Ends it without notice.
    func kill() {
        Foundation.kill(id, SIGKILL)
        process.waitUntilExit()
    }

    /// Says that nothing more will be said, and waits for the end.
    func finish() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Waits until it has ended by itself.
    func wait() { process.waitUntilExit() }
}

/// Many byte strings, looked for all at once.
struct Needles {
    private var needles: [(name: String, bytes: [UInt8])] = []
    /// Which needles begin with the same four bytes.
    private var byStart: [UInt32: [Int]] = [:]
    /// Whether any begins with these two.
    private var starts = [Bool](repeating: false, count: 65536)

    /// All of `bytes`, which are at least eight, under a name for messages.
    mutating func add(_ name: String, _ bytes: [UInt8]) {
        precondition(bytes.count >= 8, "\(name) is too short to look for: it would be found by chance")
        let start = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        byStart[start, default: []].append(needles.count)
        starts[Int(start & 0xFFFF)] = true
        needles.append((name, bytes))
    }

    /// Both halves of a key: one of them alone would be too much already.
    mutating func add(key: [UInt8], _ name: String) {
        precondition(key.count == 32, "\(name) is no key")
        add(name, Array(key.prefix(16)))
        add(name, Array(key.suffix(16)))
    }

    var names: Set<String> { Set(needles.map(\.name)) }
    private var longest: Int { needles.map(\.bytes.count).max() ?? 0 }

    /// The names of those that are somewhere in `bytes`.
    func found(in bytes: UnsafeRawBufferPointer) -> Set<String> {
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

    func found(in bytes: [UInt8]) -> Set<String> { bytes.withUnsafeBytes { found(in: $0) } }

    /// The names of those that are somewhere in the file at `path`.
    func found(inFile path: String) throws -> Set<String> {
        try Data(contentsOf: URL(filePath: path), options: .alwaysMapped).withUnsafeBytes { found(in: $0) }
    }

    /// The names of those in any file under `folder`, each with the file.
    func found(under folder: String) throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        try #require(!files.isEmpty)
        var all: Set<String> = []
        for file in files {
            // The name of a file is also a place to keep something in.
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

    /// The names of those in anything that the memory of a process has to read.
    func found(inMemoryOf process: Int32) throws -> Set<String> {
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
                guard count > 0 else { break }  // a part that cannot be read even so
                found.formUnion(self.found(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
                searched += count
                // Pieces overlap, so that nothing is missed between two.
                place += UInt64(count)
                if place < ends[1] { place -= UInt64(min(count - 1, longest)) }
            }
        }
        try #require(searched > 1 << 20, "the memory of the process was not to be read")
        return found
    }
}
