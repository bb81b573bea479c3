internal import SodiumKit

/// The search for the words of one kind in a stream, wherever the stream is cut.
struct MaskingLane: ~Copyable, Sendable {
    /// Bytes between letters: how many letters came before, and how many such bytes there were up to here.
    private struct Gap {
        let letters: Int
        var bytes: Int
    }

    private let reading: Reading
    /// The role of each byte: a letter, or one of the two numbers below.
    private let parts: [UInt16]
    private static let gap: UInt16 = 256
    private static let laterGap: UInt16 = 257
    private let tree: SecureBytes
    /// The node by each first byte, since most bytes are looked at here only.
    private let starts: SecureBytes
    /// How many bytes of a stream a word may take, with what may stand between its letters.
    let longest: Int

    private var node: UInt32 = 0
    /// How many letters came since the search was last at the root, and the gaps between them.
    private var letters = 0
    private var gaps: [Gap] = []
    /// How many bytes the present gap has.
    private var run = 0
    /// How many bytes of a gap that belongs to the next letter came at the root.
    private var leading = 0
    /// Stands in `starts` for a byte of such a gap.
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

    /// How many letters at the end of the stream may be the beginning of a word.
    var depth: Int {
        let node = Int(node)
        return tree.withBytes { tree in
            Int(tree.withUnsafeBytes { $0.assumingMemoryBound(to: Node.self)[node].depth })
        }
    }

    /// How many bytes at the end of the stream may be the beginning of a word.
    var extent: Int {
        if node == 0 { return leading }
        let depth = depth
        return depth + bytesBetween(last: depth)
    }

    /// Forgets the stream: another one may come.
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

    /// How many bytes stand between the last so many letters, and behind them; before them too where those belong to the first.
    private func bytesBetween(last count: Int) -> Int {
        guard let all = gaps.last?.bytes else { return 0 }
        // Gaps further ahead are none of theirs.
        let start = reading.ownsGapBefore ? letters - count : letters - count + 1
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].letters >= start { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? all : all - gaps[low - 1].bytes
    }

    /// Goes on through `bytes`, and adds to `found` what is to be concealed from `first` on.
    mutating func search(_ bytes: RawSpan, from first: Int, _ found: inout [Range<Int>]) {
        var ranges: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            // Borrowed as pointers, so that the loop looks at memory and nothing else.
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
        // Both live as long as the lane, and are read only.
        (
            tree.withBytes {
                $0.withUnsafeBytes { UnsafeMutableBufferPointer(mutating: $0.assumingMemoryBound(to: Node.self)) }
            },
            starts.withBytes { $0.withUnsafeBytes { $0.assumingMemoryBound(to: UInt32.self) } }
        )
    }

    /// Goes on from `node`, and returns the node that it has come to.
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

    /// The node after this one by `letter`, which is `byte` in the stream.
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

    /// One more byte stands between letters.
    private mutating func widenGap(_ nodes: UnsafeMutableBufferPointer<Node>) {
        run += 1
        if run > Reading.longestGap { return goToRoot() }
        let all = gaps.last?.bytes ?? 0
        if run > 1 { gaps[gaps.count - 1].bytes += 1 } else { gaps.append(Gap(letters: letters, bytes: all + 1)) }
        dropWideBeginnings(nodes)
    }

    /// Goes back to a shorter beginning, or to the root, where too much stands between the letters: so much is never held back.
    private mutating func dropWideBeginnings(_ nodes: UnsafeMutableBufferPointer<Node>) {
        while node != 0 {
            let depth = Int(nodes[Int(node)].depth)
            if bytesBetween(last: depth) <= Reading.gapsPerLetter * depth + Reading.longestGap { return }
            node = nodes[Int(node)].fallback
        }
        goToRoot()
    }

    /// Begins anew behind the present gap.
    private mutating func goToRoot() {
        node = 0
        leading = reading.ownsGapBefore ? min(run, Reading.longestGap) : 0
    }

    /// Drops the gaps that lie before every beginning that still counts.
    private mutating func forgetOldGaps() {
        if gaps.isEmpty { return }
        if node == 0 { return forgetLetters() }
        let start = letters - depth
        guard let old = gaps.lastIndex(where: { $0.letters < start }), old > 0 else { return }
        // The last of them says how many bytes came before.
        gaps.removeFirst(old)
    }

    /// Each ends behind those before it, so that it swallows or joins the last ones only.
    static func add(_ range: Range<Int>, to found: inout [Range<Int>]) {
        var start = range.lowerBound
        while let last = found.last, last.upperBound >= start {
            start = min(start, last.lowerBound)
            found.removeLast()
        }
        found.append(start..<range.upperBound)
    }
}

/// The lanes of one masker.
struct Lanes: ~Copyable, Sendable {
    var plain: MaskingLane
    var quoted: MaskingLane
    var base64: MaskingLane
    var hexadecimal: MaskingLane

    /// The most bytes that a word may take.
    var longest: Int { max(plain.longest, quoted.longest, base64.longest, hexadecimal.longest) }
    /// How many letters at the end may be the beginning of a word.
    var depth: Int { max(plain.depth, quoted.depth, base64.depth, hexadecimal.depth) }
    /// How many bytes at the end may be the beginning of a word.
    var extent: Int { max(plain.extent, quoted.extent, base64.extent, hexadecimal.extent) }

    /// Goes on through `bytes`, and adds to `found` what is to be concealed from `first` on, lane by lane.
    mutating func search(_ bytes: RawSpan, from first: Int, _ found: inout [Range<Int>]) {
        plain.search(bytes, from: first, &found)
        quoted.search(bytes, from: first, &found)
        base64.search(bytes, from: first, &found)
        hexadecimal.search(bytes, from: first, &found)
    }

    /// Forgets the stream.
    mutating func reset() {
        plain.reset()
        quoted.reset()
        base64.reset()
        hexadecimal.reset()
    }
}
