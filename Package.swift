// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Latchkey",
    products: [
        .library(name: "AccessPolicy", targets: ["AccessPolicy"]),
        .library(name: "DeviceModel", targets: ["DeviceModel"]),
        .library(name: "PolicyProver", targets: ["PolicyProver"]),
        .library(name: "SecretVault", targets: ["SecretVault", "SodiumKit"]),
        .library(name: "UserPresence", targets: ["UserPresence", "SodiumKit"]),
        .library(name: "Latchkey", targets: ["Latchkey", "SecretVault", "UserPresence", "SodiumKit"]),
        // A module for PAM that plays whatever a test needs; it has to be a library that PAM can load.
        .library(name: "pam_latchkey_test", type: .dynamic, targets: ["PAMTestModule"]),
        // Apple's names, for code that is written for Apple's platforms.
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication", "Security"]),
        .library(name: "LatchkeyTesting", targets: ["LatchkeyTesting"]),
        .library(name: "PolicyScenarios", targets: ["PolicyScenarios"]),
        .plugin(name: "ExportSecurity", targets: ["ExportSecurity"]),
        .executable(name: "latchkey", targets: ["LatchkeyCLI"]),
    ],
    targets: [
        // Pure: these decide, and import no shell, no C and no Foundation.
        .target(name: "AccessPolicy"),
        .target(name: "DeviceModel", dependencies: ["AccessPolicy"]),
        .target(name: "PolicyProver", dependencies: ["AccessPolicy", "DeviceModel"]),

        // Text for people and for other programs: pure as well, and below everything that prints.
        .target(name: "PlainText"),

        // Shells: each C library has one importer.
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPAM", pkgConfig: "pam", providers: [.apt(["libpam0g-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLinux"),
        // Descriptors, pipes, children, signals, files and threads: the floor of everything that speaks to the system.
        .target(name: "LinuxSystem", dependencies: ["CLinux"]),
        // What a service is told by the system, and tells it.
        .target(name: "SystemServices", dependencies: ["LinuxSystem", "CSystemd"]),
        .target(name: "SodiumKit", dependencies: ["CSodium"]),
        // What commands for secrets need besides a vault: names, masking, environments, generating, importing.
        .target(name: "SecretTools", dependencies: ["SodiumKit", "PlainText", "LinuxSystem"]),
        .target(
            name: "SecretVault",
            dependencies: ["AccessPolicy", "DeviceModel", "SodiumKit", "LinuxSystem", "CSQLite"]),
        .target(
            name: "UserPresence",
            dependencies: ["AccessPolicy", "DeviceModel", "SodiumKit", "PlainText", "LinuxSystem", "CPAM"]),
        // The keychain: a device, a vault, its judges and a holder.
        .target(
            name: "Latchkey",
            dependencies: ["AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "LinuxSystem"]),

        // The process that holds the keys for commands, and what speaks to it.
        .target(
            name: "LatchkeyAgent",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "SecretTools",
                "PlainText", "LinuxSystem",
            ]),

        // Faces.
        .target(
            name: "Security", dependencies: ["AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "Latchkey"]),
        // The numbers of LAError: an open enumeration, which Swift has from C only.
        .target(name: "CLocalAuthentication"),
        .target(
            name: "LocalAuthentication",
            dependencies: [
                "CLocalAuthentication", "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence",
                "Latchkey", "Security", "LinuxSystem",
            ]),
        .plugin(name: "ExportSecurity", capability: .buildTool(), path: "Sources/ExportSecurity"),
        .target(
            name: "LatchkeyTesting",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "Security",
                "LocalAuthentication",
            ]),
        .target(
            name: "PolicyScenarios",
            dependencies: [
                "AccessPolicy", "DeviceModel", "PolicyProver", "SodiumKit", "SecretVault", "UserPresence", "Latchkey",
                "PlainText", "LinuxSystem", "CYAML",
            ]),
        .executableTarget(
            name: "LatchkeyCLI",
            dependencies: [
                "AccessPolicy", "DeviceModel", "PolicyProver", "SodiumKit", "SecretVault", "UserPresence", "Latchkey",
                "LatchkeyAgent",
                "PolicyScenarios", "SecretTools", "SystemServices", "PlainText", "LinuxSystem",
            ],
            // What `make install` puts beside the command.
            exclude: ["Installed"]),

        .target(name: "TestSupport", dependencies: ["LinuxSystem"], path: "Tests/TestSupport"),
        // A process for tests to kill, to search the memory of, and to share a vault with.
        .executableTarget(
            name: "vault-exerciser",
            dependencies: ["AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "TestSupport"],
            path: "Tests/VaultExerciser"),
        // A process for tests that shares a simulated device with others, and is killed meanwhile.
        .executableTarget(
            name: "keychain-exerciser",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "TestSupport",
            ],
            path: "Tests/KeychainExerciser"),
        // A process for tests that asks at its terminal, to be stopped and killed meanwhile.
        .executableTarget(
            name: "terminal-asker", dependencies: ["DeviceModel", "SodiumKit", "UserPresence"],
            path: "Tests/TerminalAsker"),
        // A process for tests that does what Apple's system ends an app for.
        .executableTarget(
            name: "misuse-exerciser", dependencies: ["LocalAuthentication", "LatchkeyTesting"],
            path: "Tests/MisuseExerciser"),
        // A process for tests that is started as a service.
        .executableTarget(
            name: "service-exerciser", dependencies: ["SystemServices"], path: "Tests/ServiceExerciser"),
        // What holds of any file of scenarios, for a fuzzer and for tests.
        .target(name: "ScenarioFuzzer", dependencies: ["PolicyScenarios"], path: "Tests/ScenarioFuzzer"),
        // A file layer under SQLite that fails when told to.
        .target(name: "CFaultFileSystem", path: "Tests/CFaultFileSystem", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(name: "AccessPolicyTests", dependencies: ["AccessPolicy", "TestSupport"]),
        .testTarget(name: "DeviceModelTests", dependencies: ["AccessPolicy", "DeviceModel", "TestSupport"]),
        .testTarget(
            name: "PolicyProverTests", dependencies: ["AccessPolicy", "DeviceModel", "PolicyProver", "TestSupport"]),
        .testTarget(name: "PlainTextTests", dependencies: ["PlainText", "TestSupport"]),
        .testTarget(name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport"]),
        .testTarget(name: "SodiumKitTests", dependencies: ["SodiumKit", "TestSupport"]),
        .testTarget(
            name: "SecretToolsTests", dependencies: ["SecretTools", "SodiumKit", "LinuxSystem", "TestSupport"]),
        .testTarget(
            name: "SecretVaultTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "LinuxSystem", "CSQLite", "CFaultFileSystem",
                "TestSupport",
                "vault-exerciser",
            ]),
        .target(name: "PAMTestModule", path: "Tests/PAMTestModule", linkerSettings: [.linkedLibrary("pam")]),
        .testTarget(
            name: "UserPresenceTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "PlainText", "LinuxSystem", "UserPresence", "PAMTestModule",
                "TestSupport", "terminal-asker",
            ]),
        .testTarget(
            name: "LatchkeyTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "PolicyProver", "SodiumKit", "SecretVault", "UserPresence", "Latchkey",
                "PAMTestModule", "TestSupport",
                "keychain-exerciser",
            ]),
        .testTarget(
            name: "SecurityTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "Security",
                "LocalAuthentication", "LatchkeyTesting", "TestSupport",
            ]),
        .testTarget(
            name: "LocalAuthenticationTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "Security",
                "LocalAuthentication", "LatchkeyTesting", "TestSupport",
                "misuse-exerciser",
            ]),
        .testTarget(
            name: "LatchkeyTestingTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "Security",
                "LocalAuthentication", "LatchkeyTesting", "TestSupport",
                "misuse-exerciser",
            ]),
        .testTarget(
            name: "PolicyScenariosTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "PolicyProver", "SodiumKit", "SecretVault", "UserPresence", "Latchkey",
                "PolicyScenarios", "PlainText", "ScenarioFuzzer", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyAgentTests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "SodiumKit", "SecretVault", "UserPresence", "Latchkey", "LatchkeyAgent",
                "PlainText", "TestSupport",
            ]),
        .testTarget(
            name: "SystemServicesTests",
            dependencies: ["SystemServices", "LatchkeyCLI", "TestSupport", "service-exerciser"]),
        .testTarget(
            name: "LatchkeyCLITests",
            dependencies: [
                "AccessPolicy", "DeviceModel", "PolicyProver", "PolicyScenarios", "SodiumKit", "SecretVault",
                "UserPresence", "Latchkey", "LatchkeyAgent", "LatchkeyCLI", "PlainText", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
    // Every public type says yes or no; but apps say so of Apple's for themselves, as Apple does not.
    if !["Security", "LocalAuthentication"].contains(target.name) {
        target.swiftSettings?.append(.treatWarning("ExplicitSendable", as: .error))
    }
}
