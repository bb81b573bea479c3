internal import COpenSSL
internal import Glibc
internal import SodiumKit

/// OpenSSL in this process: its own library context, memory that is wiped when it is freed, and a clean error queue.
enum OpenSSL {
    /// The library context of KeyKit. The configuration file of the system does not change its providers.
    nonisolated(unsafe) private static let context = makeContext(providers: ["default"])  // OpenSSL locks it

    /// The library context with the old ciphers of archives, which nothing else uses.
    nonisolated(unsafe) private static let contextWithOldCiphers = makeContext(providers: ["default", "legacy"])

    /// True once OpenSSL has been asked to wipe what it frees.
    fileprivate static let isPrepared: Bool = {
        wipeFreedMemory()
        return true
    }()

    private static func makeContext(providers: [StaticString]) -> OpaquePointer? {
        guard isPrepared, let context = OSSL_LIB_CTX_new() else { return nil }
        for provider in providers where OSSL_PROVIDER_load(context, provider.characters) == nil {
            OSSL_LIB_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        return context
    }

    /// The depth of the stack that is wiped after an operation. OpenSSL keeps digits of the scalar in its frames.
    private static let stackDepth = 32 * 1024

    /// Runs one operation. Afterwards, wipes the stack and removes the errors of the operation from OpenSSL's queue.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL cannot start, or what `body` throws.
    static func perform<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        try run(in: context, body)
    }

    /// Runs one operation on an archive, whose ciphers can be old ones.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no legacy provider, or what `body` throws.
    static func performWithOldCiphers<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        try run(in: contextWithOldCiphers, body)
    }

    private static func run<Result: ~Copyable>(
        in context: OpaquePointer?, _ body: (OpaquePointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        guard let context else { throw .unavailable }
        // The errors of an app that also uses OpenSSL stay in the queue.
        ERR_set_mark()
        defer {
            ERR_pop_to_mark()
            Sodium.wipeStack(stackDepth)
        }
        // The functions that wipe have frames too. This room keeps OpenSSL's frames below theirs.
        return try withRoomOnStack { () throws(KeyError) in try body(context) }
    }

    @inline(never)
    private static func withRoomOnStack<Result: ~Copyable>(
        _ body: () throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { (room) throws(KeyError) in
            room.initializeMemory(as: UInt8.self, repeating: 0)
            return try body()
        }
    }

    /// Has OpenSSL wipe all memory that it frees, because it frees some copies of a scalar without clearing them.
    /// OpenSSL refuses this if the app has used it before; then those copies stay until the memory is used again.
    private static func wipeFreedMemory() {
        CRYPTO_set_mem_functions(
            { count, _, _ in malloc(count) },
            { old, count, _, _ in
                guard let old else { return malloc(count) }
                let size = malloc_usable_size(old)
                if (1...size).contains(count) { return old }
                let new = count == 0 ? nil : malloc(count)
                if let new { new.copyMemory(from: old, byteCount: size) }
                if count == 0 || new != nil { OpenSSL.free(old) }
                return new
            },
            { old, _, _ in
                if let old { OpenSSL.free(old) }
            })
    }

    private static func free(_ memory: UnsafeMutableRawPointer) {
        Sodium.wipe(UnsafeMutableRawBufferPointer(start: memory, count: malloc_usable_size(memory)))
        Glibc.free(memory)
    }
}

/// OpenSSL's memory in this process.
public enum KeyMemory: Sendable {
    /// Has OpenSSL wipe all memory that it frees. The first use of a key does it too, but OpenSSL refuses it once
    /// something else in the process, such as a PAM module, has used OpenSSL. So call it early.
    public static func wipeWhenFreed() { _ = OpenSSL.isPrepared }
}

extension StaticString {
    /// The text as C reads it.
    var characters: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes for a C function.
    var octets: UnsafeMutablePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}

/// The parameters of an operation of OpenSSL. What they point to has to outlive them.
struct Parameters {
    private var list: [OSSL_PARAM] = []

    mutating func add(_ name: StaticString, _ word: StaticString) {
        list.append(
            OSSL_PARAM_construct_utf8_string(name.characters, UnsafeMutablePointer(mutating: word.characters), 0))
    }

    mutating func add(_ name: StaticString, octets: UnsafePointer<UInt8>, count: Int) {
        list.append(OSSL_PARAM_construct_octet_string(name.characters, UnsafeMutablePointer(mutating: octets), count))
    }

    /// Adds a number, which lies in memory as the processor has it: its lowest byte first.
    mutating func add(_ name: StaticString, littleEndian: UnsafeMutablePointer<UInt8>, count: Int) {
        list.append(OSSL_PARAM_construct_BN(name.characters, littleEndian, count))
    }

    /// Lends the parameters to OpenSSL.
    func withPointer<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>?) -> Result) -> Result {
        var ended = list + [OSSL_PARAM_construct_end()]
        return ended.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
