import AgentProtocol
import Foundation
import KeyKit
import TestSupport
import Testing

extension AgentTests {
    /// An ordinary user cannot look into the process that holds the keys. Root can see everything.
    @Suite(.serialized) struct HardeningTests {
        /// A program that tries to look into a process, and prints what it can do.
        private static let prober = """
            import ctypes, os, signal, sys
            process = int(sys.argv[1])
            libc = ctypes.CDLL(None, use_errno=True)
            libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
            for name in ["mem", "environ", "maps", "smaps", "auxv", "pagemap", "syscall", "stack"]:
                try:
                    if open(f"/proc/{process}/{name}", "rb").read(16):
                        print("read", name)
                except OSError:
                    pass
            for name in ["fd", "map_files"]:
                try:
                    os.listdir(f"/proc/{process}/{name}")
                    print("listed", name)
                except OSError:
                    pass
            for name in ["cwd", "exe", "root"]:
                try:
                    os.readlink(f"/proc/{process}/{name}")
                    print("followed", name)
                except OSError:
                    pass
            for name, request in [("attach", 16), ("seize", 0x4206)]:
                if libc.ptrace(request, process, None, None) == 0:
                    print("traced by", name)
            local = ctypes.create_string_buffer(16)
            class Vector(ctypes.Structure):
                _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
            mine, theirs = Vector(ctypes.addressof(local), 16), Vector(0x400000, 16)
            libc.process_vm_readv(process, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)
            if ctypes.get_errno() not in (1, 13):
                print("reached the memory")
            print("done")
            """

        @Test func anOrdinaryUserSeesNothingOfIt() throws {
            let vault = try VaultOfTest(user: Privileges.isRoot ? Privileges.ordinaryUser : nil)
            let agent = try RunningAgent(
                vault, prefix: Privileges.words(), variables: ["SWIFT_BACKTRACE": "enable=yes"])
            let said = try OtherUser.python(Self.prober, ["\(agent.process)"], as: Privileges.ordinaryUser)
            #expect(said == "done\n")
            // The prober can look into a process that is not protected.
            let open = try RunningAgent.spawn(Privileges.words() + ["sleep", "60"], [:], [:])
            defer {
                kill(open, SIGKILL)
                waitpid(open, nil, 0)
            }
            try eventually { (try? String(contentsOfFile: "/proc/\(open)/comm", encoding: .utf8)) == "sleep\n" }
            let seen = try OtherUser.python(Self.prober, ["\(open)"], as: Privileges.ordinaryUser)
            #expect(seen.contains("read environ") && seen.contains("listed fd"))
            var status: Int32 = 0
            // Swift's crash reporter does not look into the process as it dies, and it does die.
            kill(agent.process, SIGABRT)
            try eventually { waitpid(agent.process, &status, WNOHANG) == agent.process }
            #expect(status & 0x7F == SIGABRT && status & 0x80 == 0, "no core is left")
        }

