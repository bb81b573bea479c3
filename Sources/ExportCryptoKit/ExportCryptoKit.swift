import Foundation
import PackagePlugin

/// A plugin that writes a file with `@_exported import LatchkeyCryptoKit` into a target.
///
/// With this file, code that imports CryptoKit only `#if canImport(CryptoKit)` compiles on Linux too. A package that can
/// pass flags to the compiler has a better way, which compiles `import CryptoKit` itself: see docs/swift.md.
@main struct ExportCryptoKit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(Linux)
            let file = context.pluginWorkDirectoryURL.appending(path: "ExportCryptoKit.swift")
            let line = "@_exported import LatchkeyCryptoKit"
            return [
                .buildCommand(
                    displayName: "Writing ExportCryptoKit.swift", executable: URL(filePath: "/bin/sh"),
                    arguments: ["-c", #"printf '%s\n' "$1" > "$2""#, "sh", line, file.path], outputFiles: [file])
            ]
        #else
            return []  // Apple's platforms have their own CryptoKit.
        #endif
    }
}
