package import SodiumKit

/// Replaces secrets in a stream of bytes, wherever the stream is cut.
///
/// Every byte of every whole occurrence is concealed, also where occurrences overlap; each run of such bytes becomes one
/// ``replacement``, which shows neither how long nor how many they were. Bytes at the end that may be the beginning of a secret are
/// held back until more is known. What is not there as a whole, or in a form that ``MaskedWords`` has, is not recognised.
package struct Masker: ~Copyable, Sendable {
    /// What stands in the place of secrets.
    package static let replacement = "<concealed by latchkey>"

    private let tree: SecureBytes
    /// The node by each first byte, since most bytes are looked at here only.
    private let starts: SecureBytes
    private var node: UInt32 = 0
    private var held: SecureBytes
    /// How many bytes wait for what comes next.
    package private(set) var heldBack = 0
    /// What is to be concealed of what is held back, counted from the next byte of the stream.
    private var concealed: [Range<Int>] = []
    /// Whether the last byte that was let go of was concealed, so that a run goes on.
    private var isConcealing = false

    private typealias Node = MaskedWords.Node

    /// One that conceals these words.
    package init(_ words: consuming MaskedWords) throws(SodiumError) {
        let held = try SecureBytes(count: words.longest)
        var starts = try SecureBytes(count: 256 * MemoryLayout<UInt32>.stride)
        var tree = try words.tree()
        tree.withMutableBytes { nodes in
            let nodes = nodes.assumingMemoryBound(to: Node.self)
            starts.withMutableBytes { starts in
                let starts = starts.assumingMemoryBound(to: UInt32.self)
                for byte in starts.indices { starts[byte] = MaskedWords.child(of: 0, UInt8(byte), nodes) }
            }
        }
        self.held = held
        self.tree = tree
        self.starts = starts
    }

    /// Takes the next bytes of the stream, and adds to `output` what can be written now.
    package mutating func feed(_ bytes: RawSpan, to output: inout [UInt8]) {
        search(bytes)
        release(bytes, upTo: bytes.byteCount - depth, to: &output)
    }

    /// To be called when nothing has come for a moment: lets go of up to three bytes at the end that may be the beginning of a
    /// secret, so that a question that ends like this is seen.
    ///
    /// Four bytes are no chance any more, and stay until the next byte or the end of the stream decides. What is let go of is not
    /// forgotten: where it was the beginning of a secret, all the rest of that is concealed, so that a program that writes byte
    /// by byte shows three of them at the most.
    package mutating func releaseHeldBack(to output: inout [UInt8]) {
        if depth < MaskedWords.fewest { release(RawSpan(), upTo: 0, to: &output) }
    }

    /// The end of the stream: what is held back is no secret as a whole, and is let go of. Then another stream may come.
    package mutating func finish(to output: inout [UInt8]) {
        release(RawSpan(), upTo: 0, to: &output)
        node = 0
        isConcealing = false
    }

    /// How many bytes at the end may be the beginning of a word.
    private var depth: Int {
        let node = Int(node)
        return tree.withBytes { tree in
            Int(tree.withUnsafeBytes { $0.assumingMemoryBound(to: Node.self)[node].depth })
        }
    }

    private mutating func search(_ bytes: RawSpan) {
        var (end, found) = (node, concealed)
        let first = -heldBack
        tree.withBytes { tree in
            starts.withBytes { starts in
                tree.withUnsafeBytes { tree in
                    starts.withUnsafeBytes { starts in
                        bytes.withUnsafeBytes { bytes in
                            end = Self.search(
                                bytes, tree.assumingMemoryBound(to: Node.self),
                                starts.assumingMemoryBound(to: UInt32.self), from: end, first: first, &found)
                        }
                    }
                }
            }
        }
        (node, concealed) = (end, found)
    }

    /// Goes on from `node`, adds to `found` what is to be concealed from `first` on, and gives the node it has come to.
    private static func search(
        _ bytes: UnsafeRawBufferPointer, _ tree: UnsafeBufferPointer<Node>, _ starts: UnsafeBufferPointer<UInt32>,
        from node: UInt32, first: Int, _ found: inout [Range<Int>]
    ) -> UInt32 {
        // It is read only, but whoever builds it looks for children as well.
        let nodes = UnsafeMutableBufferPointer(mutating: tree)
        var node = node
        var place = 0
        while place < bytes.count {
            if node == 0 {
                while place < bytes.count, starts[Int(bytes[place])] == 0 { place += 1 }
                guard place < bytes.count else { break }
                node = starts[Int(bytes[place])]
            } else {
                let byte = bytes[place]
                var next = MaskedWords.child(of: node, byte, nodes)
                while next == 0 {
                    node = nodes[Int(node)].fallback
                    next = node == 0 ? starts[Int(byte)] : MaskedWords.child(of: node, byte, nodes)
                    if node == 0 { break }
                }
                node = next
            }
            place += 1
            let count = Int(nodes[Int(node)].matched)
            if count > 0 { add(max(first, place - count)..<place, to: &found) }
        }
        return node
    }

    /// Each ends behind those before it, so that it swallows or joins the last ones only.
    private static func add(_ range: Range<Int>, to found: inout [Range<Int>]) {
        var start = range.lowerBound
        while let last = found.last, last.upperBound >= start {
            start = min(start, last.lowerBound)
            found.removeLast()
        }
        found.append(start..<range.upperBound)
    }

    /// Lets go of everything before `end`, and of what is concealed right behind it; keeps the rest.
    private mutating func release(_ bytes: RawSpan, upTo end: Int, to output: inout [UInt8]) {
        var place = -heldBack
        var done = 0
        for range in concealed {
            write(bytes, place..<max(place, min(range.lowerBound, end)), to: &output)
            place = max(place, min(range.lowerBound, end))
            guard range.lowerBound <= place else { break }
            if !isConcealing { output += Self.replacement.utf8 }
            isConcealing = true
            place = range.upperBound
            done += 1
        }
        write(bytes, place..<max(place, end), to: &output)
        place = max(place, end)
        concealed.removeFirst(done)
        for index in concealed.indices {
            let range = concealed[index]
            concealed[index] = range.lowerBound - bytes.byteCount..<range.upperBound - bytes.byteCount
        }
        keep(bytes, from: place)
    }

    private mutating func write(_ bytes: RawSpan, _ range: Range<Int>, to output: inout [UInt8]) {
        guard !range.isEmpty else { return }
        isConcealing = false
        let before = range.clamped(to: -heldBack..<0)
        if !before.isEmpty {
            let count = heldBack
            held.withBytes { held in
                held.extracting(before.lowerBound + count..<before.upperBound + count).withUnsafeBytes { output += $0 }
            }
        }
        let now = range.clamped(to: 0..<bytes.byteCount)
        if !now.isEmpty { bytes.extracting(now).withUnsafeBytes { output += $0 } }
    }

    private mutating func keep(_ bytes: RawSpan, from place: Int) {
        let count = heldBack
        let old = max(0, -place)
        held.withMutableBytes { held in
            if old > 0, old < count {
                held.copyMemory(from: UnsafeRawBufferPointer(rebasing: held[(count - old)..<count]))
            }
            bytes.extracting(max(0, place)..<bytes.byteCount).withUnsafeBytes { new in
                if !new.isEmpty { UnsafeMutableRawBufferPointer(rebasing: held[old...]).copyMemory(from: new) }
            }
        }
        heldBack = old + bytes.byteCount - max(0, place)
    }
}
