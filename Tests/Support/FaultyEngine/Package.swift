// swift-tools-version: 6.2
import PackageDescription

// The pure modules with faults in them. Each fault sleeps until a number wakes it. `SeededFaultTests` puts the sources
// here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "FaultyEngine",
    targets: [
        .target(name: "AccessPolicy", swiftSettings: settings),
        .target(name: "DeviceModel", dependencies: ["AccessPolicy"], swiftSettings: settings),
        .target(name: "PolicyProver", dependencies: ["AccessPolicy", "DeviceModel"], swiftSettings: settings),
        .executableTarget(
            name: "faulty-engine", dependencies: ["AccessPolicy", "PolicyProver"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6])
