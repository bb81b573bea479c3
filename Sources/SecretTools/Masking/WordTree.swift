internal import SodiumKit

/// A tree of words for the search by Aho and Corasick, which reads a stream once, however many words there are.
///
/// Each node links to the node of the longest other beginning that its text ends with. The tree spells out secrets, so it lies
/// in wiped memory.
struct WordTree: ~Copyable, Sendable {
    struct Node: BitwiseCopyable {
        var firstChild: UInt32 = 0
        var nextSibling: UInt32 = 0
        /// The node of the longest other beginning that the text up to here ends with.
        var fallback: UInt32 = 0
        var depth: UInt32 = 0
        /// The length of the longest word that ends here; zero if none does.
        var matched: UInt32 = 0
        /// The next node, in the order from short to long texts.
        var following: UInt32 = 0
        /// The byte of the node. It is as wide as the other fields, so that a node has no padding.
        var byte: UInt32 = 0
    }

    private var nodes: SecureBuffer
    private(set) var longest = 0

    init() throws(SodiumError) {
        var nodes = try SecureBuffer(capacity: 64 * MemoryLayout<Node>.stride)
        try Self.append(Node(), to: &nodes)
        self.nodes = nodes
    }

    /// Adds a word, byte by byte.
    mutating func add(_ word: RawSpan) throws(SodiumError) {
        guard word.byteCount > 0 else { return }
        try nodes.reserve(word.byteCount * MemoryLayout<Node>.stride)
        var node: UInt32 = 0
        for place in 0..<word.byteCount {
            let byte = word.unsafeLoad(fromByteOffset: place, as: UInt8.self)
            let known = withNodes { Self.child(of: node, byte, $0) }
            if known != 0 {
                node = known
                continue
            }
            let new = UInt32(nodes.count / MemoryLayout<Node>.stride)
            let sibling = withNodes { $0[Int(node)].firstChild }
            try Self.append(Node(nextSibling: sibling, depth: UInt32(place + 1), byte: UInt32(byte)), to: &nodes)
            withNodes { $0[Int(node)].firstChild = new }
            node = new
        }
        withNodes { $0[Int(node)].matched = UInt32(word.byteCount) }
        longest = max(longest, word.byteCount)
    }

    consuming func linked() throws(SodiumError) -> SecureBytes {
        withNodes { Self.link($0) }
        return try nodes.bytes()
    }

    /// Returns the child for this byte; 0, the root, if there is none.
    @inline(__always)
    static func child(of node: UInt32, _ byte: UInt8, _ nodes: UnsafeMutableBufferPointer<Node>) -> UInt32 {
        var child = nodes[Int(node)].firstChild
        while child != 0 && nodes[Int(child)].byte != UInt32(byte) { child = nodes[Int(child)].nextSibling }
        return child
    }

    /// Links the nodes level by level, because a link leads to a shorter text. The nodes themselves hold the order.
    private static func link(_ nodes: UnsafeMutableBufferPointer<Node>) {
        var parent: UInt32 = 0
        var last: UInt32 = 0
        repeat {
            var child = nodes[Int(parent)].firstChild
            while child != 0 {
                nodes[Int(last)].following = child
                last = child
                if parent != 0 {
                    let byte = UInt8(nodes[Int(child)].byte)
                    var shorter = nodes[Int(parent)].fallback
                    while shorter != 0 && Self.child(of: shorter, byte, nodes) == 0 {
                        shorter = nodes[Int(shorter)].fallback
                    }
                    let fallback = Self.child(of: shorter, byte, nodes)
                    nodes[Int(child)].fallback = fallback
                    // If a word ends at the node itself, it is longer than any word at the fallback.
                    if nodes[Int(child)].matched == 0 { nodes[Int(child)].matched = nodes[Int(fallback)].matched }
                }
                child = nodes[Int(child)].nextSibling
            }
            parent = nodes[Int(parent)].following
        } while parent != 0
    }

    private static func append(_ node: Node, to nodes: inout SecureBuffer) throws(SodiumError) {
        try withUnsafeBytes(of: node) { (bytes) throws(SodiumError) in try nodes.append(bytes.bytes) }
    }

    private mutating func withNodes<Result>(_ body: (UnsafeMutableBufferPointer<Node>) -> Result) -> Result {
        nodes.withMutableBytes { body($0.assumingMemoryBound(to: Node.self)) }
    }
}
