// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Latchkey", path: "..")],
    targets: [
        // Counts the allocations of the process by replacing malloc.
        .target(name: "CAllocationCounter"),
        // The floors in plain C that a vault is measured against.
        .target(
            name: "CFloor",
            linkerSettings: [
                .linkedLibrary("sqlite3"), .linkedLibrary("sodium"), .linkedLibrary("pam"), .linkedLibrary("crypto"),
            ]),
        .target(name: "Measuring", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CAllocationCounter", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // A separate product, because counting slows the allocator down.
        .executableTarget(
            name: "VaultBench",
            dependencies: [
                "CFloor", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "SecretVault", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "KeychainBench",
            dependencies: [
                "CFloor", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
                .product(name: "Latchkey", package: "Latchkey"),
                .product(name: "LatchkeyFiles", package: "Latchkey"),
                .product(name: "UserPresence", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "KeyBench",
            dependencies: [
                "CFloor", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "KeyKit", package: "Latchkey"),
                .product(name: "Latchkey", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "FacesBench",
            dependencies: [
                "CFloor", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
                .product(name: "Latchkey", package: "Latchkey"),
                .product(name: "Security", package: "Latchkey"),
                .product(name: "LocalAuthentication", package: "Latchkey"),
                .product(name: "LatchkeyTesting", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "ScenarioBench",
            dependencies: ["Measuring", .product(name: "PolicyScenarios", package: "Latchkey")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "ProverBench",
            dependencies: [
                "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
                .product(name: "PolicyProver", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "AgentBench",
            dependencies: [
                "CFloor", "Measuring",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
                .product(name: "Latchkey", package: "Latchkey"),
                .product(name: "SecretVault", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
