internal import SodiumKit

/// The search for the words of one reading in a stream, wherever the stream is cut.
struct MaskingLane: ~Copyable, Sendable {
    /// A gap between letters: the number of letters before it, and the number of gap bytes up to its end.
    private struct Gap {
        let letters: Int
        var bytes: Int
    }

    private let reading: Reading
    /// The role of each byte: the letter that it is, or one of the two numbers below.
    private let parts: [UInt16]
    private static let gap: UInt16 = 256
    private static let laterGap: UInt16 = 257
    private let tree: SecureBytes
    /// The node for each first byte. For most bytes of a stream, the search reads only this.
    private let starts: SecureBytes
    /// The most bytes of a stream that a word can take, with the gaps between its letters.
    let longest: Int

    private var node: UInt32 = 0
    /// The number of letters since the search was last at the root. `gaps` are those between them.
    private var letters = 0
    private var gaps: [Gap] = []
    /// The number of bytes in the present gap.
    private var run = 0
    /// The number of gap bytes at the root that belong to the next letter.
    private var leading = 0
    /// The mark in `starts` for a byte of such a gap.
    private static let leads = UInt32.max

    private typealias Node = WordTree.Node

    init(_ reading: Reading, _ words: consuming WordTree) throws(SodiumError) {
        let letters = words.longest
        longest = reading == .plain ? letters : letters * (1 + Reading.gapsPerLetter) + Reading.longestGap
        var starts = try SecureBytes(count: 256 * MemoryLayout<UInt32>.stride)
        var tree = try words.linked()
        tree.withMutableBytes { nodes in
            let nodes = nodes.assumingMemoryBound(to: Node.self)
            starts.withMutableBytes { starts in
                let starts = starts.assumingMemoryBound(to: UInt32.self)
                for byte in starts.indices {
                    switch reading.part(UInt8(byte)) {
                    case .letter(let letter): starts[byte] = WordTree.child(of: 0, letter, nodes)
                    case .gap: if reading.ownsGapBefore { starts[byte] = Self.leads }
                    case .laterGap: break
                    }
                }
            }
        }
        self.reading = reading
        parts = (0...255).map { byte in
            switch reading.part(UInt8(byte)) {
            case .letter(let letter): UInt16(letter)
            case .gap: Self.gap
            case .laterGap: Self.laterGap
            }
        }
        self.tree = tree
        self.starts = starts
    }

    /// The number of letters at the end of the stream that may begin a word.
    var depth: Int {
        let node = Int(node)
        return tree.withBytes { tree in
            Int(tree.withUnsafeBytes { $0.assumingMemoryBound(to: Node.self)[node].depth })
        }
    }

    /// The number of bytes at the end of the stream that may begin a word.
    var extent: Int {
        if node == 0 { return leading }
        let depth = depth
        return depth + bytesBetween(last: depth)
    }

    /// Forgets the stream, so that another one may follow.
    mutating func reset() {
        node = 0
        leading = 0
        forgetLetters()
    }

    private mutating func forgetLetters() {
        letters = 0
        run = 0
        gaps.removeAll(keepingCapacity: true)
    }

    /// Returns the number of gap bytes between and after the last `count` letters, and before them if the reading owns those.
    private func bytesBetween(last count: Int) -> Int {
        guard let all = gaps.last?.bytes else { return 0 }
        // Earlier gaps belong to earlier letters.
        let start = reading.ownsGapBefore ? letters - count : letters - count + 1
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].letters >= start { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? all : all - gaps[low - 1].bytes
    }

