import Foundation
import KeyKit
import LatchkeyTesting
import Security
import Testing

// Short forms of the calls on keys. Each returns its result and the error.

/// A key for tests that need any key.
let someKey = SomeKeys.p256

/// Keys that tests share, because generating RSA keys takes long.
enum SomeKeys {
    static let p256 = ec(256)
    static let p384 = ec(384)
    static let p521 = ec(521)
    static let rsa2048 = rsa(2048)
    static let rsa4096 = rsa(4096)
    static let all = [p256, p384, p521, rsa2048]

    private static func ec(_ bits: Int) -> SecKey { generated(kSecAttrKeyTypeECSECPrimeRandom, bits) }
    private static func rsa(_ bits: Int) -> SecKey { generated(kSecAttrKeyTypeRSA, bits) }

    private static func generated(_ type: CFString, _ bits: Int) -> SecKey {
        let (key, error) = generate([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
        guard let key else { preconditionFailure("there is no key: \(String(describing: error))") }
        return key
    }
}

typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>

/// Runs a call, and returns its result and the error.
func told<Result>(_ call: (ErrorPointer) -> Result) -> (result: Result, error: NSError?) {
    var error: Unmanaged<CFError>?
    let result = call(&error)
    return (result, error?.takeRetainedValue())
}

func generate(_ parameters: [CFString: Any]) -> (key: SecKey?, error: NSError?) {
    let (key, error) = told { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    return (key, error)
}

func imported(_ data: Data, _ type: CFString, _ keyClass: CFString) -> (key: SecKey?, error: NSError?) {
    let attributes: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass]
    let (key, error) = told { SecKeyCreateWithData(data as CFData, attributes as CFDictionary, $0) }
    return (key, error)
}

extension SecKey {
    var publicHalf: SecKey {
        guard let key = SecKeyCopyPublicKey(self) else { preconditionFailure("every key has a public half") }
        return key
    }

    var external: Data? { SecKeyCopyExternalRepresentation(self, nil) as Data? }
    var attributes: [CFString: Any] { SecKeyCopyAttributes(self) as? [CFString: Any] ?? [:] }

    func sign(_ data: Data, _ algorithm: SecKeyAlgorithm) -> (result: Data?, error: NSError?) {
        told { SecKeyCreateSignature(self, algorithm, data as CFData, $0) as Data? }
    }

    func verify(_ signature: Data, of data: Data, _ algorithm: SecKeyAlgorithm) -> (result: Bool, error: NSError?) {
        told { SecKeyVerifySignature(self, algorithm, data as CFData, signature as CFData, $0) }
    }

    func encrypt(
        _ data: Data, _ algorithm: SecKeyAlgorithm, _ parameters: [CFString: Any] = [:]
    ) -> (result: Data?, error: NSError?) {
        told {
            SecKeyCreateEncryptedDataWithParameters(self, algorithm, data as CFData, parameters as CFDictionary, $0)
                as Data?
        }
    }

    func decrypt(
        _ data: Data, _ algorithm: SecKeyAlgorithm, _ parameters: [CFString: Any] = [:]
    ) -> (result: Data?, error: NSError?) {
        told {
            SecKeyCreateDecryptedDataWithParameters(self, algorithm, data as CFData, parameters as CFDictionary, $0)
                as Data?
        }
    }

    func agree(
        _ other: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: CFDictionary = [:]
    ) -> (result: Data?, error: NSError?) {
        told { SecKeyCopyKeyExchangeResult(self, algorithm, other, parameters, $0) as Data? }
    }

    func does(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(self, operation, algorithm)
    }
}

extension Data {
    /// The bytes with those at one place inverted; a negative place counts from the end.
    func changed(at place: Int = 0) -> Data {
        var copy = Data(self)
        let index = place < 0 ? copy.count + place : place
        copy[index] ^= 0xFF
        return copy
    }

    func digest(_ hash: HashAlgorithm) -> Data { (try? hash.digest(of: bytes)).map { Data($0) } ?? Data() }
}

/// The checks of one of Apple's regression tests, each of which is played and counted.
struct AppleChecks {
    private(set) var taken = 0

    mutating func ok(
        _ agrees: Bool, _ words: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        taken += 1
        if !agrees { Issue.record("\(words())", sourceLocation: sourceLocation) }
    }
}
