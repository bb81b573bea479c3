// swift-tools-version: 6.2
import PackageDescription

// The module of a small app, as its developer would write it, with its tests. On Apple's platforms it uses Apple's
// frameworks, and on Linux it uses Latchkey's. The code in Sources is the same on both.

let onLinux = TargetDependencyCondition.when(platforms: [.linux])
let isSwift5 = Context.environment["EXAMPLE_SWIFT"] == "5"

let package = Package(
    name: "TokenApp",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "Latchkey", path: "../.."), .package(path: "Chooser")],
    targets: [
        .target(
            name: "TokenApp",
            dependencies: [
                .product(name: "Security", package: "Latchkey", condition: onLinux),
                .product(name: "LocalAuthentication", package: "Latchkey", condition: onLinux),
                .product(name: "LatchkeyFiles", package: "Latchkey", condition: onLinux),
            ],
            // Some packages choose this for their code. The plugin's file has to compile with it as well.
            swiftSettings: isSwift5 ? [] : [.enableUpcomingFeature("InternalImportsByDefault")],
            // Some files import only Foundation, which on Apple's platforms makes the names of Security visible. The other
            // plugin gives the app the user defaults of the device.
            plugins: [
                .plugin(name: "ExportSecurity", package: "Latchkey"),
                .plugin(name: "ProtectFiles", package: "Latchkey"),
            ]),
        // This target imports CryptoKit, and so does a package that it depends on, if it can: swift-crypto otherwise. The
        // flag means the target alone.
        .target(
            name: "DeviceKey",
            dependencies: ["Chooser", .product(name: "LatchkeyCryptoKit", package: "Latchkey", condition: onLinux)],
            swiftSettings: [
                .unsafeFlags(["-module-alias", "CryptoKit=LatchkeyCryptoKit"], .when(platforms: [.linux]))
            ]),
        // A seed and a login on several phones, with mistakes that the tests show.
        .target(
            name: "Wallet", dependencies: [.product(name: "Security", package: "Latchkey", condition: onLinux)]),
        // This target does without the flag.
        .target(
            name: "MessageBox",
            dependencies: [.product(name: "LatchkeyCryptoKit", package: "Latchkey", condition: onLinux)],
            plugins: [.plugin(name: "ExportCryptoKit", package: "Latchkey")]),
    ],
    // `make test` runs the tests in both language modes.
    swiftLanguageModes: [isSwift5 ? .v5 : .v6]
)

// The tests use a simulated device, which exists only on Linux.
#if os(Linux)
    let testing = Target.Dependency.product(name: "LatchkeyTesting", package: "Latchkey")
    package.targets += [
        .testTarget(name: "TokenAppTests", dependencies: ["TokenApp", testing]),
        .testTarget(name: "WalletTests", dependencies: ["Wallet", testing]),
        .testTarget(name: "DeviceKeyTests", dependencies: ["DeviceKey", "MessageBox", "Chooser", testing]),
    ]
#endif
