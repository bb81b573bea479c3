import Foundation
import PackagePlugin

/// A plugin that makes an app's calls of Foundation respect file protection.
///
/// It writes a file with functions of Foundation's names into the app's target. There they come before Foundation's own,
/// so code that imports Foundation alone has the protection classes of its files respected, unchanged.
@main struct ProtectFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(Linux)
            let file = context.pluginWorkDirectoryURL.appending(path: "ProtectFiles.swift")
            return [
                .buildCommand(
                    displayName: "Writing ProtectFiles.swift", executable: URL(filePath: "/bin/sh"),
                    arguments: ["-c", #"printf '%s' "$1" > "$2""#, "sh", functionsOfTheApp, file.path],
                    outputFiles: [file])
            ]
        #else
            return []  // Apple's platforms protect files themselves.
        #endif
    }
}
