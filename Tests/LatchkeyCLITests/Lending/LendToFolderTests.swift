import Foundation
import Sandbox
import TestSupport
import Testing

/// `latchkey lend PROFILE --to FOLDER`: sockets for a container or for another user.
@Suite(.enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct LendToFolderTests {
    private let place: LendingPlace

    init() throws { place = try LendingPlace() }

    /// A sandbox that the test makes has the folder, and the program in it uses the secret. A program beside the lender is refused.
    @Test(.enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"))
    func aSandboxWithTheFolderUsesTheSecret() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            serve; stat -c '%a %n' "$TO" "$TO"/*; cat "$TO/environment"
            bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$TO" "$TO" \\
                sh -c '. "$0/environment"; curl -s --unix-socket "$LENT_API" http://localhost/v1/echo; curl -s --unix-socket "$LENT_API" http://localhost/v2; env' "$TO"
            echo beside; curl -s --unix-socket "$TO/api.sock" http://localhost/v1/x
            latchkey log; finish; ls -A "$TO"; echo "left nothing"
            """)
        let output = run.output
        #expect(!output.contains(LendingPlace.canary), "\(output)")
        for words in [
            "700 \(place.shared)/to\n600 \(place.shared)/to/api.sock\n600 \(place.shared)/to/environment\n",
            "LENT_API=\(place.shared)/to/api.sock\n", "API=http://127.0.0.1:4001\n",
            "authorization: Bearer ***", "the profile site does not allow GET /v2 at api",
            "beside\nThis process is in no sandbox, so nothing was sent.",
            "lent to site, by \(place.shared)/to, for GET \(place.server.address)/v1/echo",
            "ended 0\nleft nothing\n",
        ] { #expect(output.contains(words), "\(words): \(output)") }
        #expect(output.firstMatch(of: /TOKEN=lend_[0-9a-f]{32}\n/) != nil, "\(output)")
        #expect(place.server.end().count == 1)
    }

    /// A kill leaves the sockets, and the next start replaces them. Two at once are one too many.
    @Test func aFormerFolderIsUsedAgain() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            serve; $LEND --to "$TO"; echo "second $?"
            kill -KILL $lender; wait $lender; ls -A "$TO"; touch "$TO/old.sock"; $LEND --to "$TO"; rm "$TO/old.sock"
            $LEND --to "$TO" & lender=$!
            meet sh -c 'curl -s --unix-socket "$TO/api.sock" http://localhost/ | grep sandbox'
            finish; ls -A "$TO"
            kill -0 $lender; for signal in INT HUP; do
                # The shell has the ones that it starts beside itself ignore this signal.
                env --default-signal=INT $LEND --to "$TO/" & lender=$!; meet test -S "$TO/api.sock"
                meet sh -c 'curl -s --unix-socket "$TO/api.sock" http://localhost/ | grep sandbox'
                kill -$signal $lender; wait $lender; echo "$signal $?"; ls -A "$TO"
            done
            """)
        let output = run.output
        #expect(output.contains("is served by another `latchkey lend`") && output.contains("second 2"), "\(output)")
        #expect(output.contains("api.sock\nenvironment\n"), "\(output)")
        #expect(output.contains("has other files, such as old.sock"), "\(output)")
        #expect(output.contains("ended 0\n") && output.hasSuffix("INT 0\nHUP 0\n"), "\(output)")
    }

    /// Only the user who is named can connect, and only while it is lent.
    @Test(.needsRoot) func onlyTheNamedUserConnects() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            other() { setpriv --reuid=$1 --regid=$1 --clear-groups curl -sS --unix-socket "$TO/api.sock" "http://localhost/v1/$2"; }
            serve --user \(Privileges.ordinaryUser); meet other \(Privileges.ordinaryUser) first
            echo; other \(Privileges.ordinaryUser) second; echo "named $?"
            other \(Privileges.otherUser) third; echo "other $?"; curl -s --unix-socket "$TO/api.sock" http://localhost/v1/fourth; echo "own $?"
            setpriv --reuid=\(Privileges.ordinaryUser) --regid=\(Privileges.ordinaryUser) --clear-groups sh -c 'cat "$TO/environment"; rm "$TO/api.sock"; touch "$TO/x"'
            latchkey log; finish; other \(Privileges.ordinaryUser) fifth; echo "after $?"; stat -c %a "$TO"
            serve; other \(Privileges.ordinaryUser) sixth; echo "without $?"; finish
            """)
        let output = run.output
        for words in [
            "answer to GET of 0 bytes\nnamed 0", "other 7",
            "This socket is lent to another user, so nothing was sent.\nown 0",
            "LENT_API=\(place.shared)/to/api.sock", "rm: cannot remove", "touch: cannot touch", "after 7\n700\n",
            "without 7",
            "lent to site, by \(place.shared)/to to user \(Privileges.ordinaryUser) (uid \(Privileges.ordinaryUser)), for GET",
        ] { #expect(output.contains(words), "\(words): \(output)") }
        #expect(place.server.end().allSatisfy { $0.hasPrefix("GET /v1/first") || $0.hasPrefix("GET /v1/second") })
    }

    /// A folder in which others could put sockets, or that has other things, is refused before anything is lent.
    @Test func otherFoldersAreRefused() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            mkdir -p "$SHARED/real" "$SHARED/open" "$SHARED/full" "$SHARED/open/in"; chmod 777 "$SHARED/open"; touch "$SHARED/full/x"; ln -s real "$SHARED/link"; touch "$SHARED/file"
            mkdir -m 700 ~/.ssh
            for folder in link open open/in full file missing/in $(printf %0100d 0) .. .; do echo "$folder:"; $LEND --to "$SHARED/$folder"; done
            $LEND --to "$LATCHKEY_HOME/to"; $LEND --to "$XDG_RUNTIME_DIR/latchkey/to"; $LEND --to ~/.ssh/to; $LEND --to /
            for words in "--to $TO -- true" "--to $TO --network" "--to $TO --no-boundary" "--user root -- true" "" "--network --no-boundary -- true" "--to $TO --user nobody-at-all" "--to $TO --user $(id -un)"; do
                echo "[$words]"; $LEND $words; done
            ls -A "$SHARED/real" "$LATCHKEY_HOME" | grep -e sock -e '^to$'; ls "$TO"
            """)
        let output = run.output
        for words in [
            "link:\nlatchkey: \(place.shared)/link is a symbolic link", "open can be written to by others",
            "open/in is below \(place.shared)/open, which others may write to", "full has other files, such as x",
            "file is the wrong kind of file", "missing/in has no folder above it", "has a path that is too long",
            "..:\n",
            "is in a folder of your keys, vaults or sockets", "--to starts no program", "--user needs --to",
            "--network and --no-boundary are for a program", "or a folder for a container: --to FOLDER",
            "leave out --network", "there is no user nobody-at-all", "is you: leave --user out",
        ] { #expect(output.contains(words), "\(words): \(output)") }
        #expect(output.components(separatedBy: "is in a folder of your keys").count == 4, "\(output)")
        #expect(!output.contains("api.sock"), "\(output)")
    }
}
