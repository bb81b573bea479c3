import Foundation
import PackagePlugin

/// A plugin that writes a file with `@_exported import Security` into a target.
///
/// On Apple's platforms importing Foundation also makes the names of Security visible, and much code imports nothing
/// else. With this file it compiles on Linux too.
@main struct ExportSecurity: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(Linux)
            let file = context.pluginWorkDirectoryURL.appending(path: "ExportSecurity.swift")
            let line = "@_exported import Security"
            return [
                .buildCommand(
                    displayName: "Writing ExportSecurity.swift", executable: URL(filePath: "/bin/sh"),
                    arguments: ["-c", #"printf '%s\n' "$1" > "$2""#, "sh", line, file.path], outputFiles: [file])
            ]
        #else
            return []  // Apple's platforms have their own Security.
        #endif
    }
}
