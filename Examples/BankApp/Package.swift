// swift-tools-version: 6.2
import PackageDescription

// The sign-in of a bank's app, as its developer would write it, with its tests. On Apple's platforms it uses Apple's
// frameworks, and on Linux it uses Latchkey's. The code in Sources is the same on both.

let onLinux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "BankApp",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "Latchkey", path: "../..")],
    targets: [
        .target(
            name: "BankApp",
            dependencies: [
                .product(name: "Security", package: "Latchkey", condition: onLinux),
                .product(name: "LocalAuthentication", package: "Latchkey", condition: onLinux),
            ])
    ],
    // `make test` runs the tests in both language modes.
    swiftLanguageModes: [Context.environment["EXAMPLE_SWIFT"] == "5" ? .v5 : .v6]
)

// The tests use a simulated device, which exists only on Linux.
#if os(Linux)
    package.targets.append(
        .testTarget(
            name: "BankAppTests", dependencies: ["BankApp", .product(name: "LatchkeyTesting", package: "Latchkey")]))
#endif
