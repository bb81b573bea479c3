import Foundation
import PackagePlugin

/// On Apple's platforms Foundation brings the names of Security along, and much code imports nothing else. This writes the file
/// into a target that has them come along on Linux too.
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
            return []  // there Apple's own is meant
        #endif
    }
}
