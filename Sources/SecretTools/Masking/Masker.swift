package import SodiumKit

/// Replaces secrets in a stream of bytes, wherever the stream is cut.
///
/// It conceals every byte of every whole occurrence, even if occurrences overlap. Each run of such bytes becomes one
/// ``replacement``, which reveals neither their length nor their number, or as many stars, so that a stream keeps its length. Bytes at
/// the end that may begin a secret are held back until the next bytes decide. A part of a secret, or a form that ``MaskedWords`` does
/// not have, is not recognized.
package struct Masker: ~Copyable, Sendable {
    /// The text that replaces secrets.
    package static let replacement = "<concealed by latchkey>"

    private var lanes: Lanes
    private var held: SecureBytes
    /// The number of bytes that are held back.
    package private(set) var heldBack = 0
    /// The ranges to conceal in the held-back bytes, counted from the next byte of the stream.
    private var concealed: [Range<Int>] = []
    /// True if the last released byte was concealed, so that a run may go on.
    private var isConcealing = false
    private let keepsLength: Bool
    /// True if a secret was found, in this stream or one before.
    package private(set) var hasConcealed = false

    /// Creates a masker.
    ///
    /// - Parameter keepsLength: True if each byte of a secret becomes a star.
    package init(_ words: consuming MaskedWords, keepsLength: Bool = false) throws(SodiumError) {
        var words = words
        let lanes = try words.lanes()
        held = try SecureBytes(count: lanes.longest)
        self.lanes = lanes
        self.keepsLength = keepsLength
    }

    /// Takes the next bytes of the stream, and appends to `output` everything that can be written now.
    package mutating func feed(_ bytes: RawSpan, to output: inout [UInt8]) {
        search(bytes)
        release(bytes, upTo: bytes.byteCount - lanes.extent, to: &output)
    }

    /// Releases held-back bytes if they are at most three letters of a secret. Call it when the stream pauses, so that a question
    /// which happens to end like the beginning of a secret shows.
    ///
    /// Four letters are hardly a coincidence, and stay until the next byte or the end of the stream decides. Released letters are
    /// not forgotten: if a secret follows, its rest is concealed. So a program that writes byte by byte shows at most three.
    package mutating func releaseHeldBack(to output: inout [UInt8]) {
        if lanes.depth < MaskedWords.fewest { release(RawSpan(), upTo: 0, to: &output) }
    }

    /// Ends the stream: releases the held-back bytes, which are no whole secret. Another stream may follow.
    package mutating func finish(to output: inout [UInt8]) {
        release(RawSpan(), upTo: 0, to: &output)
        lanes.reset()
        isConcealing = false
    }

    private mutating func search(_ bytes: RawSpan) {
        var found: [Range<Int>] = []
        lanes.search(bytes, from: -heldBack, &found)
        if found.isEmpty { return }
        var all: [Range<Int>] = []
        for range in (concealed + found).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = all.last, last.upperBound >= range.lowerBound {
                all[all.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                all.append(range)
            }
        }
        concealed = all
    }

    /// Releases everything before `end` and any concealed range that reaches over it, and keeps the rest.
    private mutating func release(_ bytes: RawSpan, upTo end: Int, to output: inout [UInt8]) {
        var place = -heldBack
        var done = 0
        for range in concealed {
            write(bytes, place..<max(place, min(range.lowerBound, end)), to: &output)
            place = max(place, min(range.lowerBound, end))
            guard range.lowerBound <= place else { break }
            if keepsLength {
                output += repeatElement(UInt8(ascii: "*"), count: range.upperBound - place)
            } else if !isConcealing {
                output += Self.replacement.utf8
            }
            isConcealing = true
            hasConcealed = true
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
