// swift-tools-version: 6.2
import PackageDescription

// The module of a small app, as its developer would write it, with its tests. On Apple's platforms it uses Apple's
// frameworks, and on Linux it uses Latchkey's. The code in Sources is the same on both.

let onLinux = TargetDependencyCondition.when(platforms: [.linux])
let isSwift5 = Context.environment["EXAMPLE_SWIFT"] == "5"

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
            // Some packages choose this for their code. The plugin's file has to compile with it as well.
            swiftSettings: isSwift5 ? [] : [.enableUpcomingFeature("InternalImportsByDefault")],
            // Some files import only Foundation, which on Apple's platforms makes the names of Security visible.
            plugins: [.plugin(name: "ExportSecurity", package: "Latchkey")])
    ],
    // `make test` runs the tests in both language modes.
    swiftLanguageModes: [isSwift5 ? .v5 : .v6]
)

// The tests use a simulated device, which exists only on Linux.
#if os(Linux)
    package.targets.append(
        .testTarget(
            name: "TokenAppTests", dependencies: ["TokenApp", .product(name: "LatchkeyTesting", package: "Latchkey")]))
#endif
