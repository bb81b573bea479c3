package import SodiumKit

/// Replaces secrets in a stream of bytes, wherever the stream is cut.
///
/// Every byte of every whole occurrence is concealed, also where occurrences overlap; each run of such bytes becomes one
/// ``replacement``, which shows neither how long nor how many they were. Bytes at the end that may be the beginning of a secret are
/// held back until more is known. What is not there as a whole, or in a form that ``MaskedWords`` has, is not recognized.
package struct Masker: ~Copyable, Sendable {
    /// What stands in the place of secrets.
    package static let replacement = "<concealed by latchkey>"

    private var lanes: Lanes
    private var held: SecureBytes
    /// How many bytes wait for what comes next.
    package private(set) var heldBack = 0
    /// What is to be concealed of what is held back, counted from the next byte of the stream.
    private var concealed: [Range<Int>] = []
    /// True if the last byte that was let go of was concealed, so that a run goes on.
    private var isConcealing = false

    /// One that conceals these words.
    package init(_ words: consuming MaskedWords) throws(SodiumError) {
        var words = words
        let lanes = try words.lanes()
        held = try SecureBytes(count: lanes.longest)
        self.lanes = lanes
    }

    /// Takes the next bytes of the stream, and adds to `output` what can be written now.
    package mutating func feed(_ bytes: RawSpan, to output: inout [UInt8]) {
        search(bytes)
        release(bytes, upTo: bytes.byteCount - lanes.extent, to: &output)
    }

    /// To be called when nothing has come for a moment: lets go of up to three letters at the end that may be the beginning of a
    /// secret, so that a question that ends like this is seen.
    ///
    /// Four letters are no chance any more, and stay until the next byte or the end of the stream decides. What is let go of is not
    /// forgotten: where it was the beginning of a secret, all the rest of that is concealed, so that a program that writes byte
    /// by byte shows three of them at the most.
    package mutating func releaseHeldBack(to output: inout [UInt8]) {
        if lanes.depth < MaskedWords.fewest { release(RawSpan(), upTo: 0, to: &output) }
    }

    /// The end of the stream: what is held back is no secret as a whole, and is let go of. Then another stream may come.
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
