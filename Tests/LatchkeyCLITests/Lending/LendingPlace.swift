import AccessPolicy
import Foundation
import TestSupport

/// A vault with a secret, a server for it, and a profile, for loans at places other than a sandbox.
struct LendingPlace {
    static let canary = "canary-93c7e150-at"
    let vault: UnlockedVault
    let server: LentServer
    /// A folder that other users can enter, for folders that are lent.
    let shared: String

    init() throws {
        vault = try UnlockedVault()
        server = try LentServer()
        shared = "/tmp/latchkey-lent-\(UUID().uuidString.prefix(13))"
        for path in [vault.path("site"), shared] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
        try vault.set("web/api", Self.canary)
        try vault.allow("web/api", server.address)
        let profile = """
            lend: site
            services:
              api: { item: web/api, http: "\(server.address)", allow: [GET /v1/**], set: { API: url, TOKEN: placeholder } }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(atPath: shared) }

    /// Runs a script of the shell, in which `$LEND` is the command with the profile, `$TO` a new folder, and `meet` waits until a
    /// command succeeds.
    func sh(_ script: String, _ changes: [String: String] = [:]) throws -> Command.Run {
        let begin = """
            exec 2>&1
            meet() { n=0; until "$@" >/dev/null 2>&1; do n=$((n + 1)); [ $n -gt 2000 ] && echo "not met: $*" && return 1; sleep 0.05; done; }
            serve() { $LEND --to "$TO" "$@" & lender=$!; meet test -S "$TO/api.sock"; }
            finish() { kill -TERM $lender; wait $lender; echo "ended $?"; }
            cd ~/site
            """
        return try vault.sh(
            begin + "\n" + script,
            [
                "LEND": "latchkey lend site.yaml --yes --quiet --ca \(server.authorityFile)", "TO": "\(shared)/to",
                "SHARED": shared,
            ].merging(changes) { $1 })
    }
}
