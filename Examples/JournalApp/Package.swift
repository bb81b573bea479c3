// swift-tools-version: 6.2
import PackageDescription

// The files of a journal's app, as its developer would write it, with its tests. On an iPhone it uses Apple's Foundation,
// and on Linux the plugin has it use Latchkey's functions. The code in Sources is the same on both.

let onLinux = TargetDependencyCondition.when(platforms: [.linux])
let isSwift5 = Context.environment["EXAMPLE_SWIFT"] == "5"

// Some packages choose these for their code. The plugin's file has to compile with them as well.
let settings: [SwiftSetting] =
    isSwift5
    ? [] : [.enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")]
let latchkeyFiles = Target.Dependency.product(name: "LatchkeyFiles", package: "Latchkey", condition: onLinux)
let protectFiles = Target.PluginUsage.plugin(name: "ProtectFiles", package: "Latchkey")

let package = Package(
    name: "JournalApp",
    platforms: [.iOS(.v17)],
    dependencies: [.package(name: "Latchkey", path: "../..")],
    targets: [
        .target(
            name: "JournalApp", dependencies: [latchkeyFiles],
            // Linux has no UIKit, and this has the plugin declare the part of it that tells of protected data.
            swiftSettings: settings + [.define("LATCHKEY_UIAPPLICATION", .when(platforms: [.linux]))],
            plugins: [protectFiles]),
        // Every call of Foundation that the plugin covers, in an app whose code belongs to the main actor by default.
        .target(
            name: "FoundationCalls", dependencies: [latchkeyFiles],
            swiftSettings: settings + (isSwift5 ? [] : [.defaultIsolation(MainActor.self)]), plugins: [protectFiles]),
    ],
    // `make test` runs the tests in both language modes.
    swiftLanguageModes: [isSwift5 ? .v5 : .v6]
)

// The tests use a simulated device, which exists only on Linux.
#if os(Linux)
    let testing = Target.Dependency.product(name: "LatchkeyTesting", package: "Latchkey")
    package.targets += [
        .testTarget(name: "JournalAppTests", dependencies: ["JournalApp", testing]),
        .testTarget(name: "FoundationCallsTests", dependencies: ["FoundationCalls", testing]),
    ]
#endif
