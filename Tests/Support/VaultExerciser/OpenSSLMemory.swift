import Foundation
import SecretVault

/// Opens the vault in a folder, and prints if OpenSSL has other functions for memory since.
func openSSL(_ arguments: [String]) throws {
    typealias Ask =
        @convention(c) (
            UnsafeMutablePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<UnsafeRawPointer?>?,
            UnsafeMutablePointer<UnsafeRawPointer?>?
        ) -> Void
    guard arguments.count == 1, let symbol = dlsym(dlopen(nil, RTLD_NOW), "CRYPTO_get_mem_functions") else { exit(64) }
    let ask = unsafeBitCast(symbol, to: Ask.self)
    func functions() -> [UnsafeRawPointer?] {
        var functions: [UnsafeRawPointer?] = [nil, nil, nil]
        functions.withUnsafeMutableBufferPointer { functions in
            guard let start = functions.baseAddress else { return }
            ask(start, start + 1, start + 2)
        }
        return functions
    }
    let former = functions()
    let vault = try Vault.open(at: arguments[0])
    say(zip(former, functions()).allSatisfy { $0 != $1 } ? "wiping" : "as before")
    vault.close()
}
