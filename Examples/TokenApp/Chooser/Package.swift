// swift-tools-version: 6.2
import PackageDescription

// A package as many are: it uses CryptoKit on Apple's platforms, and swift-crypto elsewhere. It knows nothing of Latchkey.
let package = Package(
    name: "Chooser",
    products: [.library(name: "Chooser", targets: ["Chooser"])],
    targets: [
        .target(name: "Chooser", dependencies: ["Crypto"]),
        // The place of swift-crypto, which a test cannot fetch.
        .target(name: "Crypto"),
    ]
)
