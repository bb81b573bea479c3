import AgentHost
import AgentProtocol
import Foundation
import KeyKit
import PlainText
import SSHProtocol
import SodiumKit
import Synchronization
import TestSupport
import Testing

extension AgentTests {
    /// Clients of the socket for SSH that behave badly, and the words of its prompts.
    @Suite struct SSHSocketTests {
        private let vault: VaultOfTest
        private let agent: RunningAgent

        init() throws {
            vault = try VaultOfTest()
            agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            // No prompt and no notification is shown, whatever display the tests run on.
            _ = try client.ask(#"{"do":"settings","notify":false,"pinentry":"none"}"#, [], RequestTests.answers)
            for (name, policy) in [("open", RequestTests.always), ("shut", RequestTests.passcode)] {
                _ = try client.ask(
                    #"{"do":"generate-key","name":"\#(name)","type":"ed25519","policy":\#(policy)}"#)
                let added = try client.ask(
                    #"{"do":"add-ssh-key","name":"\#(name)","key":"","comment":"c \#(name)","destinations":[]}"#)
                #expect(added.done != nil)
            }
        }

        /// A client that sends any bytes.
        private final class Client {
            private let socket: Int32

            init(_ path: String) throws {
                socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) {
                    $0.dropLast().copyBytes(from: path.utf8.prefix($0.count - 1))
                }
                let isConnected = withUnsafeBytes(of: &address) {
                    connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
                }
                try #require(isConnected)
            }

            deinit { close(socket) }

            func send(_ bytes: [UInt8]) { _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

            /// Returns the next answer without its length; nil if the agent has closed the connection.
            func receive() -> [UInt8]? {
                func take(_ count: Int) -> [UInt8]? {
                    var bytes = [UInt8](repeating: 0, count: count)
                    guard count == 0 || recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count else {
                        return nil
                    }
                    return bytes
                }
                guard let head = take(4) else { return nil }
                return take(head.reduce(0) { $0 << 8 | Int($1) })
            }

            func ask(_ message: [UInt8]) -> [UInt8]? {
                var frame = SSHWriter()
                frame.string(message)
                send(frame.bytes)
                return receive()
            }

            /// Returns the blobs of the keys that the agent lists.
            func keys() -> [[UInt8]] {
                guard let answer = ask([11]) else { return [] }
                var reader = SSHReader(answer.dropFirst())
                return (0..<(reader.number() ?? 0)).compactMap { _ in
                    defer { _ = reader.string() }
                    return reader.string()
                }
            }

            /// Binds the connection to a host. Returns true if the agent agrees.
            func bind(
                to host: borrowing PrivateKey, _ session: [UInt8], forwards: Bool = false
            ) throws -> Bool {
                ask(try SSHSocketTests.binding(to: host, session, forwards: forwards)) == [6]
            }

            func sign(_ data: [UInt8], with blob: [UInt8]) -> [UInt8]? {
                var message = SSHWriter()
                message.byte(13)
                message.string(blob)
                message.string(data)
                message.number(0)
                return ask(message.bytes)
            }
        }

        private func client() throws -> Client { try Client(vault.place.sshSocket) }

        /// Returns the message that binds a connection to a host.
        private static func binding(
            to host: borrowing PrivateKey, _ session: [UInt8], forwards: Bool
        ) throws -> [UInt8] {
            var message = SSHWriter()
            message.byte(27)
            message.string("session-bind@openssh.com")
            message.string(SSHPublicKey(host.publicKey).blob)
            message.string(session)
            message.string(SSHSignatureScheme.ed25519.encode(try host.sign(session.span.bytes, with: .ed25519)))
            message.byte(forwards ? 1 : 0)
            return message.bytes
        }

        @Test func aKeyWithoutAuthenticationSignsAndAnyOtherNeedsAPlaceToPrompt() throws {
            let client = try client()
            let keys = client.keys()
            #expect(keys.count == 2)
            let data = Array("anything".utf8)
            let answer = try #require(client.sign(data, with: keys[0]))
            var reader = SSHReader(answer.dropFirst())
            #expect(answer[0] == 14)
            let (key, signature) = (try #require(SSHPublicKey(blob: keys[0])), reader.string() ?? [])
            #expect(key.verify(signature, of: data))
            #expect(client.sign(data, with: keys[1]) == [5])
            #expect(client.sign(data, with: [1, 2, 3]) == [5])
        }

        /// Returns what an SSH client signs to log in, in the form that names the host unless it is nil.
        private func login(_ session: [UInt8], with key: [UInt8], at host: [UInt8]?) -> [UInt8] {
            var data = SSHWriter()
            data.string(session)
            data.byte(50)
            data.string("git")
            data.string("ssh-connection")
            data.string(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
            data.byte(1)
            data.string("ssh-ed25519")
            data.string(key)
            if let host { data.string(host) }
            return data.bytes
        }

        /// Even a key without authentication signs only the login that the client has bound its connection to.
        @Test func aClientThatContradictsItselfIsRefused() throws {
            let host = try PrivateKey.generate(.ed25519)
            let other = try PrivateKey.generate(.ed25519)
            let (name, otherName) = (SSHPublicKey(host.publicKey).blob, SSHPublicKey(other.publicKey).blob)
            let client = try client()
            let keys = client.keys()
            #expect(try client.bind(to: host, [1]))
            for good in [login([1], with: keys[0], at: name), login([1], with: keys[0], at: nil)] {
                #expect(client.sign(good, with: keys[0])?.first == 14)
            }
            for (what, wrong) in [
                ("another session", login([2], with: keys[0], at: name)),
                ("another session, unnamed host", login([2], with: keys[0], at: nil)),
                ("another host", login([1], with: keys[0], at: otherName)),
                ("no host", login([1], with: keys[0], at: [1])),
                ("another key", login([1], with: keys[1], at: name)),
                ("no key", login([1], with: [1], at: name)),
                ("a longer login", login([1], with: keys[0], at: name) + [0]),
                ("a login without a session", login([], with: keys[0], at: nil)),
            ] {
                #expect(client.sign(wrong, with: keys[0]) == [5], "\(what)")
            }
            #expect(client.sign(login([1], with: keys[0], at: name), with: keys[0])?.first == 14)
            // A second login over the connection breaks it.
            #expect(try !client.bind(to: other, [2]))
        }

        @Test func aForwardedClientSignsNothingUnknownAndChangesNothing() throws {
            let host = try PrivateKey.generate(.ed25519)
            for breaks in [false, true] {
                let client = try client()
                let keys = client.keys()
                if breaks {
                    #expect(client.ask([27] + [0, 0, 0, 24] + Array("session-bind@openssh.com".utf8)) == [5])
                } else {
                    #expect(try client.bind(to: host, [1], forwards: true))
                }
                #expect(client.keys() == keys)
                #expect(client.sign(Array("anything".utf8), with: keys[0]) == [5])
                #expect(client.sign(login([2], with: keys[0], at: nil), with: keys[0])?.first == 14)
                var remove = SSHWriter()
                remove.byte(18)
                remove.string(keys[0])
                for message in [remove.bytes, [19], [22, 0, 0, 0, 1, 65]] { #expect(client.ask(message) == [5]) }
                #expect(client.keys() == keys)
            }
            let status = try RawClient(vault.place.socket).ask(#"{"do":"status"}"#)
            #expect(status.done?["state"] == .string("unlocked"))
        }

        /// Another host cannot keep the vault unlocked by asking all the time.
        @Test func onlyRequestsOfThisMachineCountAsActivity() throws {
            agent.end()
            let agent = try RunningAgent(vault, ["--lock-after", "5"])
            defer { agent.end() }
            let raw = try RawClient(vault.place.socket)
            _ = try raw.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            func isLocked() throws -> Bool { try raw.ask(#"{"do":"status"}"#).done?["state"] == .string("locked") }
            let (local, forwarded) = (try client(), try client())
            let key = try #require(local.keys().first)
            #expect(try forwarded.bind(to: PrivateKey.generate(.ed25519), [1], forwards: true))
            let login = login([2], with: key, at: nil)
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .seconds(7) {
                #expect(local.sign(Array("anything".utf8), with: key)?.first == 14)
                usleep(200_000)
            }
            #expect(try !isLocked())
            #expect(forwarded.sign(login, with: key)?.first == 14)
            let isLockedInTime = try Patience.wait(everyMilliseconds: 200) {
                _ = forwarded.sign(login, with: key)
                return try isLocked()
            }
            #expect(isLockedInTime)
        }

        // MARK: - Limits

        @Test func anIdleClientGoesBeforeOneThatWaitsAndOneThatIsServedStays() {
            let served = SSHPlace(.working, process: 1, began: 0)
            let waiting = (1...3).map { SSHPlace(.waiting, process: 1, began: $0) }
            let idle = [SSHPlace(.none, process: 2, began: 9), SSHPlace(.none, process: 3, began: 8)]
            #expect(SSHPlace.next(of: [served] + waiting + idle) == 5)
            #expect(SSHPlace.next(of: [served] + waiting + [SSHPlace(.waiting, process: 2, began: 0)]) == 1)
            #expect(SSHPlace.next(of: [served, served]) == nil)
            // The process with the most connections loses its oldest one.
            #expect(SSHPlace.next(of: idle + [SSHPlace(.none, process: 2, began: 10)]) == 0)
        }

        @Test func aClientThatIsGoneLeavesTheQueue() async {
            let queue = SSHQueue<Int>()
            let (isFirst, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let outcomes = Mutex<[SSHQueue<Int>.Outcome]>([])
            await withTaskGroup(of: Void.self) { group in
                func run(_ body: @escaping @Sendable () -> Void) {
                    group.addTask {
                        await withCheckedContinuation { done in
                            Thread.detachNewThread {
                                body()
                                done.resume()
                            }
                        }
                    }
                }
                run {
                    _ = queue.run(1) {
                        false
                    } body: {
                        isFirst.signal()
                        isOver.wait()
                        return .done([])
                    }
                }
                run {
                    isFirst.wait()
                    // Another line does not wait.
                    let other = queue.run(2) {
                        false
                    } body: {
                        .done([2])
                    }
                    let gone = queue.run(1) {
                        true
                    } body: {
                        .done([3])
                    }
                    outcomes.withLock { $0 = [other, gone] }
                    isOver.signal()
                }
            }
            #expect(outcomes.withLock { $0 } == [.done([2]), .refused])
        }

        // MARK: - The list

        @Test func garbageEndsOnlyItsOwnConnection() throws {
            let good = try client()
            for bytes: [UInt8] in [
                [0xFF, 0xFF, 0xFF, 0xFF, 11], [0, 0, 0, 0, 0], [0, 0, 0, 0], [0, 4, 0, 1, 11],
                Array("GET / HTTP/1.0\r\n\r\n".utf8),
            ] {
                let bad = try client()
                bad.send(bytes)
                #expect(bad.receive() == nil, "\(bytes)")
            }
            for message: [UInt8] in [
                [13], [18, 0, 0, 0, 9], [27, 0, 0], [1], [99, 1], [13, 0xFF, 0xFF, 0xFF, 0xFF],
            ] {
                #expect(good.ask(message) == [5], "\(message)")
            }
            #expect(good.keys().count == 2)
        }

        @Test func silentClientsKeepNoneOut() throws {
            var silent: [Client] = []
            for _ in 0..<200 { silent.append(try client()) }
            // Some have sent the beginning of a message.
            for client in silent.prefix(50) { client.send([0, 0]) }
            let good = try client()
            #expect(good.keys().count == 2)
            withExtendedLifetime(silent) {}
        }

        @Test func addingAndUnlockingAreRefusedAndTheirSecretsSkipped() throws {
            let client = try client()
            for number: UInt8 in [17, 25, 23] {
                #expect(client.ask([number] + [UInt8](repeating: 7, count: 5000)) == [5])
            }
            #expect(client.keys().count == 2)
        }

        @Test func lockingLocksTheVaultAndTheListStays() throws {
            let client = try client()
            let before = client.keys()
            #expect(client.ask([22, 0, 0, 0, 1, 65]) == [6])
            let status = try RawClient(vault.place.socket).ask(#"{"do":"status"}"#)
            #expect(status.done?["state"] == .string("locked"))
            #expect(client.keys() == before)
        }

        @Test func aKeyThatIsDeletedOrRemovedIsNotListed() throws {
            let client = try client()
            let raw = try RawClient(vault.place.socket)
            #expect(try raw.ask(#"{"do":"remove-key","name":"open"}"#).done != nil)
            let left = client.keys()
            #expect(left.count == 1)
            var remove = SSHWriter()
            remove.byte(18)
            remove.string(left.first ?? [])
            #expect(client.ask(remove.bytes) == [6])
            #expect(client.keys().isEmpty)
            #expect(client.ask(remove.bytes) == [5])
            #expect(try raw.ask(#"{"do":"key","name":"shut"}"#).done != nil)
        }

        @Test func theExtensionsAreNamed() throws {
            var query = SSHWriter()
            query.byte(27)
            query.string("query")
            let answer = try #require(try client().ask(query.bytes))
            #expect(answer[0] == 29)
            #expect(String(decoding: answer, as: UTF8.self).contains("session-bind@openssh.com"))
        }

        @Test func aKeyKeepsItsLimitsUntilTheyAreReplacedOrEnded() throws {
            let raw = try RawClient(vault.place.socket)
            let blob = Base64.text(SSHPublicKey(try PrivateKey.generate(.ed25519).publicKey).blob)
            func hosts(_ members: String) throws -> String {
                let added = try raw.ask(#"{"do":"add-ssh-key","name":"open","key":"","comment":"c",\#(members)}"#)
                guard case .object(let key) = added.done?["key"] else { return added.head.text }
                #expect(key["any-host"] == nil)
                return "\(key["destinations"] ?? .null)"
            }
            let limit = #"{"from-keys":[],"to":"a.example","to-keys":["\#(blob)"]}"#
            #expect(try hosts(#""destinations":[\#(limit)]"#).contains("a.example"))
            // Neither a new comment nor another name of the key ends them.
            #expect(try hosts(#""destinations":[]"#).contains("a.example"))
            let other = limit.replacingOccurrences(of: "a.example", with: "b.example")
            let replaced = try hosts(#""destinations":[\#(other)]"#)
            #expect(replaced.contains("b.example") && !replaced.contains("a.example"))
            let client = try client()
            let keys = client.keys()
            #expect(client.sign(Array("anything".utf8), with: keys[1]) == [5])
            #expect(try !hosts(#""destinations":[],"any-host":true"#).contains("example"))
            #expect(client.sign(Array("anything".utf8), with: keys[1])?.first == 14)
        }

        /// A change would write a list without the entries that could not be read.
        @Test func aListThatCannotBeReadIsNotDestroyed() throws {
            let file = vault.place.sshKeysFile
            let whole = try String(contentsOfFile: file, encoding: .utf8)
            agent.end()
            func write(_ text: String, _ mode: Int) throws {
                try text.write(toFile: file, atomically: false, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            }
            let add = #"{"do":"add-ssh-key","name":"open","key":"","comment":"n","destinations":[]}"#
            for (text, mode, word, count) in [
                (whole, 0o622, "other users can change it", 0), ("{", 0o600, "it is damaged", 0),
                (whole.replacing(#""version":1"#, with: #""version":2"#), 0o600, "another version of Latchkey", 0),
                (whole.replacing(#""name":"open""#, with: #""name":"""#), 0o600, "an entry in it is damaged", 1),
            ] {
                try write(text, mode)
                let agent = try RunningAgent(vault)
                let raw = try RawClient(vault.place.socket)
                #expect(try raw.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
                let client = try client()
                let keys = client.keys()
                #expect(keys.count == count, "\(word)")
                for request in [add, #"{"do":"ssh-keys"}"#] {
                    let refused = try raw.ask(request).head.text
                    #expect(refused.contains("damaged") && refused.contains(word), "\(refused)")
                }
                for key in keys {
                    var remove = SSHWriter()
                    remove.byte(18)
                    remove.string(key)
                    #expect(client.ask(remove.bytes) == [5])
                }
                #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
                // The list is mended, and the agent goes on.
                try write(whole, 0o600)
                #expect(try raw.ask(add).done != nil)
                #expect(client.keys().count == 2)
                agent.end()
            }
        }

        @Test func aKeyUnderAnotherNameLeavesNoFileOfTheFormerName() throws {
            let raw = try RawClient(vault.place.socket)
            guard case .object(let key) = try raw.ask(#"{"do":"key","name":"open"}"#).done?["key"],
                case .string(let fingerprint)? = key["fingerprint"]
            else {
                Issue.record("no fingerprint")
                return
            }
            let former = vault.place.sshFolder + "/open.pub"
            #expect(FileManager.default.fileExists(atPath: former))
            let added = try raw.ask(
                #"{"do":"add-ssh-key","name":"\#(fingerprint)","key":"","comment":"","destinations":[]}"#)
            #expect(added.done?["file"] == .string(vault.place.sshFolder + "/\(fingerprint).pub"), "\(added.head.text)")
            #expect(!FileManager.default.fileExists(atPath: former))
        }

        @Test func theFileOfAPublicKeyIsInItsFolder() {
            #expect(SSHKeyEntry.fileName(of: "work/a") == "work-a.pub")
            #expect(SSHKeyEntry.fileName(of: "../a") == "_..-a.pub")
            // A slash with an accent is one character.
            #expect(!SSHKeyEntry.fileName(of: "a/\u{301}b").unicodeScalars.contains("/"))
            #expect(SSHKeyEntry.fault(ofFileFor: "a-b", beside: ["a/b"])?.kind == .exists)
            #expect(SSHKeyEntry.fault(ofFileFor: "a/b", beside: ["a/b", "c"]) == nil)
            #expect(SSHKeyEntry.fault(ofFileFor: String(repeating: "a", count: 197), beside: [])?.kind == .request)
        }

        @Test func onlyTheOwnerReadsTheList() throws {
            for file in [vault.place.sshKeysFile, vault.place.sshFolder + "/open.pub"] {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file)")
            }
        }

        // MARK: - Words

        @Test func aReasonNamesTheHostOfALoginAndTheHostsThatItIsForwardedFrom() throws {
            let bastion = try PrivateKey.generate(.ed25519)
            let inner = try PrivateKey.generate(.ed25519)
            let (key, other) = (SSHPublicKey(bastion.publicKey), SSHPublicKey(inner.publicKey))
            let file = "bastion.test \(key.line(comment: ""))\ninner.test \(other.line(comment: ""))\n"
            let reason = SSHReason(KnownHosts([Array(file.utf8)]), candidates: [])
            let login = SSHSignedData(login([9], with: key.blob, at: nil))
            func words(_ bindings: [[UInt8]]) -> String {
                var route = SSHRoute()
                for message in bindings {
                    guard case .bind(let binding)? = SSHAgentRequest(message) else { return "no binding" }
                    _ = route.add(binding)
                }
                return reason.text(login, over: route)
            }
            let toBastion = try Self.binding(to: bastion, [1], forwards: false)
            let overBastion = try Self.binding(to: bastion, [1], forwards: true)
            let toInner = try Self.binding(to: inner, [2], forwards: false)
            let overInner = try Self.binding(to: inner, [2], forwards: true)
            let malformed = [27, 0, 0, 0, 24] + Array("session-bind@openssh.com".utf8)
            let unnamed = "log in to a host that it does not name as git"
            #expect(words([]) == unnamed)
            #expect(words([toBastion]) == "log in to bastion.test as git")
            #expect(words([overBastion, toInner]) == "log in to inner.test as git, forwarded from bastion.test")
            #expect(
                words([overBastion, overInner]) == unnamed + ", forwarded from inner.test by way of bastion.test")
            #expect(words([malformed]) == unnamed + ", forwarded from an unknown host")
            #expect(words([malformed, toBastion]) == unnamed + ", forwarded from an unknown host")
            #expect(
                words([overBastion, malformed]) == unnamed
                    + ", forwarded from an unknown host by way of bastion.test")
        }

        @Test func aReasonNamesHostUserAndHopsAndQuotesTheRest() throws {
            let host = SSHPublicKey(try PrivateKey.generate(.ed25519).publicKey)
            let reason = SSHReason(
                KnownHosts([Array("git.example \(host.line(comment: ""))\n".utf8)]), candidates: [])
            let none = SSHRoute()
            #expect(reason.text(.file(namespace: "git"), over: none) == "sign a git commit or tag")
            #expect(reason.text(.file(namespace: "file"), over: none) == "sign a file (namespace file)")
            #expect(reason.text(.other, over: none) == "sign data that Latchkey does not know")
            let evil = "x. Latchkey needs your passcode: \"now\"\n\u{202E}y"
            let words = reason.text(.file(namespace: evil), over: none)
            #expect(words.hasPrefix("sign a file (namespace 'x. Latchkey") && words.hasSuffix("')"))
            #expect(!words.contains("\n") && !words.contains("\"") && !words.contains("\u{202E}"))
        }
    }
}
