internal import CSodium
internal import Glibc
internal import Synchronization

/// The one place where keys and small secrets live: locked against swapping, left out of cores and of forked processes, with
/// inaccessible pages before and behind it.
///
/// It grows chunk by chunk inside one reservation, and refuses to grow where the system refuses to lock: memory that is
/// merely hoped to be locked is never handed out. Blocks come in powers of two and are wiped when they are given back.
final class Arena: Sendable {
    /// The largest block. What is larger has pages of its own, see ``SecureBytes``.
    static let largest = 64 * 1024
    private static let smallest = 32
    fileprivate static let chunk = 256 * 1024
    fileprivate static let reserved = 256 * 1024 * 1024
    fileprivate static let page = 4096

    /// The arena of this process. It is reserved at first use, and locks what it has handed out.
    private static let shared = Arena()

    fileprivate struct State: @unchecked Sendable {  // the pointers are ours alone, and used under the lock only
        var next: UnsafeMutableRawPointer
        var endOfLocked: UnsafeMutableRawPointer
        var end: UnsafeMutableRawPointer
        /// For each size the block that was given back last; each holds the one before it.
        var free = [UnsafeMutableRawPointer?](repeating: nil, count: 12)
    }

    private let state: Mutex<State>

    private init?() {
        // The first chunk starts behind a page that is never opened; the last page of the reservation stays shut as well.
        guard let base = Self.reserve(Self.reserved + 2 * Self.page) else { return nil }
        let first = base + Self.page
        state = Mutex(State(next: first, endOfLocked: first, end: first + Self.reserved))
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
        try Sodium.start()
        guard let shared else { throw .outOfMemory(bytes: reserved) }
        let kind = kind(of: count)
        return try shared.state.withLock { state throws(SodiumError) in
            if let block = state.reuse(kind) { return Block(block) }
            return Block(try state.carve(smallest << kind))
        }.pointer
    }

    /// Wipes the block and keeps it for the next who asks.
    static func free(_ block: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(block, count)
        let freed = Block(block)
        shared?.state.withLock { $0.keep(freed.pointer, kind(of: count)) }
    }

    private static func kind(of count: Int) -> Int {
        precondition(count <= largest, "a block of the arena is no larger than this")
        return count <= smallest ? 0 : (Int.bitWidth - (count - 1).leadingZeroBitCount) - smallest.trailingZeroBitCount
    }

    private struct Block: @unchecked Sendable {  // one owner at a time
        let pointer: UnsafeMutableRawPointer
        init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
    }
}

extension Arena.State {
    /// Keeps a wiped block for the next who asks. Every block has room for a pointer.
    fileprivate mutating func keep(_ block: UnsafeMutableRawPointer, _ kind: Int) {
        block.storeBytes(of: free[kind], as: UnsafeMutableRawPointer?.self)
        free[kind] = block
    }

    /// A block that was given back, of zeros as it was then; nil when there is none.
    fileprivate mutating func reuse(_ kind: Int) -> UnsafeMutableRawPointer? {
        guard let block = free[kind] else { return nil }
        free[kind] = block.load(as: UnsafeMutableRawPointer?.self)
        block.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
        return block
    }

    /// A block of `size` bytes, aligned to its own size up to a page, from what is locked; locks another chunk if need be.
    fileprivate mutating func carve(_ size: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        let alignment = min(size, Arena.page)
        var start = next.alignedUp(toMultipleOf: alignment)
        if start + size > endOfLocked {
            // A rest too small for this block is cut into blocks that fit later; chunks are large, so it is little.
            start = endOfLocked
            guard start + Arena.chunk <= end else { throw .arenaFull(bytes: Arena.reserved) }
            guard mprotect(start, Arena.chunk, PROT_READ | PROT_WRITE) == 0 else {
                throw .outOfMemory(bytes: Arena.chunk)
            }
            guard mlock(start, Arena.chunk) == 0 else {
                mprotect(start, Arena.chunk, PROT_NONE)
                throw .lockLimit(bytes: Arena.lockLimit)
            }
            endOfLocked = start + Arena.chunk
        }
        next = start + size
        return start
    }
}

extension Arena {
    fileprivate static var lockLimit: UInt64 {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
        return UInt64(limit.rlim_cur)
    }
}