        /// Returns a client of an agent that a command has started, with more in its environment than an agent should
        /// keep.
        private func startedByACommand(_ vault: VaultOfTest) throws -> AgentClient {
            let stray = open(vault.folder.path("stray"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(stray) }
            var file: Int32 = 0
            let process = try RunningAgent.spawn(
                [RunningAgent.binary, "status", "--vault", vault.path],
                [
                    "XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path, "TOKEN": "in the environment",
                    "LD_LIBRARY_PATH": "/nowhere",
                ], [1: stray, 77: stray])
            while waitpid(process, &file, 0) < 0 && errno == EINTR {}
            return try vault.client()
        }

        @Test func itLeavesNoCoreAndMakesNoFileForOthers() throws {
            let vault = try VaultOfTest()
            let client = try startedByACommand(vault)
            let path = "/proc/\(client.process)"
            let limits = try String(contentsOfFile: path + "/limits", encoding: .utf8).split(separator: "\n")
            let core = limits.first { $0.hasPrefix("Max core file size") }?.split(separator: " ").suffix(3).prefix(2)
            #expect(core == ["0", "0"])
            let status = try String(contentsOfFile: path + "/status", encoding: .utf8)
            #expect(status.contains("Umask:\t0077"))
            try client.stop()
        }

        @Test(.needsRoot) func itHasOnlyWhatItNeeds() throws {
            let vault = try VaultOfTest()
            let client = try startedByACommand(vault)
            let path = "/proc/\(client.process)"
            let manager = FileManager.default
            let environment = String(decoding: try Data(contentsOf: URL(filePath: path + "/environ")), as: UTF8.self)
            let names = environment.split(separator: "\0").compactMap {
                $0.split(separator: "=").first.map(String.init)
            }
            #expect(Set(names) == ["HOME", "XDG_RUNTIME_DIR", "DBUS_SYSTEM_BUS_ADDRESS", "LATCHKEY_READY"])
            #expect(try manager.destinationOfSymbolicLink(atPath: path + "/cwd") == "/")
            for descriptor in try manager.contentsOfDirectory(atPath: path + "/fd") {
                guard let target = try? manager.destinationOfSymbolicLink(atPath: path + "/fd/" + descriptor) else {
                    continue
                }
                let isKnown =
                    target == "/dev/null" || target.hasPrefix(vault.path + "/") || target == vault.path
                    || ["pipe:", "socket:", "anon_inode:[signalfd]", "anon_inode:inotify"].contains {
                        target.hasPrefix($0)
                    }
                #expect(isKnown, "descriptor \(descriptor) is \(target)")
            }
            try client.stop()
        }

        /// With closed standard descriptors, a file of the vault could get their numbers, and error messages with them.
        @Test(.needsRoot) func nothingIsWrittenIntoTheVaultForWantOfAnOutput() throws {
            let vault = try VaultOfTest()
            var status: Int32 = 0
            let shell = try RunningAgent.spawn(
                [
                    "sh", "-c", "exec 0<&- 1>&- 2>&-; exec '\(RunningAgent.binary)' agent --vault '\(vault.path)'",
                ], ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [:])
            try eventually { FileManager.default.fileExists(atPath: vault.place.socket) }
            for descriptor in 0...2 {
                let target = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(shell)/fd/\(descriptor)")
                #expect(target == "/dev/null")
            }
            kill(shell, SIGTERM)
            while waitpid(shell, &status, 0) < 0 && errno == EINTR {}
            #expect(status == 0)
        }

        @Test(.needsRoot) func nothingIsLeftInItsMemoryOnceItIsLocked() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            let small = Array("a small secret that is looked for".utf8)
            let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
            let key = try PrivateKey.generate(.ec(.p256)).withExternalRepresentation {
                $0.withUnsafeBytes { Array($0) }
            }
            // OpenSSL has the number in words, the lowest first.
            let scalar = Array(key.suffix(24).prefix(16))
            let added = Array("a key that ssh-add sends to the agent".utf8)
            let needles = [
                "passcode": Array(VaultOfTest.passcode.utf8), "small secret": small,
                "large secret": Array(large[50_000..<50_040]), "wrong passcode": Array("not at all the passcode".utf8),
                "scalar": scalar, "reversed scalar": scalar.reversed(), "key of ssh-add": added,
            ]
            _ = try client.ask(#"{"do":"unlock"}"#, [], ["passcode": "not at all the passcode"])
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            for (name, secret) in [("small", small), ("large", large)] {
                #expect(try client.ask(#"{"do":"add","name":"\#(name)"}"#, secret).done != nil)
                #expect(try client.ask(#"{"do":"read","name":"\#(name)"}"#).secret == secret)
            }
            try useKey(key, client, agent, needles.filter { $0.key.hasSuffix("scalar") })
            client.send(#"{"do":"change-passcode"}"#)
            _ = try client.receive()
            // The secret on its way to a prompt is in memory, so the search would find it.
            let head = #"{"do":"add","name":"on its way"}"#
            let other = try RawClient(vault.place.socket)
            other.write(RawClient.lengths(UInt32(head.utf8.count), 1000) + Array(head.utf8) + small)
            try eventually { try Memory.finds(needles, in: agent.process).contains("small secret") }
            shutdown(other.socket, Int32(SHUT_RDWR))
            shutdown(client.socket, Int32(SHUT_RDWR))
            // What ssh-add sends is refused, but for its lock.
            let ssh = try RawClient(vault.place.sshSocket, greeted: false)
            for number: UInt8 in [17, 25, 22] {
                let message = [number] + Array(repeating: added, count: 100).joined()
                ssh.write(withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message)
            }
            // Each answer has five bytes.
            try eventually { ssh.unread == 15 }
            #expect(try RawClient(vault.place.socket).ask(#"{"do":"lock"}"#).done != nil)
            var found: Set<String> = []
            try eventually {
                found = try Memory.finds(needles, in: agent.process)
                return found.isEmpty
            }
            #expect(found.isEmpty)
        }

        /// Has the agent sign with a software key. It gives the key to no one, and wipes it after each use.
        private func useKey(
            _ key: [UInt8], _ client: RawClient, _ agent: RunningAgent, _ needles: [String: [UInt8]]
        ) throws {
            let head = #"{"do":"import-key","name":"key","family":"ec","policy":\#(RequestTests.always)}"#
            #expect(try client.ask(head, key).done != nil)
            let digest = String(repeating: "5a", count: 32)
            let sign = #"{"do":"sign","name":"key","digest":"\#(digest)","algorithm":"ecdsa-sha256","raw":true}"#
            for _ in 0..<3 { #expect(try client.ask(sign).done?["signature"] != nil) }
            #expect(try client.ask(#"{"do":"read","name":"key"}"#).kind == "not-found")
            var found: Set<String> = []
            try eventually {
                found = try Memory.finds(needles, in: agent.process)
                return found.isEmpty
            }
            #expect(found.isEmpty)
        }
    }
}

/// The memory of another process, as root sees it.
enum Memory {
    /// Returns the names of the byte strings that are in that memory.
    static func finds(_ needles: [String: [UInt8]], in process: pid_t) throws -> Set<String> {
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0)
        defer { close(memory) }
        var found: Set<String> = []
        var searched = 0
        let piece = 1 << 20
        var room = Data(count: piece)
        for line in try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("r"), !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]")
            else { continue }
            var place = ends[0]
            while place < ends[1] {
                let wanted = min(piece, Int(ends[1] - place))
                let count = room.withUnsafeMutableBytes { pread(memory, $0.baseAddress, wanted, off_t(place)) }
                guard count > 0 else { break }
                for (name, needle) in needles where !found.contains(name) {
                    if room[..<count].range(of: Data(needle)) != nil { found.insert(name) }
                }
                searched += count
                place += UInt64(count)
                if place < ends[1] { place -= 64 }
            }
        }
        try #require(searched > piece)
        return found
    }
}
