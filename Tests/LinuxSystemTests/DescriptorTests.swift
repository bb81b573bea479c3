import Dispatch
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// Pipes, writes to them, and the process at the other end of a socket.
@Suite struct DescriptorTests {
    @Test func aPipeIsClosedInEveryProgramFromItsBirth() throws {
        let pipe = try Pipe()
        defer { pipe.close() }
        for end in [pipe.reading, pipe.writing] {
            #expect(end > STDERR_FILENO)
            #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(write(pipe.writing, "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(pipe.reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        pipe.doNotBlock()
        #expect(read(pipe.reading, &byte, 1) == -1 && errno == EAGAIN)
    }

    @Test func everythingIsWrittenThoughTheOtherEndIsSlow() throws {
        let pipe = try Pipe()
        defer { close(pipe.reading) }
        pipe.doNotBlock()
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            if bytes.withUnsafeBytes({ Descriptors.write($0, to: pipe.writing) }) { isDone.signal() }
            close(pipe.writing)
        }
        var count = 0
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            var waited = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
            _ = poll(&waited, 1, -1)
            let got = read(pipe.reading, &room, room.count)
            if got == 0 { break }
            if got > 0 { count += got }
        }
        #expect(count == bytes.count)
        #expect(isDone.wait(timeout: .now()) == .success)
        #expect(!bytes.withUnsafeBytes { Descriptors.write($0, to: -1) })
    }

    @Test func theOtherEndOfASocketIsThisProcess() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let peer = try #require(SocketPeer(of: ends[0]))
        #expect(peer.process == getpid() && peer.user == geteuid())
        let pipe = try Pipe()
        defer { pipe.close() }
        #expect(SocketPeer(of: pipe.reading) == nil)
    }

    @Test func signalsAreReadFromADescriptor() throws {
        let awaited = SignalSet([SIGUSR1])
        let former = awaited.hold()
        defer { former.holdOnly() }
        let descriptor = try awaited.descriptor()
        defer { close(descriptor) }
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 0) == 0)
        pthread_kill(pthread_self(), SIGUSR1)
        #expect(poll(&waited, 1, 60_000) == 1)
        var bytes = [UInt8](repeating: 0, count: 128)
        #expect(read(descriptor, &bytes, bytes.count) == 128 && Int32(bytes[0]) == SIGUSR1)
    }

    @Test func aProcessIsWatchedUntilItIsGone() throws {
        var child = Child()
        let pipe = try Pipe()
        defer { close(pipe.reading) }
        child.input = .descriptor(pipe.reading)
        let process = try child.start("/bin/cat", ["cat"], environment: [String]())
        let watched = WatchedProcess(process)
        let isGoneAtOnce = watched.isGone(within: 1)
        #expect(!isGoneAtOnce)
        close(pipe.writing)
        let isGone = watched.isGone(within: 600_000)
        #expect(isGone)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }
}
