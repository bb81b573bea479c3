internal import CSodium
internal import Glibc
internal import LinuxSystem

/// The one place where keys and small secrets live. It is locked against swapping, left out of core dumps and of forked
/// processes, and lies between inaccessible pages.
///
/// The arena grows inside one reservation. If the system refuses to lock more memory, the arena refuses to grow; it
/// never hands out memory that is not locked. It wipes blocks when they come back, and joins them with free neighbors.
final class Arena: Sendable {
    /// The largest block. Anything larger gets pages of its own, see ``SecureBytes``.
    static let largest = 64 * 1024
    /// The number of bytes by which the arena grows while the limit of the process allows it.
    private static let chunk = BuddyBlocks.largest
    fileprivate static let reserved = 256 * 1024 * 1024
    private static let page = 4096

    /// The arena of this process. It reserves addresses at first use, and locks only what it hands out.
    private static let shared = Arena()

    fileprivate struct State: @unchecked Sendable {  // used under the lock only; no other code has this memory
        var blocks: BuddyBlocks
        /// The address at which the next locked pages begin.
        var endOfLocked: UnsafeMutableRawPointer
        let end: UnsafeMutableRawPointer
    }

    private let state: BargingLock<State>

    private init?() {
        // The page before the first chunk and the last page of the reservation are never opened.
        guard let base = Self.reserve(Self.reserved + 2 * Self.page) else { return nil }
        let first = base + Self.page
        state = BargingLock(State(blocks: BuddyBlocks(at: first), endOfLocked: first, end: first + Self.reserved))
    }

    /// Reserves inaccessible address space that no core dump shows and no forked process inherits.
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
        precondition(count <= largest, "a block of the arena has at most 64 KiB")
        let size = BuddyBlocks.size(for: count)
        return try withState { state throws(SodiumError) in
            do throws(SodiumError) { return try state.allocate(size) } catch {
                guard let block = SecureReserve.lent?.allocate(size, of: &state.blocks) else { throw error }
                return block
            }
        }
    }

    /// Wipes a block and keeps it for later use.
    static func free(_ block: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(block, count)
        shared?.state.withLock { $0.blocks.give(block, BuddyBlocks.size(for: count)) }
    }

    /// Runs `body` on the arena while no other thread uses it.
    fileprivate static func withState<Result>(
        _ body: (inout State) throws(SodiumError) -> Result
    ) throws(SodiumError) -> Result {
        try Sodium.start()
        guard let shared else { throw .refused(bytes: reserved) }
        return try shared.state.withLock { state throws(SodiumError) in try body(&state) }
    }
}

extension Arena.State {
    /// Returns a block of `size` bytes, and locks more memory if necessary.
    fileprivate mutating func allocate(_ size: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        if let block = blocks.allocate(size) { return block }
        // Near the limit of the process, less than a chunk can be locked, and several small pieces may make up one
        // block.
        var piece = Arena.chunk
        var refusal = SodiumError.arenaFull(bytes: Arena.reserved)
        while piece >= Arena.page {
            do {
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
        guard mprotect(endOfLocked, bytes, PROT_READ | PROT_WRITE) == 0 else { throw .refused(bytes: bytes) }
        guard mlock(endOfLocked, bytes) == 0 else {
            mprotect(endOfLocked, bytes, PROT_NONE)
            throw .lockLimit(bytes: LockedMemory.limitOfTheProcess)
        }
        endOfLocked += bytes
        blocks.extend(by: bytes)
    }
}

/// The amount of memory that this process may lock, which limits how many keys and small secrets it can hold.
package enum LockedMemory: Sendable {
    /// The largest number of bytes of keys and small secrets that this process can hold. Each read looks again, because
    /// the limit may be raised.
    package static var capacity: Int {
        let limit = limitOfTheProcess
        // The check costs address space, and under a limit as high as this it makes no difference.
        if limit >= UInt64(Arena.reserved) || mayExceed(limit) { return Arena.reserved }
        return Int(limit)
    }

    /// The limit that the system reports. A privileged process may lock more.
    fileprivate static var limitOfTheProcess: UInt64 {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
        return UInt64(limit.rlim_cur)
    }

    /// Returns true if the limit does not apply to this process. Only a try shows this, because root in a container may
    /// or may not have the privilege. The system checks the limit first, and the pages of the try are never used.
    private static func mayExceed(_ limit: UInt64) -> Bool {
        let count = Int(limit) + 4096
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_LOCKED
        guard let tried = mmap(nil, count, PROT_NONE, flags, -1, 0), tried != MAP_FAILED else { return false }
        munmap(tried, count)
        return true
    }
}

/// Locked memory that is set aside for work that must not fail half-way for lack of memory, such as the work after a
/// commit.
package final class SecureReserve: @unchecked Sendable {  // used under the arena's lock only
    @TaskLocal fileprivate static var lent: SecureReserve?

    private let size: Int
    private var pieces: [(block: UnsafeMutableRawPointer, size: Int)] = []

    /// Sets aside this many bytes, rounded up to a power of two. Throws if the arena has no room for them.
    package init(bytes: Int) throws(SodiumError) {
        size = BuddyBlocks.size(for: bytes)
        try fill()
    }

    deinit { try? Arena.withState { $0.giveBack(&pieces) } }

    /// Sets aside again what was used. If the arena has no room for that, this throws and the reserve is empty.
    package func fill() throws(SodiumError) {
        try Arena.withState { state throws(SodiumError) in
            if pieces.count == 1, pieces[0].size == size { return }
            state.giveBack(&pieces)
            pieces = [(try state.allocate(size), size)]
        }
    }

    /// Runs `body`. If the arena is full meanwhile, allocations use the reserve.
    package func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$lent.withValue(self, operation: body)
    }

    /// Returns a block of `bytes` from the reserve; nil if no piece is that large.
    fileprivate func allocate(_ bytes: Int, of blocks: inout BuddyBlocks) -> UnsafeMutableRawPointer? {
        // Take the smallest piece that fits, because a larger one may be needed whole.
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
    /// Takes back the blocks that were not used. They are still all zeros.
    fileprivate mutating func giveBack(_ pieces: inout [(block: UnsafeMutableRawPointer, size: Int)]) {
        for piece in pieces { blocks.give(piece.block, piece.size) }
        pieces = []
    }
}
