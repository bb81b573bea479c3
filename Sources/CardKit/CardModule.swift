internal import CPKCS11
internal import Glibc
internal import KeyKit
internal import LinuxSystem
internal import SodiumKit

/// A module for smart cards, which speaks PKCS#11 to the program that loads it.
///
/// It is foreign code, and stays in the process. Load it only in a process that holds nothing but the PIN of its card.
package final class CardModule {
    package let path: String
    let functions: ck_function_list

    /// The most tokens, and the most objects of one.
    private static let most = 1024
    private static let mostKeys = 256
    /// The number of objects that are asked for at a time.
    private static let atOnce = 64
    /// The most bytes of a label, and of a number.
    private static let longestLabel = 256

    /// Loads a module.
    ///
    /// - Throws: ``CardError`` if anyone but root can change it, or if it is none.
    package init(_ path: String) throws(CardError) {
        self.path = path
        let file = try Self.trusted(path)
        guard let library = file.withPath({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }),
            let symbol = dlsym(library, "C_GetFunctionList")
        else {
            throw .unusableModule(path, dlerror().map { String(cString: $0) } ?? "it has no functions")
        }
        let list = unsafeBitCast(symbol, to: CK_C_GetFunctionList.self)
        var functions: UnsafeMutablePointer<ck_function_list>?
        guard list(&functions) == CKR_OK, let functions else { throw .unusableModule(path, "it has no functions") }
        self.functions = functions.pointee
        try check(self.functions.C_Initialize(nil))
    }

    deinit { _ = functions.C_Finalize(nil) }

    /// The module of OpenSC, which serves most cards; nil if it is not installed.
    package static var usual: String? {
        #if arch(x86_64)
            let folder = "/usr/lib/x86_64-linux-gnu"
        #else
            let folder = "/usr/lib/aarch64-linux-gnu"
        #endif
        let paths = [folder, folder + "/pkcs11", "/usr/lib64/pkcs11", "/usr/lib/pkcs11"].map {
            $0 + "/opensc-pkcs11.so"
        }
        return paths.first { access($0, R_OK) == 0 }
    }

    /// Returns the file that a path leads to, if root alone can change it or put another one there. A program of the user
    /// could otherwise get the PIN.
    private static func trusted(_ path: String) throws(CardError) -> String {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .untrustedModule(path, "is not an absolute path") }
        guard let file = realpath(path) else { throw .unusableModule(path, SystemError(errno).description) }
        // The folders of a link count too: it could lead elsewhere the next time.
        for place in [path, file] {
            var parent = place.utf8[...]
            while let cut = parent.lastIndex(of: UInt8(ascii: "/")) {
                parent = parent[..<cut]
                let folder = parent.isEmpty ? "/" : String(Substring(parent))
                guard isOfRoot(folder) else {
                    throw .untrustedModule(path, "is below \(folder), which others can change")
                }
            }
        }
        guard isOfRoot(file) else { throw .untrustedModule(path, "can be changed by others than root") }
        let name = String(file.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? "")
        if relays.contains(where: { name.hasPrefix($0) }) {
            throw .untrustedModule(path, "passes the PIN on to what others choose")
        }
        return file
    }

    /// The names of modules that load others, or write down what they pass on, as the environment or files of the user say.
    private static let relays = ["libp11-kit", "p11-kit-", "pkcs11-spy", "libpkcs11-spy"]

    private static func isOfRoot(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
    }

    // MARK: - Tokens

    func tokens() throws(CardError) -> [(slot: ck_slot_id_t, token: CardToken)] {
        var count: UInt = 0
        try check(functions.C_GetSlotList(1, nil, &count))
        var slots = [ck_slot_id_t](repeating: 0, count: min(Int(clamping: count), Self.most))
        if slots.isEmpty { return [] }
        count = UInt(slots.count)
        try check(functions.C_GetSlotList(1, &slots, &count))
        var tokens: [(slot: ck_slot_id_t, token: CardToken)] = []
        for slot in slots.prefix(Int(clamping: count)) {
            var info = ck_token_info()
            // A token that was taken out meanwhile, or was never set up, is none.
            guard functions.C_GetTokenInfo(slot, &info) == CKR_OK, info.flags & UInt(CKF_TOKEN_INITIALIZED) != 0 else {
                continue
            }
            tokens.append((slot, CardToken(info)))
        }
        return tokens
    }

    func token(of place: CardKeyPlace) throws(CardError) -> (slot: ck_slot_id_t, token: CardToken) {
        guard
            let found = try tokens().first(where: { $0.token.serial == place.serial && $0.token.label == place.token })
        else { throw .noToken(place.token) }
        return found
    }

    /// Opens a session with a token, and closes it after `body`.
    func withSession<Result>(
        _ slot: ck_slot_id_t, _ body: (ck_session_handle_t) throws(CardError) -> Result
    ) throws(CardError) -> Result {
        var session: ck_session_handle_t = 0
        try check(functions.C_OpenSession(slot, UInt(CKF_SERIAL_SESSION), nil, nil, &session))
        defer { _ = functions.C_CloseSession(session) }
        return try body(session)
    }

    // MARK: - Objects

    /// The keys whose public halves can be read, on all tokens that are there. It needs no PIN.
    package func keys() throws(CardError) -> [CardKey] {
        var keys: [CardKey] = []
        var failure: CardError?
        for (slot, token) in try tokens() {
            do { keys += try self.keys(slot, token) } catch { failure = error }
        }
        // One token that does not work hides no other.
        if let failure, keys.isEmpty { throw failure }
        return Array(keys.prefix(Self.mostKeys))
    }

    private func keys(_ slot: ck_slot_id_t, _ token: CardToken) throws(CardError) -> [CardKey] {
        try withSession(slot) { (session) throws(CardError) in
            var keys: [CardKey] = []
            for object in try objects(session, UInt(CKO_PUBLIC_KEY)) {
                guard let identifier = bytes(session, object, UInt(CKA_ID)),
                    (1...Self.longestLabel).contains(identifier.count),
                    let publicKey = publicKey(session, object)
                else { continue }
                let label = bytes(session, object, UInt(CKA_LABEL)).map {
                    String(decoding: $0.prefix(Self.longestLabel), as: UTF8.self)
                }
                keys.append(
                    CardKey(token: token, identifier: identifier, label: label ?? "", publicKey: publicKey))
            }
            return keys
        }
    }

    /// Finds the objects of a class, or the one with this number.
    func objects(
        _ session: ck_session_handle_t, _ type: UInt, _ identifier: [UInt8]? = nil
    ) throws(CardError) -> [ck_object_handle_t] {
        var type = type
        var identifier = identifier
        let result = withUnsafeMutableBytes(of: &type) { type in
            var template = [ck_attribute(type: UInt(CKA_CLASS), value: type.baseAddress, value_len: UInt(type.count))]
            guard identifier != nil else {
                return functions.C_FindObjectsInit(session, &template, UInt(template.count))
            }
            return
                (identifier?.withUnsafeMutableBytes { identifier in
                    template.append(
                        ck_attribute(
                            type: UInt(CKA_ID), value: identifier.baseAddress, value_len: UInt(identifier.count)))
                    return functions.C_FindObjectsInit(session, &template, UInt(template.count))
                }) ?? ck_rv_t(CKR_GENERAL_ERROR)
        }
        try check(result)
        defer { _ = functions.C_FindObjectsFinal(session) }
        var all: [ck_object_handle_t] = []
        while all.count < Self.most {
            var found = [ck_object_handle_t](repeating: 0, count: Self.atOnce)
            var count: UInt = 0
            try check(functions.C_FindObjects(session, &found, UInt(found.count), &count))
            if count == 0 { break }
            all += found.prefix(Int(clamping: count))
        }
        return all
    }

    /// The longest attribute that is read.
    private static let longest: UInt = 64 << 10

    /// Returns an attribute; nil if the object has none.
    func bytes(_ session: ck_session_handle_t, _ object: ck_object_handle_t, _ type: UInt) -> [UInt8]? {
        var attribute = ck_attribute(type: type, value: nil, value_len: 0)
        guard functions.C_GetAttributeValue(session, object, &attribute, 1) == CKR_OK,
            attribute.value_len <= Self.longest
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(attribute.value_len))
        let isRead = bytes.withUnsafeMutableBytes { bytes in
            attribute.value = bytes.baseAddress
            return functions.C_GetAttributeValue(session, object, &attribute, 1) == CKR_OK
        }
        return isRead && attribute.value_len == UInt(bytes.count) ? bytes : nil
    }

    private func publicKey(_ session: ck_session_handle_t, _ object: ck_object_handle_t) -> PublicKey? {
        guard let type = bytes(session, object, UInt(CKA_KEY_TYPE)) else { return nil }
        func point(_ family: KeyFamily) -> PublicKey? {
            guard let bytes = bytes(session, object, UInt(CKA_EC_POINT)) else { return nil }
            // Most modules have the point in an octet string, as the standard says, and some have it bare.
            for candidate in [Self.content(ofOctetString: bytes), bytes].compactMap(\.self) {
                if let key = try? PublicKey(externalRepresentation: candidate.span.bytes, family) { return key }
            }
            return nil
        }
        switch type.withUnsafeBytes({ $0.count == 8 ? $0.loadUnaligned(as: UInt.self) : UInt.max }) {
        case UInt(CKK_RSA):
            guard let modulus = bytes(session, object, UInt(CKA_MODULUS)),
                let exponent = bytes(session, object, UInt(CKA_PUBLIC_EXPONENT))
            else { return nil }
            return try? PublicKey(modulus: modulus, exponent: exponent)
        case UInt(CKK_EC): return point(.ec)
        case UInt(CKK_EC_EDWARDS): return point(.ed25519)
        default: return nil
        }
    }

    /// Returns the content of an octet string in DER; nil if the bytes are none.
    private static func content(ofOctetString bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 2, bytes[0] == 4 else { return nil }
        if bytes[1] < 0x80 { return Int(bytes[1]) == bytes.count - 2 ? Array(bytes[2...]) : nil }
        guard bytes[1] == 0x81, Int(bytes[2]) == bytes.count - 3 else { return nil }
        return Array(bytes[3...])
    }

    /// Throws if a function of the module reports an error.
    func check(_ result: ck_rv_t) throws(CardError) {
        guard result == CKR_OK else { throw .failed(UInt(result)) }
    }
}

extension CardToken {
    fileprivate init(_ info: ck_token_info) {
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { bytes in
                // The standard pads with spaces, and some modules with zeros.
                var end = bytes.count
                while end > 0, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == 0 { end -= 1 }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
        }
        func has(_ flag: Int32) -> Bool { info.flags & UInt(flag) != 0 }
        let pin: PIN =
            if has(Int32(CKF_USER_PIN_LOCKED)) {
                .locked
            } else if !has(Int32(CKF_LOGIN_REQUIRED)) {
                .none
            } else if has(Int32(CKF_PROTECTED_AUTHENTICATION_PATH)) {
                .onToken
            } else if has(Int32(CKF_USER_PIN_FINAL_TRY)) {
                .lastTry
            } else {
                has(Int32(CKF_USER_PIN_COUNT_LOW)) ? .neededAfterMistake : .needed
            }
        self.init(label: text(info.label), serial: text(info.serial_number), pin: pin)
    }
}
