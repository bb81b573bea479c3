import Foundation
import KeyKit
import LatchkeyAgent
import PlainText
import SSHProtocol
import SodiumKit
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
            // The tests have no display that the agent may use.
            if getenv("DISPLAY") == nil && isatty(0) == 0 { #expect(client.sign(data, with: keys[1]) == [5]) }
            #expect(client.sign(data, with: [1, 2, 3]) == [5])
        }

        @Test func garbageEndsOnlyItsOwnConnection() throws {
            let good = try client()
            for bytes: [UInt8] in [
                [0xFF, 0xFF, 0xFF, 0xFF, 11], [0, 0, 0, 0, 0], [0, 4, 0, 1, 11],
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

        @Test func onlyTheOwnerReadsTheList() throws {
            for file in [vault.place.sshKeysFile, vault.place.sshFolder + "/open.pub"] {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file)")
            }
        }

        // MARK: - Words

        @Test func aReasonNamesHostUserAndHopsAndQuotesTheRest() throws {
            let host = SSHPublicKey(try PrivateKey.generate(.ed25519).publicKey)
            let reason = SSHReason(
                KnownHosts([Array("git.example \(host.line(comment: ""))\n".utf8)]), candidates: [])
            let none = SSHRoute()
            #expect(reason.text(.file(namespace: "git"), over: none) == "sign a git commit or tag")
            #expect(reason.text(.file(namespace: "file"), over: none) == "sign a file (namespace file)")
            #expect(reason.text(.unknown, over: none) == "sign data that Latchkey does not know")
            let evil = "x. Latchkey needs your passcode: \"now\"\n\u{202E}y"
            let words = reason.text(.file(namespace: evil), over: none)
            #expect(words.hasPrefix("sign a file (namespace 'x. Latchkey") && words.hasSuffix("')"))
            #expect(!words.contains("\n") && !words.contains("\"") && !words.contains("\u{202E}"))
            for (word, quoted) in [
                ("git", "git"), ("a.b-c_d@e", "a.b-c_d@e"), ("a b", "'a b'"), ("", "''"), ("it's", "'it?s'"),
                ("...", "'...'"),
            ] {
                #expect(SSHReason.quoted(word) == quoted)
            }
        }
    }
}
