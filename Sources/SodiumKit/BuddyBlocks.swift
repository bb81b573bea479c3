/// A buddy allocator: it divides a range of memory into blocks whose sizes are powers of two.
///
/// It splits a block that is larger than wanted into halves, and joins two halves that are both free. In whatever order
/// the blocks come back, the memory is whole again in the end.
///
/// A free block is all zeros except for its first eight bytes, which link it to the free blocks of the same size before
/// and after it. A block is all zeros when it is handed out.
package struct BuddyBlocks: @unchecked Sendable {  // Free memory belongs to this value alone.
    /// The smallest block, in bytes.
    package static let smallest = 32
    /// The largest block, in bytes. Halves of this size are not joined.
    package static let largest = smallest << largestOrder
    private static let largestOrder = 13

    private let base: UnsafeMutableRawPointer
    /// The first free block of each size: its unit plus one, or zero if there is none.
    private var first = [UInt32](repeating: 0, count: largestOrder + 1)
    /// The state of the block that begins at each unit of the smallest size.
    private var starts: [Start] = []

    private enum Start: Equatable {
        case nothing
        case free(order: UInt8)
        case taken(order: UInt8)
    }

    /// Creates an allocator without memory. Memory that is added later begins at `base`.
    package init(at base: UnsafeMutableRawPointer) { self.base = base }

    /// The number of bytes, free or handed out.
    package var count: Int { starts.count * Self.smallest }

    package static func size(for bytes: Int) -> Int {
        bytes <= smallest ? smallest : 1 << (Int.bitWidth - (bytes - 1).leadingZeroBitCount)
    }

    /// Adds this many bytes behind the present ones. The new bytes must be zeros.
    package mutating func extend(by bytes: Int) {
        precondition(bytes >= 0 && bytes % Self.smallest == 0, "memory is added in whole blocks")
        var unit = starts.count
        let end = unit + bytes / Self.smallest
        starts.append(contentsOf: repeatElement(.nothing, count: end - unit))
        while unit < end {
            // Find the largest block that may begin here and fits.
            let room = Int.bitWidth - 1 - (end - unit).leadingZeroBitCount
            let order = min(unit.trailingZeroBitCount, room, Self.largestOrder)
            join(unit, order)
            unit += 1 << order
        }
    }

    /// Returns a block of `size` bytes, a power of two; nil if no free block is large enough.
    package mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        let wanted = Self.order(of: size)
        guard var order = (wanted...Self.largestOrder).first(where: { first[$0] != 0 }) else { return nil }
        let unit = Int(first[order]) - 1
        unlink(unit, order)
        while order > wanted {
            order -= 1
            link(unit + (1 << order), order)
        }
        starts[unit] = .taken(order: UInt8(order))
        return base + unit * Self.smallest
    }

    /// Takes back a block of `size` bytes, which the caller has wiped.
    package mutating func give(_ block: UnsafeMutableRawPointer, _ size: Int) {
        let (unit, order) = (unit(of: block), Self.order(of: size))
        precondition(starts[unit] == .taken(order: UInt8(order)), "a block comes back once, at its size")
        starts[unit] = .nothing
        join(unit, order)
    }

    /// Splits a block of `size` bytes that is handed out into two. Returns the second one.
    package mutating func split(_ block: UnsafeMutableRawPointer, _ size: Int) -> UnsafeMutableRawPointer {
        let (unit, order) = (unit(of: block), Self.order(of: size))
        precondition(order > 0 && starts[unit] == .taken(order: UInt8(order)), "only a block in use can be split")
        let half = Start.taken(order: UInt8(order - 1))
        starts[unit] = half
        starts[unit + (1 << (order - 1))] = half
        return block + size / 2
    }

    /// The offset and size of every free block, in no particular order.
    package var free: [(offset: Int, size: Int)] {
        starts.indices.compactMap { unit in
            guard case .free(let order) = starts[unit] else { return nil }
            return (unit * Self.smallest, Self.smallest << Int(order))
        }
    }

    // MARK: - Blocks

    private static func order(of size: Int) -> Int {
        precondition(size >= smallest && size <= largest && size & (size - 1) == 0, "a size is a power of two")
        return size.trailingZeroBitCount - smallest.trailingZeroBitCount
    }

    private func unit(of block: UnsafeMutableRawPointer) -> Int {
        let offset = block - base
        precondition(offset >= 0 && offset < count && offset % Self.smallest == 0, "a block must lie in this memory")
        return offset / Self.smallest
    }

    /// Frees a block, and joins it with its other half as long as that half is free too.
    private mutating func join(_ freed: Int, _ size: Int) {
        var (unit, order) = (freed, size)
        while order < Self.largestOrder {
            let other = unit ^ (1 << order)
            guard other < starts.count, starts[other] == .free(order: UInt8(order)) else { break }
            unlink(other, order)
            unit = min(unit, other)
            order += 1
        }
        link(unit, order)
    }

    // MARK: - Lists of free blocks

    private func place(_ unit: Int) -> UnsafeMutableRawPointer { base + unit * Self.smallest }

    private mutating func link(_ unit: Int, _ order: Int) {
        let next = first[order]
        place(unit).storeBytes(of: next, as: UInt32.self)
        if next != 0 { place(Int(next) - 1).storeBytes(of: UInt32(unit + 1), toByteOffset: 4, as: UInt32.self) }
        first[order] = UInt32(unit + 1)
        starts[unit] = .free(order: UInt8(order))
    }

    private mutating func unlink(_ unit: Int, _ order: Int) {
        let next = place(unit).load(as: UInt32.self)
        let former = place(unit).load(fromByteOffset: 4, as: UInt32.self)
        if former != 0 { place(Int(former) - 1).storeBytes(of: next, as: UInt32.self) } else { first[order] = next }
        if next != 0 { place(Int(next) - 1).storeBytes(of: former, toByteOffset: 4, as: UInt32.self) }
        place(unit).storeBytes(of: 0, as: UInt64.self)
        starts[unit] = .nothing
    }
}
