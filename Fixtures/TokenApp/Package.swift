// swift-tools-version: 6.2
import PackageDescription

// A small app's module as its developer would write it, with its tests. On Apple's platforms it uses Apple's frameworks, and on
// Linux Latchkey's: nothing in Sources knows of the difference.

let onLinux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "TokenApp",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "Latchkey", path: "../..")],
    targets: [
        .target(
            name: "TokenApp",
            dependencies: [
                .product(name: "Security", package: "Latchkey", condition: onLinux),
                .product(name: "LocalAuthentication", package: "Latchkey", condition: onLinux),
            ],
            // Some files import Foundation alone, which on Apple's platforms brings the names of Security along.
            plugins: [.plugin(name: "ExportSecurity", package: "Latchkey")])
    ],
    // `make test` runs the tests in both.
    swiftLanguageModes: [Context.environment["TOKEN_APP_SWIFT"] == "5" ? .v5 : .v6]
)

// The tests are of a simulated device, which there is on Linux alone.
#if os(Linux)
    package.targets.append(
        .testTarget(
            name: "TokenAppTests", dependencies: ["TokenApp", .product(name: "LatchkeyTesting", package: "Latchkey")]))
#endif
