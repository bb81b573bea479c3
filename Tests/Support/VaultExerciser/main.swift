import Foundation

// The process that the tests of the vault start: `vault-exerciser <what> <arguments…>`.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "churn": try churn(Array(arguments.dropFirst()))
    case "share": try share(Array(arguments.dropFirst()))
    case "openssl": try openSSL(Array(arguments.dropFirst()))
    case "canary": try canary(Array(arguments.dropFirst()))
    default: exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("vault-exerciser: \(error)\n".utf8))
    exit(1)
}
