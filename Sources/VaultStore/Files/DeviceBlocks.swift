internal import Glibc
package import SodiumKit

/// The device file, or the same blocks in memory.
///
/// It has five blocks of fixed size, which are overwritten in place. Each has a sequence number and a checksum:
/// - the identity of the vault and the fixed key;
/// - two slots for erase keys;
/// - two slots for the counter, which are written in turn, so that a torn write leaves the earlier value.
package final class DeviceBlocks: DeviceKeyStore {
    /// The storage of the blocks. It is owned by classes, because the contents cannot be copied.
    private enum Storage {
        case file(OpenFile)
        case memory(Memory)
    }

    private final class OpenFile {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    private final class Memory {
        var bytes: SecureBytes
        init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
    }

    private enum Block: Int {
        case identity, firstErase, secondErase, firstCounter, secondCounter

        static let count = 5
        static let eraseSlots = [Self.firstErase, .secondErase]
        static let counterSlots = [Self.firstCounter, .secondCounter]
    }

    private static let magic: [UInt8] = Array("LatchDev".utf8)
    private static let version: UInt32 = 1
    private static let fileBlock = 4096
    private static let memoryBlock = 128
    /// The size of the head of a block: magic, version, number of the block, and sequence.
    private static let head = 24

    /// The sixteen bytes that identify the vault.
    package private(set) var vaultID: [UInt8]
    private let storage: Storage
    private let blockSize: Int
    /// Memory for one block, which is wiped after each use. It is allocated in advance, because reading and writing
    /// after a commit must not fail for lack of memory.
    private var room: SecureBytes
    private let path: String

    /// Creates a new device, in a file that does not exist yet, or in memory if `path` is nil.
    package init(creating path: String?) throws {
        if let path {
            storage = .file(OpenFile(try Descriptor(path, O_RDWR | O_CREAT | O_EXCL)))
            blockSize = Self.fileBlock
        } else {
            storage = .memory(Memory(try SecureBytes(count: Self.memoryBlock * Block.count)))
            blockSize = Self.memoryBlock
        }
        self.path = path ?? "memory"
        room = try SecureBytes(count: blockSize)
        vaultID = Sodium.randomBytes(16)
        try write(vaultID, try Key.random(), try Key.random(), counter: 0)
    }

    /// Creates the file of a device that comes from another machine, with this identity and these keys.
    package init(
        at path: String, vaultID id: [UInt8], fixedKey: borrowing Key, eraseKey: borrowing Key, counter: UInt64
    ) throws {
        storage = .file(OpenFile(try Descriptor(path, O_RDWR | O_CREAT | O_EXCL)))
        blockSize = Self.fileBlock
        self.path = path
        room = try SecureBytes(count: blockSize)
        vaultID = id
        try write(vaultID, fixedKey, eraseKey, counter: counter)
    }

    /// Writes every block of a new device.
    private func write(
        _ id: [UInt8], _ fixed: borrowing Key, _ erase: borrowing Key, counter: UInt64
    ) throws {
        try write(.identity, sequence: 1) { body in
            body.copyBytes(from: id)
            fixed.withBytes { Self.copy($0, to: body, at: 16) }
        }
        try write(.firstErase, sequence: 1) { body in erase.withBytes { Self.copy($0, to: body, at: 0) } }
        try write(.secondErase, sequence: 0) { _ in }
        for slot in Block.counterSlots { try write(slot, sequence: counter) { _ in } }
        try synchronize()
    }

    package init(opening path: String) throws {
        let file = try Descriptor(path, O_RDWR)
        try file.requirePrivate()
        storage = .file(OpenFile(file))
        blockSize = Self.fileBlock
        self.path = path
        room = try SecureBytes(count: blockSize)
        vaultID = []
        vaultID = try read(.identity) { _, body in [UInt8](body.prefix(16)) }
    }

    /// Reads the key that stays for the life of the vault.
    package func fixedKey() throws -> Key {
        try read(.identity) { _, body in try Key(copying: UnsafeRawBufferPointer(rebasing: body[16..<48]).bytes) }
    }

    // MARK: - Erase keys

    package func eraseKeys() throws -> EraseKeys {
        switch (try sequenceOfSlot(.firstErase), try sequenceOfSlot(.secondErase)) {
        case (0, 0): throw VaultError.damaged(.file(path, "no erase key is left"))
        case (_, 0): return EraseKeys(newest: try eraseKey(.firstErase), older: nil)
        case (0, _): return EraseKeys(newest: try eraseKey(.secondErase), older: nil)
        case (let first, let second):
            return first > second
                ? EraseKeys(newest: try eraseKey(.firstErase), older: try eraseKey(.secondErase))
                : EraseKeys(newest: try eraseKey(.secondErase), older: try eraseKey(.firstErase))
        }
    }

    /// Writes a new erase key into the empty slot, and to the disk before it returns.
    package func add(_ eraseKey: borrowing Key) throws {
        let sequences = try Block.eraseSlots.map { try sequenceOfSlot($0) }
        guard let spare = sequences.firstIndex(of: 0) else {
            throw VaultError.damaged(.file(path, "both erase keys are in use"))
        }
        let (next, isAtEnd) = (sequences.max() ?? 0).addingReportingOverflow(1)
        if isAtEnd { throw VaultError.damaged(.file(path, "no sequence is left")) }
        try write(Block.eraseSlots[spare], sequence: next) { body in
            eraseKey.withBytes { Self.copy($0, to: body, at: 0) }
        }
        try synchronize()
    }

    /// Overwrites the erase key that is not the one to keep, on the disk before it returns. Does nothing if there is
    /// only one.
    package func keep(_ kept: EraseKeys.Age) throws {
        let sequences = try Block.eraseSlots.map { try sequenceOfSlot($0) }
        guard !sequences.contains(0) else { return }
        let isFirstNewest = sequences[0] > sequences[1]
        let overwritten = isFirstNewest == (kept == .newest) ? Block.secondErase : .firstErase
        try write(overwritten, sequence: 0) { _ in }
        try synchronize()
    }

    private func eraseKey(_ block: Block) throws -> Key {
        try read(block) { _, body in try Key(copying: UnsafeRawBufferPointer(rebasing: body[..<32]).bytes) }
    }

    // MARK: - Counter

    /// Reads the number of commits that the device has seen.
    package func counter() throws -> UInt64 {
        // The value is the block's own sequence. A writer holds the lock, and the value only grows.
        let values = try Block.counterSlots.map { try sequenceUnlessDamaged(of: $0) }
        guard let highest = values.compactMap({ $0 }).max() else {
            throw VaultError.damaged(.file(path, "both counters are damaged"))
        }
        return highest
    }

    /// Writes the number of commits; on the disk before it returns if `lasting`.
    package func setCounter(_ value: UInt64, lasting: Bool) throws {
        // The slot with the lower value is overwritten, so a torn write leaves the earlier value in the other.
        let values = try Block.counterSlots.map { try sequenceOfSlot($0) }
        try write(Block.counterSlots[values[0] <= values[1] ? 0 : 1], sequence: value) { _ in }
        if lasting { try synchronize() }
    }

    // MARK: - Blocks

    private static func copy(_ bytes: RawSpan, to body: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: body[offset...]).copyBytes(from: $0) }
    }

    /// Returns the sequence of a slot: zero for an empty slot, and for one that a crash has torn. Throws if the slot
    /// cannot be read now, because it may hold a key that is in use.
    private func sequenceOfSlot(_ block: Block) throws -> UInt64 { try sequenceUnlessDamaged(of: block) ?? 0 }

    private func sequenceUnlessDamaged(of block: Block) throws -> UInt64? {
        do { return try read(block) { sequence, _ in sequence } } catch VaultError.damaged { return nil }
    }

    /// Writes a whole block in one call.
    private func write(_ block: Block, sequence: UInt64, fill: (UnsafeMutableRawBufferPointer) -> Void) throws {
        defer { room.wipe() }
        room.withMutableBytes { whole in
            whole.copyBytes(from: Self.magic)
            whole.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
            whole.storeBytes(of: UInt32(block.rawValue).littleEndian, toByteOffset: 12, as: UInt32.self)
            whole.storeBytes(of: sequence.littleEndian, toByteOffset: 16, as: UInt64.self)
            fill(UnsafeMutableRawBufferPointer(rebasing: whole[Self.head..<(blockSize - 16)]))
            let checksum = Checksum.of(UnsafeRawBufferPointer(rebasing: whole[..<(blockSize - 16)]).bytes)
            UnsafeMutableRawBufferPointer(rebasing: whole[(blockSize - 16)...]).copyBytes(from: checksum)
        }
        let offset = block.rawValue * blockSize
        switch storage {
        case .file(let file):
            try room.withBytes { bytes in try bytes.withUnsafeBytes { try file.descriptor.write($0, at: offset) } }
        case .memory(let memory):
            memory.bytes.withMutableBytes { memory in room.withBytes { Self.copy($0, to: memory, at: offset) } }
        }
    }

    private func read<Result: ~Copyable>(
        _ block: Block, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let offset = block.rawValue * blockSize
        switch storage {
        case .file(let file):
            defer { room.wipe() }
            let count = try room.withMutableBytes { try file.descriptor.read(into: $0, at: offset) }
            guard count == blockSize else { throw VaultError.damaged(.file(path, "it is too short")) }
            return try room.withBytes { bytes in try bytes.withUnsafeBytes { try check($0, block, body) } }
        case .memory(let memory):
            return try memory.bytes.withBytes { memory in
                try memory.withUnsafeBytes { memory in
                    try check(UnsafeRawBufferPointer(rebasing: memory[offset..<(offset + blockSize)]), block, body)
                }
            }
        }
    }

    private func check<Result: ~Copyable>(
        _ whole: UnsafeRawBufferPointer, _ block: Block, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let covered = UnsafeRawBufferPointer(rebasing: whole[..<(blockSize - 16)])
        guard Checksum.of(covered.bytes).elementsEqual(whole[(blockSize - 16)...]),
            covered.prefix(8).elementsEqual(Self.magic),
            UInt32(littleEndian: whole.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) == UInt32(block.rawValue)
        else { throw VaultError.damaged(.file(path, "block \(block.rawValue) does not hold what was written")) }
        let version = UInt32(littleEndian: whole.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard version == Self.version else {
            throw VaultError.newer(path, found: Int(version), known: Int(Self.version))
        }
        let sequence = UInt64(littleEndian: whole.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        return try body(sequence, UnsafeRawBufferPointer(rebasing: covered[Self.head...]))
    }

    private func synchronize() throws {
        if case .file(let file) = storage { try file.descriptor.synchronize() }
    }
}
