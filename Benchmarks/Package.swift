// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Latchkey", path: "..")],
    targets: [
        // Counts what the process allocates, by standing in for malloc.
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CAllocationCounter",
                .product(name: "AccessPolicy", package: "Latchkey"),
                .product(name: "DeviceModel", package: "Latchkey"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
