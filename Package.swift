// swift-tools-version: 6.2
import PackageDescription

// Modules that are used together, by the layer that ends with the last of them.
let floor: [Target.Dependency] = ["PlainText", "LinuxSystem"]
let core: [Target.Dependency] = ["AccessPolicy", "DeviceModel"]
let vault = core + ["SodiumKit", "SecretVault"]
let keychain = vault + ["UserPresence", "Latchkey"]
let faces = keychain + ["Security", "LocalAuthentication"]
let simulation = faces + ["LatchkeyTesting"]
let scenarios = keychain + ["ApplePlatform", "PolicyProver", "ScenarioFormat", "PolicyScenarios"]

// Functions are bound at the start of a program. The loader that binds one at its first call saves the registers on the stack, and
// parts of a key may be in them.
let bindsAtStart: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

let package = Package(
    name: "Latchkey",
    products: [
        .library(name: "AccessPolicy", targets: ["AccessPolicy", "ApplePlatform"]),
        .library(name: "DeviceModel", targets: ["DeviceModel"]),
        .library(name: "PolicyProver", targets: ["PolicyProver"]),
        .library(name: "SecretVault", targets: ["SecretVault", "KeyKit", "SodiumKit"]),
        .library(name: "KeyKit", targets: ["KeyKit", "SodiumKit"]),
        .library(name: "UserPresence", targets: ["UserPresence", "SodiumKit"]),
        .library(name: "Latchkey", targets: ["Latchkey", "SecretVault", "UserPresence", "KeyKit", "SodiumKit"]),
        // Apple's names, for code that is written for Apple's platforms.
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication", "Security"]),
        // CryptoKit's names. Its own name would mislead the dependencies of an app (docs/swift.md).
        .library(name: "LatchkeyCryptoKit", targets: ["LatchkeyCryptoKit", "LocalAuthentication", "Security"]),
        .library(name: "LatchkeyTesting", targets: ["LatchkeyTesting"]),
        // Files that are sealed under the protection classes of a device.
        .library(name: "LatchkeyFiles", targets: ["LatchkeyFiles", "SealedFiles"]),
        .library(name: "PolicyScenarios", targets: ["PolicyScenarios"]),
        .plugin(name: "ExportSecurity", targets: ["ExportSecurity"]),
        .plugin(name: "ExportCryptoKit", targets: ["ExportCryptoKit"]),
        .plugin(name: "ProtectFiles", targets: ["ProtectFiles"]),
        // The command, and the two programs that it needs beside itself.
        .executable(name: "latchkey", targets: ["LatchkeyProgram"]),
        .executable(name: "latchkey-tools", targets: ["ToolsProgram"]),
        .executable(name: "latchkey-agent", targets: ["AgentProgram"]),
    ],
    targets: [
        // Pure: these decide, and import no shell, no C and no Foundation.
        .target(name: "AccessPolicy"),
        // The statuses and error codes that Apple's interfaces answer a denial with.
        .target(name: "ApplePlatform", dependencies: ["AccessPolicy"]),
        .target(name: "DeviceModel", dependencies: ["AccessPolicy"]),
        .target(name: "PolicyProver", dependencies: ["AccessPolicy", "DeviceModel"]),

        // Text for people and for other programs: pure as well, and below everything that prints.
        .target(name: "PlainText"),
        // A strict codec of HTTP/1.1 for both sides of a proxy that puts credentials into requests: pure, bytes in and out.
        .target(name: "HTTPWire"),
        // What a profile lets a program use, and for how long one approval counts: pure.
        .target(name: "LoanRules", dependencies: ["HTTPWire"]),
        // Proves what is left of a loan after an approval: pure.
        .target(name: "LoanProver", dependencies: core + ["LoanRules"]),
        // The tools by which a coding agent sees what is lent to it, and asks for it, in the Model Context Protocol: pure.
        .target(name: "ToolProtocol", dependencies: ["PlainText"]),
        // The words of policies in files, pages and reports: one table, which all of them read and write.
        .target(name: "PolicyWords", dependencies: core + ["PlainText"]),
        // Questions about policies and their answers in JSON, which a page asks of the pure modules.
        .target(name: "PolicyAnswers", dependencies: core + ["PolicyProver", "PlainText", "PolicyWords"]),
        // Options, help, completion and manual pages of a command, which follow from what it declares.
        .target(
            name: "CommandLineKit", dependencies: ["PlainText"],
            resources: ["bash", "zsh", "fish"].map { .embedInCode("Completing/completion.\($0)") }),

        // Shells: each C library has one importer.
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPAM", pkgConfig: "pam", providers: [.apt(["libpam0g-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
        .systemLibrary(name: "CLinux"),
        // Descriptors, pipes, children, signals, files and threads: the floor of everything that speaks to the system.
        .target(name: "LinuxSystem", dependencies: ["PlainText", "CLinux"]),
        // Connects a service with systemd and logind.
        .target(name: "SystemServices", dependencies: ["LinuxSystem", "CSystemd"]),
        .target(name: "SodiumKit", dependencies: ["LinuxSystem", "CSodium"]),
        // Private and public keys, and what is done with them.
        .target(name: "KeyKit", dependencies: ["SodiumKit", "COpenSSL"]),
        // Keys on smart cards, by the modules that their makers provide.
        .target(name: "CardKit", dependencies: floor + ["SodiumKit", "KeyKit", "CPKCS11"]),
        // Moves folders into encrypted ones and out of them, and finds the processes that use their files.
        .target(name: "FolderKit", dependencies: ["PlainText", "LinuxSystem"]),
        // Serves commands that handle secrets: names, masking, environments, generating, importing, seeds of one-time codes.
        .target(
            name: "SecretTools", dependencies: floor + ["SodiumKit"],
            resources: [.embedInCode("Generating/eff-large-words.txt")]),
        // Runs a command in a sandbox of bubblewrap, with ports of its own loopback that this process listens on.
        .target(name: "CSandbox"),
        .target(name: "Sandbox", dependencies: floor + ["CSandbox"]),
        // Connections by TLS to hosts that get credentials: no copy of what is sent or received stays in memory.
        .target(name: "TLSClient", dependencies: ["LinuxSystem", "SodiumKit", "CTLS"]),
        // The proxy of lent services: it puts a credential into a checked request, and takes it out of the answer.
        .target(name: "Courier", dependencies: floor + ["HTTPWire", "SodiumKit", "SecretTools"]),
        // The rows of a vault, sealed, in a database; its files, locks and formats. It opens no item and decides nothing.
        .target(name: "VaultStore", dependencies: ["AccessPolicy", "LinuxSystem", "SodiumKit", "KeyKit", "CSQLite"]),
        // The keys of a vault, its decisions, and what is done with items.
        .target(name: "SecretVault", dependencies: core + ["SodiumKit", "KeyKit", "VaultStore", "LinuxSystem"]),
        // Prompts: what they say, and the terminal or the pinentry that shows them.
        .target(name: "Prompts", dependencies: core + floor + ["SodiumKit"]),
        .target(
            name: "UserPresence",
            dependencies: ["DeviceModel"] + floor + ["SystemServices", "SodiumKit", "Prompts", "CPAM"]),
        // The keychain: a device, a vault, its authenticators and a user.
        .target(name: "Latchkey", dependencies: vault + ["ApplePlatform", "UserPresence", "KeyKit", "LinuxSystem"]),
        // A web server for the user of this machine.
        .target(name: "LocalWeb", dependencies: floor + ["SodiumKit", "CMicroHTTPD"]),
        // A page that shows a simulated device while it is used, and the protocol behind it.
        .target(
            name: "LivePage", dependencies: vault + floor + ["Latchkey", "LocalWeb"],
            resources: [
                .embedInCode("Page/live.html"), .embedInCode("Page/live.css"), .embedInCode("Page/live.js"),
            ]),
        // Files whose content is sealed under the protection classes of a device.
        .target(name: "SealedFiles", dependencies: vault + ["Latchkey", "LinuxSystem"]),
        // Foundation's names for them.
        .target(
            name: "LatchkeyFiles", dependencies: ["AccessPolicy", "LinuxSystem", "SealedFiles"]),
        // The Secret Service on the bus of a session, over any place that keeps secrets.
        .target(name: "SecretService", dependencies: ["LinuxSystem", "SystemServices", "SodiumKit", "KeyKit"]),
        // The protocol of SSH agents, over any place that keeps keys.
        .target(name: "SSHProtocol", dependencies: ["SodiumKit", "KeyKit"]),
        // What a command and the agent say to each other, and the command's side of it.
        .target(name: "AgentProtocol", dependencies: core + floor + ["SodiumKit", "Prompts"]),
        // One vault for everyone at its doors: visits, deeds, what users have proved, folders, cards, secrets of the desktop.
        .target(
            name: "VaultService",
            dependencies: keychain + floor + [
                "ApplePlatform", "SealedFiles", "FolderKit", "SystemServices", "KeyKit", "CardKit", "SecretTools",
                "SecretService", "SSHProtocol", "AgentProtocol", "Prompts", "HTTPWire", "LoanRules",
            ]),
        // The process that holds the keys for commands, and its doors. It reaches the vault only by the service.
        .target(
            name: "AgentHost",
            dependencies: ["AccessPolicy"] + floor + [
                "SystemServices", "SodiumKit", "KeyKit", "Prompts", "SecretService", "SSHProtocol", "AgentProtocol",
                "VaultService",
            ]),

        // Faces.
        .target(name: "Security", dependencies: vault + ["ApplePlatform", "KeyKit", "Latchkey"]),
        // The numbers of LAError: an open enumeration, which Swift has from C only.
        .target(name: "CLocalAuthentication"),
        .target(
            name: "LocalAuthentication",
            dependencies: keychain + ["ApplePlatform", "Security", "LinuxSystem", "CLocalAuthentication"]),
        .target(
            name: "LatchkeyCryptoKit",
            dependencies: [
                "ApplePlatform", "SodiumKit", "KeyKit", "SecretVault", "Latchkey", "Security", "LocalAuthentication",
            ]),
        .plugin(name: "ExportSecurity", capability: .buildTool(), path: "Sources/ExportSecurity"),
        .plugin(name: "ExportCryptoKit", capability: .buildTool(), path: "Sources/ExportCryptoKit"),
        .plugin(name: "ProtectFiles", capability: .buildTool(), path: "Sources/ProtectFiles"),
        // What takes a test's device along to queues and threads: functions that come before those of C libraries.
        .target(name: "CLatchkeyTesting"),
        .target(
            name: "LatchkeyTesting",
            dependencies: faces + ["LatchkeyFiles", "LinuxSystem", "CLatchkeyTesting", "LivePage"]),
        // Policies as files: what stands in them, what comes of it, and how that is told.
        .target(
            name: "ScenarioFormat",
            dependencies: core + floor + [
                "ApplePlatform", "PolicyProver", "PolicyWords", "SecretVault", "UserPresence", "Latchkey", "HTTPWire",
                "LoanRules",
                "CYAML",
            ]),
        .target(
            name: "PolicyScenarios",
            dependencies: keychain + floor + [
                "ApplePlatform", "KeyKit", "PolicyProver", "PolicyWords", "PolicyAnswers", "ScenarioFormat", "LivePage",
            ]),
        .target(
            name: "PolicyReports",
            dependencies: core + [
                "ApplePlatform", "PolicyProver", "PlainText", "PolicyWords", "PolicyAnswers", "SecretVault",
                "ScenarioFormat",
                "PolicyScenarios",
            ],
            resources: [
                .embedInCode("Matrix/matrix.css"), .embedInCode("Proving/graph.css"), .embedInCode("Proving/graph.js"),
                .embedInCode("Proving/review.css"),
            ]),
        // The daily commands, and the steps that commands share. It links few libraries, so that these commands start at once.
        .target(
            name: "LatchkeyCLI",
            dependencies: floor + [
                "AccessPolicy", "FolderKit", "SodiumKit", "SecretTools", "Prompts", "AgentProtocol", "CommandLineKit",
            ]),
        // All other commands, and the help of all.
        .target(
            name: "LatchkeyTools",
            dependencies: scenarios + floor + [
                "KeyKit", "CardKit", "CommandLineKit", "PolicyReports", "SSHProtocol", "AgentProtocol", "VaultService",
                "AgentHost", "SecretTools", "FolderKit", "LivePage", "LatchkeyCLI", "Prompts", "HTTPWire",
                "LoanRules", "LoanProver", "ToolProtocol", "Sandbox", "TLSClient", "Courier",
            ]),
        .executableTarget(
            name: "LatchkeyProgram", dependencies: ["LinuxSystem", "LatchkeyCLI"], linkerSettings: bindsAtStart),
        .executableTarget(
            name: "ToolsProgram", dependencies: ["LinuxSystem", "VaultService", "LatchkeyCLI", "LatchkeyTools"],
            linkerSettings: bindsAtStart),
        .executableTarget(
            name: "AgentProgram",
            dependencies: [
                "LinuxSystem", "SystemServices", "AgentProtocol", "VaultService", "AgentHost", "CommandLineKit",
                "LatchkeyCLI",
            ], linkerSettings: bindsAtStart),

        // Support for tests.
        .target(
            name: "TestSupport", dependencies: ["LinuxSystem", "CTestEnvironment"], path: "Tests/Support/TestSupport"),
        // Gives the tests, before they start, an environment that has nothing of the user's.
        .target(
            name: "CTestEnvironment", path: "Tests/Support/CTestEnvironment", linkerSettings: [.linkedLibrary("sodium")]
        ),
        // A process for tests to kill, to search the memory of, and to share a vault with.
        .executableTarget(
            name: "vault-exerciser", dependencies: vault + ["KeyKit", "TestSupport"],
            path: "Tests/Support/VaultExerciser"),
        // A process for tests that works with a private key, to search the memory of.
        .executableTarget(
            name: "key-exerciser", dependencies: ["SodiumKit", "KeyKit", "TestSupport"],
            path: "Tests/Support/KeyExerciser"),
        // A process for tests that shares a simulated device with others, and is killed meanwhile.
        .executableTarget(
            name: "keychain-exerciser", dependencies: keychain + ["SealedFiles", "TestSupport"],
            path: "Tests/Support/KeychainExerciser"),
        // A process for tests that asks at its terminal, to be stopped and killed meanwhile.
        .executableTarget(
            name: "terminal-asker", dependencies: ["DeviceModel", "SodiumKit", "UserPresence"],
            path: "Tests/Support/TerminalAsker"),
        // A process for tests that does what Apple's system ends an app for.
        .executableTarget(
            name: "misuse-exerciser", dependencies: ["LocalAuthentication", "LatchkeyTesting"],
            path: "Tests/Support/MisuseExerciser"),
        // A test process for tests of tests that forget their device.
        .executableTarget(
            name: "forgetful-tests", dependencies: ["LocalAuthentication", "LatchkeyCryptoKit", "LatchkeyTesting"],
            path: "Tests/Support/ForgetfulTests"),
        // A process for tests that is started as a service.
        .executableTarget(
            name: "service-exerciser", dependencies: ["SystemServices"], path: "Tests/Support/ServiceExerciser"),
        // A process for tests that adds keys of folders, moves folders and holds files open, also as another user.
        .executableTarget(
            name: "folder-exerciser", dependencies: ["LinuxSystem", "FolderKit"], path: "Tests/Support/FolderExerciser"),
        // A process for tests that sends a canary by TLS and reads it back, to search the memory of.
        .executableTarget(
            name: "tls-exerciser", dependencies: ["SodiumKit", "TLSClient"], path: "Tests/Support/TLSExerciser"),
        // A process for tests that runs a command in a sandbox, to be killed meanwhile or to be at a terminal.
        .executableTarget(
            name: "sandbox-exerciser", dependencies: ["LinuxSystem", "Sandbox"],
            path: "Tests/Support/SandboxExerciser"),
        // A server of tools for tests, on its standard streams, with services that it makes up.
        .executableTarget(
            name: "tool-exerciser", dependencies: ["PlainText", "ToolProtocol"], path: "Tests/Support/ToolExerciser"),
        // A made-up program with every kind of declaration, for shells to complete.
        .executableTarget(
            name: "MadeUpProgram", dependencies: ["CommandLineKit"], path: "Tests/Support/MadeUpProgram"),
        // The laws that hold for any file of scenarios, for a fuzzer and for tests.
        .target(
            name: "ScenarioFuzzer", dependencies: ["ScenarioFormat", "PolicyScenarios", "PolicyReports"],
            path: "Tests/Support/ScenarioFuzzer"),
        // The laws that hold for any bytes that are taken for a key, likewise.
        .target(name: "KeyFuzzer", dependencies: vault + ["KeyKit"], path: "Tests/Support/KeyFuzzer"),
        // A file layer under SQLite that fails on command.
        .target(
            name: "CFaultFileSystem", path: "Tests/Support/CFaultFileSystem",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        // A module for PAM that plays what a test needs. SwiftPM builds a library for PAM to load only as a product, which every
        // package that uses this one would see. So it is a program to SwiftPM, and a library to the linker. The unsafe flag
        // does not bar packages from using this one, because no product has this target in it.
        .executableTarget(
            name: "pam_latchkey_test", path: "Tests/Support/PAMTestModule",
            linkerSettings: [.linkedLibrary("pam"), .unsafeFlags(["-emit-library"])]),
        // A library, likewise: it makes guesses of passcodes cheap in the copy of the command that tests run.
        .executableTarget(
            name: "cheap_stretch", path: "Tests/Support/CheapStretch",
            linkerSettings: [.linkedLibrary("sodium"), .unsafeFlags(["-emit-library"])]),

        // Tests, a target for each module.
        .testTarget(name: "AccessPolicyTests", dependencies: ["AccessPolicy", "ApplePlatform", "TestSupport"]),
        .testTarget(name: "ApplePlatformTests", dependencies: ["AccessPolicy", "ApplePlatform", "TestSupport"]),
        .testTarget(name: "DeviceModelTests", dependencies: core + ["ApplePlatform", "TestSupport"]),
        .testTarget(name: "PolicyProverTests", dependencies: core + ["PolicyProver", "TestSupport"]),
        .testTarget(name: "PlainTextTests", dependencies: ["PlainText", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"]),
        .testTarget(name: "LoanProverTests", dependencies: core + ["LoanRules", "LoanProver", "TestSupport"]),
        .testTarget(name: "LoanRulesTests", dependencies: ["HTTPWire", "LoanRules", "TestSupport"]),
        .testTarget(
            name: "ToolProtocolTests", dependencies: ["PlainText", "ToolProtocol", "TestSupport", "tool-exerciser"]),
        .testTarget(
            name: "CommandLineKitTests",
            dependencies: [
                "PlainText", "CommandLineKit", "MadeUpProgram", "LatchkeyTools", "TestSupport", "cheap_stretch",
            ]),
        .testTarget(name: "PolicyWordsTests", dependencies: core + ["PolicyWords", "TestSupport"]),
        .testTarget(
            name: "PolicyAnswersTests",
            dependencies: core + ["PolicyProver", "PlainText", "PolicyAnswers", "TestSupport"]),
        .testTarget(
            name: "LinuxSystemTests", dependencies: ["PlainText", "LinuxSystem", "TestSupport", "folder-exerciser"]),
        .testTarget(
            name: "FolderKitTests", dependencies: ["LinuxSystem", "FolderKit", "TestSupport", "folder-exerciser"]),
        .testTarget(name: "SodiumKitTests", dependencies: ["SodiumKit", "TestSupport"]),
        .testTarget(name: "KeyKitTests", dependencies: ["SodiumKit", "KeyKit", "TestSupport", "key-exerciser"]),
        .testTarget(
            name: "SecretToolsTests", dependencies: ["SecretTools", "SodiumKit", "LinuxSystem", "TestSupport"]),
        .testTarget(
            name: "SandboxTests",
            dependencies: ["LinuxSystem", "Sandbox", "CSandbox", "TestSupport", "sandbox-exerciser"]),
        .testTarget(
            name: "TLSClientTests",
            dependencies: ["LinuxSystem", "SodiumKit", "TLSClient", "CTLS", "TestSupport", "tls-exerciser"]),
        .testTarget(
            name: "CourierTests",
            dependencies: ["HTTPWire", "SodiumKit", "SecretTools", "LinuxSystem", "Courier", "TestSupport"]),
        .testTarget(name: "VaultStoreTests", dependencies: ["AccessPolicy", "SodiumKit", "VaultStore", "TestSupport"]),
        .testTarget(
            name: "SecretVaultTests",
            dependencies: vault + [
                "LinuxSystem", "CSQLite", "KeyKit", "CFaultFileSystem", "KeyFuzzer", "TestSupport", "vault-exerciser",
            ]),
        .testTarget(
            name: "UserPresenceTests",
            dependencies: core + floor + [
                "SodiumKit", "UserPresence", "TestSupport", "pam_latchkey_test", "terminal-asker",
            ]),
        .testTarget(
            name: "LatchkeyTests",
            dependencies: keychain + [
                "ApplePlatform", "KeyKit", "PolicyProver", "TestSupport", "pam_latchkey_test", "keychain-exerciser",
            ]),
        .testTarget(name: "LocalWebTests", dependencies: ["LinuxSystem", "LocalWeb", "TestSupport"]),
        .testTarget(
            name: "SecretServiceTests",
            dependencies: floor + ["SystemServices", "SodiumKit", "KeyKit", "SecretService", "TestSupport"]),
        .testTarget(name: "CardKitTests", dependencies: ["SodiumKit", "KeyKit", "CardKit", "TestSupport"]),
        .testTarget(
            name: "SSHProtocolTests", dependencies: floor + ["SodiumKit", "KeyKit", "SSHProtocol", "TestSupport"]),
        .testTarget(name: "SecurityTests", dependencies: simulation + ["ApplePlatform", "KeyKit", "TestSupport"]),
        .testTarget(
            name: "LocalAuthenticationTests", dependencies: simulation + ["TestSupport", "misuse-exerciser"]),
        .testTarget(
            name: "LatchkeyCryptoKitTests", dependencies: simulation + ["LatchkeyCryptoKit", "TestSupport"]),
        // It starts forgetful-tests, and must not depend on it: SwiftPM would link its tests with these.
        .testTarget(
            name: "LatchkeyTestingTests",
            dependencies: simulation + ["LatchkeyFiles", "TestSupport", "misuse-exerciser"]),
        .testTarget(
            name: "LatchkeyFilesTests",
            dependencies: simulation + [
                "LatchkeyFiles", "SealedFiles", "LinuxSystem", "TestSupport", "keychain-exerciser",
            ]),
        .testTarget(name: "SealedFilesTests", dependencies: simulation + ["SealedFiles", "TestSupport"]),
        .testTarget(
            name: "LivePageTests", dependencies: simulation + ["LivePage", "LocalWeb", "TestSupport"]),
        .testTarget(
            name: "ScenarioFormatTests",
            dependencies: scenarios + ["LoanRules", "PolicyWords", "ScenarioFuzzer", "TestSupport"]),
        .testTarget(
            name: "PolicyScenariosTests", dependencies: scenarios + ["LivePage", "PolicyReports", "TestSupport"]),
        .testTarget(
            name: "PolicyReportsTests", dependencies: scenarios + ["PlainText", "PolicyReports", "TestSupport"]),
        .testTarget(
            name: "AgentHostTests",
            dependencies: keychain + [
                "PlainText", "LinuxSystem", "KeyKit", "SSHProtocol", "SecretService", "SecretTools", "AgentProtocol",
                "VaultService", "AgentHost", "TestSupport", "HTTPWire", "LoanRules", "LoanProver",
                "cheap_stretch",
            ]),
        .testTarget(
            name: "SystemServicesTests",
            dependencies: ["SystemServices", "TestSupport", "cheap_stretch", "service-exerciser"]),
        .testTarget(
            name: "LatchkeyCLITests",
            dependencies: scenarios + [
                "PlainText", "LinuxSystem", "CommandLineKit", "PolicyReports", "AgentProtocol", "VaultService",
                "AgentHost",
                "LatchkeyCLI",
                "LatchkeyTools", "LivePage",
                "PolicyAnswers", "Sandbox",
                "TestSupport", "cheap_stretch",
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

// `make` optimizes the pure modules and their tests in its debug build, because these compare millions of decisions. So it does
// with small modules in which the tests spend much of their time. A package that depends on this one never sees the flag.
if Context.environment["LATCHKEY_OPTIMIZES_LAWS"] != nil {
    let laws = [
        "AccessPolicy", "ApplePlatform", "DeviceModel", "PolicyProver", "PlainText", "PolicyWords", "PolicyAnswers",
        "HTTPWire", "LoanRules", "LoanProver", "ToolProtocol", "SodiumKit",
        "ScenarioFormat", "TestSupport",
    ]
    // A whole module at once, because a generic function is specialized only for callers that are compiled with it.
    let optimized = ["-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2"]
    // Each call of the compiler would otherwise index the modules of the system anew, which takes a fifth of its time.
    let indexed = ["-index-ignore-system-modules", "-Xfrontend", "-index-ignore-clang-modules"]
    for target in package.targets where target.type != .system && target.type != .plugin {
        let isLaw = laws.contains { [$0, "\($0)Tests"].contains(target.name) }
        target.swiftSettings?.append(.unsafeFlags(indexed + (isLaw ? optimized : []), .when(configuration: .debug)))
    }
}
