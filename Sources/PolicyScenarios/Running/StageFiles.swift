internal import AccessPolicy
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// A record of the files on the device of a scenario, by their index.
///
/// The content of each is sealed under a key of its own, which the vault wraps under the key of the file's class. So an
/// access that `decide` grants also needs the keys that the access of an app would need.
struct StageFiles {
    struct File {
        var protection: FileProtection
        var isExcludedFromBackup = false
        /// The bytes that identify the file, whatever its class is.
        let id: [UInt8]
        /// The key, wrapped for the class.
        var wrapped: [UInt8]
        /// The content, sealed under the key.
        let content: [UInt8]
        /// The open file; nil while it is closed.
        var handle: Handle?
    }

    /// An open file.
    final class Handle: Sendable {
        /// The key of a file whose class is held open; nil for the other classes.
        private let held: Key?

        init(holding key: consuming Key? = nil) { held = key }

        /// Reads the content of the file by the held key. Returns false if there is none.
        func read(_ file: File) throws(KeychainError) -> Bool {
            switch held {
            case .some(let key): try file.read(by: key)
            case .none: return false
            }
            return true
        }
    }

    /// A file as a backup holds it.
    struct Copy {
        let place: Int
        let protection: FileProtection
    }

    /// The files; nil for each that does not exist.
    private var all: [File?]
    /// The sealed public half of the key of class B, with which a locked device creates files.
    private var half: [UInt8]?
    /// A file of a class that is always open. Its key opens until an erasure replaces the keys of the device.
    private var witness: File?
    private var lastID = 0

    /// Creates the files of a device that has none. It has to be unlocked.
    init(count: Int, on vault: Vault) throws(KeychainError) {
        all = Array(repeating: nil, count: count)
        if count == 0 { return }
        witness = try make(.none, on: vault)
        // The first key of class B brings the half along.
        _ = try make(.completeUnlessOpen, on: vault)
    }

    subscript(place: Int) -> File? {
        get { all[place] }
        set { all[place] = newValue }
    }

    /// The files that a backup holds.
    var copies: [Copy] {
        all.enumerated().compactMap { place, file in
            guard let file, !file.isExcludedFromBackup else { return nil }
            return Copy(place: place, protection: file.protection)
        }
    }

    /// Closes every file, as a restart of the device does.
    mutating func close() {
        for place in all.indices { all[place]?.handle = nil }
    }

    /// Returns true if the device was erased since these files were created: their keys are gone.
    func areErased(on vault: Vault) throws(KeychainError) -> Bool {
        guard let witness else { return false }
        return try witness.openKey(to: .open(.none), on: vault) == nil
    }

    /// Returns a new file of this class. With `isOpen`, it stays open.
    ///
    /// - Throws: ``KeychainError`` if the vault makes no key for the file.
    mutating func make(
        _ protection: FileProtection, on vault: Vault, isOpen: Bool = false
    ) throws(KeychainError) -> File {
        lastID += 1
        let id = Array("\(lastID)".utf8)
        let made: NewFileKey?
        do {
            // The decision about the access was recorded before.
            switch try vault.createFileKey(
                protection, for: Self.identity(id, protection), half: half, about: nil)
            {
            case .granted(let key): made = key
            case .denied: made = nil
            }
        } catch {
            throw .vault(error)
        }
        guard let made else { throw .wrongKind("the vault makes no key for a new file") }
        if let half = made.half { self.half = half }
        let content = Box.seal(Self.text(of: id).span.bytes, under: made.key, context: id.span.bytes)
        var file = File(protection: protection, id: id, wrapped: made.wrapped, content: content)
        if isOpen { file.handle = try Self.handle(protection, made.key) }
        return file
    }

    /// Wraps the key of a file for another class.
    ///
    /// - Throws: ``KeychainError`` if the vault does not open the key, or does not wrap it.
    mutating func move(_ place: Int, to next: FileProtection, on vault: Vault) throws(KeychainError) {
        guard var file = all[place] else { return }
        let key = try file.key(to: .open(file.protection), on: vault)
        let wrapped: [UInt8]?
        do {
            switch try vault.wrapFileKey(key, next, for: Self.identity(file.id, next), half: half) {
            case .granted(let bytes): wrapped = bytes
            case .denied: wrapped = nil
            }
        } catch {
            throw .vault(error)
        }
        guard let wrapped else { throw .wrongKind("the vault does not wrap the key of a file") }
        file.wrapped = wrapped
        file.protection = next
        if file.handle != nil { file.handle = try Self.handle(next, key) }
        all[place] = file
    }

    /// Returns an open file of this class, which holds the key as long as the class allows it.
    static func handle(_ protection: FileProtection, _ key: borrowing Key) throws(KeychainError) -> Handle {
        guard protection.isHeldOpen else { return Handle() }
        do { return Handle(holding: try key.copy()) } catch { throw .vault(.memory(error)) }
    }

    /// The bytes for which the key of a file is wrapped. They hold the class, so that the key opens for no other.
    fileprivate static func identity(_ id: [UInt8], _ protection: FileProtection) -> [UInt8] {
        id + [protection.rawValue]
    }

    /// The content of a file, by which a key shows that it is the right one.
    fileprivate static func text(of id: [UInt8]) -> [UInt8] { Array("the content of file ".utf8) + id }
}

extension StageFiles.File {
    /// Returns the key of the file, which opens its content.
    ///
    /// - Throws: ``KeychainError`` if the vault does not open the key, or if the key does not open the content.
    func key(to access: FileAccess, on vault: Vault) throws(KeychainError) -> Key {
        guard let key = try openKey(to: access, on: vault) else { throw .wrongKind("the key of a file is missing") }
        try read(by: key)
        return key
    }

    /// Returns the key of the file; nil if the vault does not open it.
    fileprivate func openKey(to access: FileAccess, on vault: Vault) throws(KeychainError) -> Key? {
        let identity = StageFiles.identity(id, protection)
        do {
            switch try vault.openFileKey(wrapped, protection, for: identity, to: access, about: nil) {
            case .granted(let key): return key
            case .denied: return nil
            }
        } catch {
            throw .vault(error)
        }
    }

    /// Reads the content.
    ///
    /// - Throws: ``KeychainError`` if `key` does not open it.
    fileprivate func read(by key: borrowing Key) throws(KeychainError) {
        let opened: SecureBytes?
        do {
            opened = try Box.open(content.span.bytes, under: key, context: id.span.bytes)
        } catch {
            throw .vault(.memory(error))
        }
        let bytes = opened?.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
        guard bytes == StageFiles.text(of: id) else { throw .wrongKind("a key does not open the content of its file") }
    }
}
