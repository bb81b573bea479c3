import SodiumKit
import TestSupport
import Testing

/// The allocator, compared with a list of the blocks that it has handed out.
@Suite struct BuddyBlocksTests {
    /// Ordinary memory under an allocator, and the blocks that the allocator has handed out.
    private final class Play {
        let memory: UnsafeMutableRawBufferPointer
        var blocks: BuddyBlocks
        var taken: [(place: Int, size: Int, mark: UInt8)] = []

        init(bytes: Int) {
            memory = .allocate(byteCount: bytes, alignment: 4096)
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            blocks = BuddyBlocks(at: memory.baseAddress!)
        }

        deinit { memory.deallocate() }

        func isFilled(_ place: Int, _ size: Int, with mark: UInt8) -> Bool {
            memory[place..<(place + size)].allSatisfy { $0 == mark }
        }

        func fill(_ place: Int, _ size: Int, with mark: UInt8) {
            for byte in place..<(place + size) { memory[byte] = mark }
        }

        /// Takes a block; returns false if there is none. Expects the block to be all zeros, inside the memory and
        /// apart from all others.
        func take(_ size: Int, mark: UInt8) -> Bool {
            guard let block = blocks.allocate(size) else { return false }
            let place = block - memory.baseAddress!
            #expect(place >= 0 && place + size <= blocks.count && place % size == 0)
            #expect(isFilled(place, size, with: 0), "what is handed out is zeros")
            #expect(taken.allSatisfy { $0.place + $0.size <= place || place + size <= $0.place }, "no overlap")
            fill(place, size, with: mark)
            taken.append((place, size, mark))
            return true
        }

        /// Returns a block as the arena does, wiped.
        func give(_ index: Int) {
            let (place, size, mark) = taken.remove(at: index)
            #expect(isFilled(place, size, with: mark), "nobody else wrote into it")
            fill(place, size, with: 0)
            blocks.give(memory.baseAddress! + place, size)
        }
    }

    /// Expects the free and the taken blocks to make up the whole memory, and no two free halves to be left apart.
    private func expectSound(_ play: Play) {
        let free = play.blocks.free
        #expect(free.reduce(0) { $0 + $1.size } + play.taken.reduce(0) { $0 + $1.size } == play.blocks.count)
        let places = Dictionary(uniqueKeysWithValues: free.map { ($0.offset, $0.size) })
        for (offset, size) in free where size < BuddyBlocks.largest {
            #expect(places[offset ^ size] != size, "two halves of \(size) bytes at \(offset) are free and not joined")
        }
    }

    @Test(arguments: DaySample.of(1...20 as ClosedRange<UInt64>, oneIn: 5)) func allMemoryComesBackAsOneBlock(
        _ seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let play = Play(bytes: BuddyBlocks.largest)
        // The memory grows in pieces, as in an arena near the limit of its process.
        var grown = 0
        let pieces = [4096, 8192, 16_384, 65_536]
        var refused = 0
        for step in 0..<3000 {
            if grown < BuddyBlocks.largest, random.once(in: 8) {
                let piece = min(random.pick(pieces), BuddyBlocks.largest - grown)
                play.blocks.extend(by: piece)
                grown += piece
            } else if random.once(in: 2), !play.taken.isEmpty {
                play.give(Int.random(in: play.taken.indices, using: &random))
            } else {
                let size = BuddyBlocks.smallest << Int.random(in: 0...11, using: &random)
                let fits = play.blocks.free.contains { $0.size >= size }
                #expect(play.take(size, mark: UInt8(truncatingIfNeeded: step | 1)) == fits)
                if !fits { refused += 1 }
            }
            if step % 100 == 0 { expectSound(play) }
        }
        #expect(refused > 0, "memory was never short, so little was tried")
        play.blocks.extend(by: BuddyBlocks.largest - grown)
        while !play.taken.isEmpty { play.give(Int.random(in: play.taken.indices, using: &random)) }
        expectSound(play)
        #expect(play.blocks.free.map(\.size) == [BuddyBlocks.largest])
        // The links between free blocks must not remain in a block that is handed out.
        #expect(play.take(BuddyBlocks.largest, mark: 1))
    }

    /// Once all the smallest blocks have come back, the memory is whole enough for the largest.
    @Test func smallBlocksDoNotUseMemoryUp() {
        let play = Play(bytes: BuddyBlocks.largest)
        play.blocks.extend(by: BuddyBlocks.largest)
        for round in 0..<3 {
            var blocks: [UnsafeMutableRawPointer] = []
            while let block = play.blocks.allocate(BuddyBlocks.smallest) { blocks.append(block) }
            #expect(blocks.count == BuddyBlocks.largest / BuddyBlocks.smallest)
            #expect(play.blocks.allocate(BuddyBlocks.smallest) == nil)
            // Return every second block first, so that the free ones are as scattered as possible.
            for offset in 0..<2 {
                for index in stride(from: (offset + round) % 2, to: blocks.count, by: 2) {
                    play.blocks.give(blocks[index], BuddyBlocks.smallest)
                }
            }
            #expect(play.blocks.free.map(\.size) == [BuddyBlocks.largest])
        }
    }

    @Test func halvesOfABlockComeBackOneByOne() {
        let play = Play(bytes: BuddyBlocks.largest)
        play.blocks.extend(by: BuddyBlocks.largest)
        guard let block = play.blocks.allocate(1024) else { return #expect(Bool(false), "there is a block") }
        let second = play.blocks.split(block, 1024)
        let third = play.blocks.split(second, 512)
        #expect(second == block + 512 && third == second + 256)
        for (half, size) in [(second, 256), (block, 512), (third, 256)] { play.blocks.give(half, size) }
        #expect(play.blocks.free.map(\.size) == [BuddyBlocks.largest])
    }

    @Test func sizesArePowersOfTwo() {
        for (bytes, size) in [
            (0, 32), (1, 32), (32, 32), (33, 64), (64, 64), (65, 128), (40_000, 65_536), (65_536, 65_536),
        ] {
            #expect(BuddyBlocks.size(for: bytes) == size)
        }
    }
}