    /// Searches `bytes`, which follow those before, and appends to `found` the ranges to conceal, none before `first`.
    mutating func search(_ bytes: RawSpan, from first: Int, _ found: inout [Range<Int>]) {
        var ranges: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            // The loop uses pointers, because anything else in it costs time for every byte.
            let (tree, starts) = pointers
            if reading == .plain {
                node = Self.search(bytes, tree, starts, from: node, first: first, &ranges)
            } else {
                searchWithGaps(bytes, tree, starts, first: first, &ranges)
            }
        }
        found += ranges
        forgetOldGaps()
    }

    private var pointers: (UnsafeMutableBufferPointer<Node>, UnsafeBufferPointer<UInt32>) {
        // Both buffers live as long as the lane, and are only read.
        (
            tree.withBytes {
                $0.withUnsafeBytes { UnsafeMutableBufferPointer(mutating: $0.assumingMemoryBound(to: Node.self)) }
            },
            starts.withBytes { $0.withUnsafeBytes { $0.assumingMemoryBound(to: UInt32.self) } }
        )
    }

    /// Searches from `node` on, and returns the node at the end of `bytes`.
    private static func search(
        _ bytes: UnsafeRawBufferPointer, _ nodes: UnsafeMutableBufferPointer<Node>,
        _ starts: UnsafeBufferPointer<UInt32>, from node: UInt32, first: Int, _ found: inout [Range<Int>]
    ) -> UInt32 {
        var node = node
        var place = 0
        while place < bytes.count {
            if node == 0 {
                while place < bytes.count, starts[Int(bytes[place])] == 0 { place += 1 }
                guard place < bytes.count else { break }
                node = starts[Int(bytes[place])]
            } else {
                node = next(after: node, bytes[place], bytes[place], nodes, starts)
            }
            place += 1
            let count = Int(nodes[Int(node)].matched)
            if count > 0 { add(max(first, place - count)..<place, to: &found) }
        }
        return node
    }

    /// Returns the node that follows `node` for `letter`, which is `byte` in the stream.
    @inline(__always)
    private static func next(
        after node: UInt32, _ letter: UInt8, _ byte: UInt8, _ nodes: UnsafeMutableBufferPointer<Node>,
        _ starts: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var node = node
        var next = WordTree.child(of: node, letter, nodes)
        while next == 0 {
            node = nodes[Int(node)].fallback
            if node == 0 { return starts[Int(byte)] }
            next = WordTree.child(of: node, letter, nodes)
        }
        return next
    }

    private mutating func searchWithGaps(
        _ bytes: UnsafeRawBufferPointer, _ nodes: UnsafeMutableBufferPointer<Node>,
        _ starts: UnsafeBufferPointer<UInt32>, first: Int, _ found: inout [Range<Int>]
    ) {
        var place = 0
        while place < bytes.count {
            if node == 0 {
                let before = place
                while place < bytes.count, starts[Int(bytes[place])] == 0 { place += 1 }
                if place > before { leading = 0 }
                guard place < bytes.count else { return }
                let start = starts[Int(bytes[place])]
                if start == Self.leads {
                    leading = min(leading + 1, Reading.longestGap)
                    place += 1
                    continue
                }
                forgetLetters()
                if leading > 0 { gaps.append(Gap(letters: 0, bytes: leading)) }
                leading = 0
                node = start
                letters = 1
            } else {
                let part = parts[Int(bytes[place])]
                if part < Self.gap {
                    node = Self.next(after: node, UInt8(part), bytes[place], nodes, starts)
                    letters += 1
                    run = 0
                } else {
                    if part == Self.gap || run > 0 { widenGap(nodes) } else { node = 0 }
                    place += 1
                    continue
                }
            }
            place += 1
            let count = Int(nodes[Int(node)].matched)
            if count > 0 { Self.add(max(first, place - count - bytesBetween(last: count))..<place, to: &found) }
            if !gaps.isEmpty { dropWideBeginnings(nodes) }
        }
    }

    /// Counts one more byte between letters.
    private mutating func widenGap(_ nodes: UnsafeMutableBufferPointer<Node>) {
        run += 1
        if run > Reading.longestGap { return goToRoot() }
        let all = gaps.last?.bytes ?? 0
        if run > 1 { gaps[gaps.count - 1].bytes += 1 } else { gaps.append(Gap(letters: letters, bytes: all + 1)) }
        dropWideBeginnings(nodes)
    }

    /// Falls back to a shorter beginning, or to the root, if its gaps are too wide. This bounds the bytes that are held back.
    private mutating func dropWideBeginnings(_ nodes: UnsafeMutableBufferPointer<Node>) {
        while node != 0 {
            let depth = Int(nodes[Int(node)].depth)
            if bytesBetween(last: depth) <= Reading.gapsPerLetter * depth + Reading.longestGap { return }
            node = nodes[Int(node)].fallback
        }
        goToRoot()
    }

    /// Starts again at the root, after the present gap.
    private mutating func goToRoot() {
        node = 0
        leading = reading.ownsGapBefore ? min(run, Reading.longestGap) : 0
    }

    /// Drops the gaps before every beginning that still counts.
    private mutating func forgetOldGaps() {
        if gaps.isEmpty { return }
        if node == 0 { return forgetLetters() }
        let start = letters - depth
        guard let old = gaps.lastIndex(where: { $0.letters < start }), old > 0 else { return }
        // Keep the last of them: it holds the number of gap bytes before the others.
        gaps.removeFirst(old)
    }

    /// Adds a range, which ends after all before it, and merges it with those that it touches.
    static func add(_ range: Range<Int>, to found: inout [Range<Int>]) {
        var start = range.lowerBound
        while let last = found.last, last.upperBound >= start {
            start = min(start, last.lowerBound)
            found.removeLast()
        }
        found.append(start..<range.upperBound)
    }
}

/// The lanes of one masker, one for each reading.
struct Lanes: ~Copyable, Sendable {
    var plain: MaskingLane
    var quoted: MaskingLane
    var base64: MaskingLane
    var hexadecimal: MaskingLane

    /// The most bytes that a word can take.
    var longest: Int { max(plain.longest, quoted.longest, base64.longest, hexadecimal.longest) }
    /// The number of letters at the end that may begin a word.
    var depth: Int { max(plain.depth, quoted.depth, base64.depth, hexadecimal.depth) }
    /// The number of bytes at the end that may begin a word.
    var extent: Int { max(plain.extent, quoted.extent, base64.extent, hexadecimal.extent) }

    /// Searches `bytes` in each lane, and appends to `found` the ranges to conceal, none before `first`.
    mutating func search(_ bytes: RawSpan, from first: Int, _ found: inout [Range<Int>]) {
        plain.search(bytes, from: first, &found)
        quoted.search(bytes, from: first, &found)
        base64.search(bytes, from: first, &found)
        hexadecimal.search(bytes, from: first, &found)
    }

    /// Forgets the stream in each lane.
    mutating func reset() {
        plain.reset()
        quoted.reset()
        base64.reset()
        hexadecimal.reset()
    }
}
