internal import CSodium
internal import Glibc
internal import LinuxSystem

/// The one place where keys and small secrets live: locked against swapping, left out of cores and of forked processes, with
/// inaccessible pages before and behind it.
///
/// It grows inside one reservation, and refuses to grow where the system refuses to lock: memory that is merely hoped to be
/// locked is never handed out. Blocks are wiped when they are given back, and joined with what is free beside them.
final class Arena: Sendable {
    /// The largest block. What is larger has pages of its own, see ``SecureBytes``.
    static let largest = 64 * 1024
    /// By how much it grows where the limit of the process allows it.
    private static let chunk = BuddyBlocks.largest
    fileprivate static let reserved = 256 * 1024 * 1024
    private static let page = 4096

    /// The arena of this process. It is reserved at first use, and locks what it has handed out.
    private static let shared = Arena()

    fileprivate struct State: @unchecked Sendable {  // the memory is ours alone, and used under the lock only
        var blocks: BuddyBlocks
        /// The address at which the next pages are locked.
        var endOfLocked: UnsafeMutableRawPointer
        let end: UnsafeMutableRawPointer
    }

    private let state: BargingLock<State>

    private init?() {
        // The first chunk starts behind a page that is never opened; the last page of the reservation stays shut as well.
        guard let base = Self.reserve(Self.reserved + 2 * Self.page) else { return nil }
        let first = base + Self.page
        state = BargingLock(State(blocks: BuddyBlocks(at: first), endOfLocked: first, end: first + Self.reserved))
    }

    /// Inaccessible address space that no core shows and no forked process inherits.
    static func reserve(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let base = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            base != MAP_FAILED
        else { return nil }
        guard madvise(base, count, MADV_DONTDUMP) == 0, madvise(base, count, MADV_DONTFORK) == 0 else {
            munmap(base, count)
            return nil
        }
        return base
    }

    static func allocate(_ count: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        precondition(count <= largest, "a block of the arena is no larger than this")
        let size = BuddyBlocks.size(for: count)
        return try withState { state throws(SodiumError) in
            do throws(SodiumError) { return try state.allocate(size) } catch {
                guard let block = SecureReserve.lent?.allocate(size, of: &state.blocks) else { throw error }
                return block
            }
        }
    }

    /// Wipes the block and keeps it for the next who asks.
    static func free(_ block: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(block, count)
        shared?.state.withLock { $0.blocks.give(block, BuddyBlocks.size(for: count)) }
    }

    /// Runs `body` on the arena while no other thread uses it.
    fileprivate static func withState<Result>(
        _ body: (inout State) throws(SodiumError) -> Result
    ) throws(SodiumError) -> Result {
        try Sodium.start()
        guard let shared else { throw .outOfMemory(bytes: reserved) }
        return try shared.state.withLock { state throws(SodiumError) in try body(&state) }
    }
}

extension Arena.State {
    /// A block of `size` bytes; locks more memory if need be.
    fileprivate mutating func allocate(_ size: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        if let block = blocks.allocate(size) { return block }
        // Near the limit of the process less than a chunk can be locked, and many small pieces may make up one block.
        var piece = Arena.chunk
        var refusal = SodiumError.arenaFull(bytes: Arena.reserved)
        while piece >= Arena.page {
            do throws(SodiumError) {
                try grow(by: piece)
                if let block = blocks.allocate(size) { return block }
            } catch {
                refusal = error
                piece /= 2
            }
        }
        throw refusal
    }

    private mutating func grow(by bytes: Int) throws(SodiumError) {
        guard bytes <= end - endOfLocked else { throw .arenaFull(bytes: Arena.reserved) }
        guard mprotect(endOfLocked, bytes, PROT_READ | PROT_WRITE) == 0 else { throw .outOfMemory(bytes: bytes) }
        guard mlock(endOfLocked, bytes) == 0 else {
            mprotect(endOfLocked, bytes, PROT_NONE)
            throw .lockLimit(bytes: LockedMemory.limitOfTheProcess)
        }
        endOfLocked += bytes
        blocks.extend(by: bytes)
    }
}

/// How much of its memory a process may lock, and so how many keys and small secrets it can hold at a time.
package enum LockedMemory: Sendable {
    /// How many bytes of keys and small secrets this process can hold at most. Looks again each time: the limit may be raised.
    package static var capacity: Int {
        let limit = limitOfTheProcess
        // Looking costs address space, and a limit as high as this makes no difference.
        if limit >= UInt64(Arena.reserved) || mayExceed(limit) { return Arena.reserved }
        return Int(limit)
    }

    /// What the system says that the process may lock; a process with the right to may lock more.
    fileprivate static var limitOfTheProcess: UInt64 {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
        return UInt64(limit.rlim_cur)
    }

    /// Whether the limit does not hold for this process. Only trying tells: in a container root may have the right or not. The
    /// system looks at the limit before it does anything, and the pages of what is tried are never there.
    private static func mayExceed(_ limit: UInt64) -> Bool {
        let count = Int(limit) + 4096
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_LOCKED
        guard let tried = mmap(nil, count, PROT_NONE, flags, -1, 0), tried != MAP_FAILED else { return false }
        munmap(tried, count)
        return true
    }
}

/// Locked memory that is set aside for work that must not fail half-way because there is none left, such as what follows a
/// commit.
package final class SecureReserve: @unchecked Sendable {  // what it holds is touched under the arena's lock only
    @TaskLocal fileprivate static var lent: SecureReserve?

    private let size: Int
    private var pieces: [(block: UnsafeMutableRawPointer, size: Int)] = []

    /// Sets so many bytes aside, a power of two. Throws where there is no room for them.
    package init(bytes: Int) throws(SodiumError) {
        size = BuddyBlocks.size(for: bytes)
        try fill()
    }

    deinit { try? Arena.withState { $0.giveBack(&pieces) } }

    /// Sets aside again what was used of it. Throws where there is no room for that; then it is empty.
    package func fill() throws(SodiumError) {
        try Arena.withState { state throws(SodiumError) in
            if pieces.count == 1, pieces[0].size == size { return }
            state.giveBack(&pieces)
            pieces = [(try state.allocate(size), size)]
        }
    }

    /// Runs `body`. What it cannot get from the arena otherwise it takes from what is set aside.
    package func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$lent.withValue(self, operation: body)
    }

    /// A block of `bytes` of what is set aside; nil where there is not so much left in one piece.
    fileprivate func allocate(_ bytes: Int, of blocks: inout BuddyBlocks) -> UnsafeMutableRawPointer? {
        // The smallest that fits: what is left of a large one may be wanted as a whole.
        guard
            let place = pieces.indices.filter({ pieces[$0].size >= bytes }).min(by: {
                pieces[$0].size < pieces[$1].size
            })
        else { return nil }
        var piece = pieces.remove(at: place)
        while piece.size > bytes {
            let half = blocks.split(piece.block, piece.size)
            piece.size /= 2
            pieces.append((half, piece.size))
        }
        return piece.block
    }
}

extension Arena.State {
    /// Takes back the blocks that were not used. They are still zeros.
    fileprivate mutating func giveBack(_ pieces: inout [(block: UnsafeMutableRawPointer, size: Int)]) {
        for piece in pieces { blocks.give(piece.block, piece.size) }
        pieces = []
    }
}
