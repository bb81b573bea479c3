import AccessPolicy
import DeviceModel
import Glibc
import SecretVault
import SodiumKit
import Synchronization

/// A process of an ordinary user that may lock little memory.
enum LockCanary {
    /// Limits the memory that the process may lock. The superuser has no such limit, so the process gives up its
    /// rights.
    private static func limit(to bytes: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        guard setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { exit(2) }
        if getuid() == 0 { guard setuid(65534) == 0 else { exit(3) } }
    }

    /// Allocates blocks of this size until there is no more memory.
    private static func everything(_ size: Int) -> [DeviceUser] {
        var held: [DeviceUser] = []
        while let bytes = try? SecureBytes(count: size) { held.append(DeviceUser(bytes)) }
        return held
    }

    /// Fills locked memory up to the limit, and prints the result.
    static func blocks(_ bytes: UInt64) throws {
        limit(to: bytes)
        var blocks: [DeviceUser] = []
        do {
            while blocks.count < 1000 { blocks.append(DeviceUser(try SecureBytes(count: 64 * 1024))) }
            print("no limit")
        } catch {
            print("\(blocks.count) blocks, then \(error)")
            guard blocks.popLast() != nil else { return }
            _ = try SecureBytes(count: 64 * 1024)
            print("again")
        }
    }

    /// Fills locked memory with the smallest blocks, frees them in random order, and allocates large ones.
    static func scattered(_ bytes: UInt64) throws {
        limit(to: bytes)
        print("capacity \(LockedMemory.capacity)")
        var keys = everything(Key.count)
        print(keys.count == Int(bytes) / Key.count ? "full of keys" : "\(keys.count) keys")
        keys.shuffle()
        keys.removeAll()
        print("\(everything(SecureBytes.largestLocked).count) blocks again")
    }

    /// Uses the reserve once no other memory is left.
    static func reserve(_ bytes: UInt64) throws {
        limit(to: bytes)
        let reserve = try SecureReserve(bytes: 4096)
        var held = everything(Key.count)
        if (try? Key.random()) == nil { print("nothing is left") }
        var lent = try reserve.lend { try keys(100) }
        print("lent \(lent.count) keys")
        if (try? reserve.lend { try keys(29) }) == nil { print("and no more than is set aside") }
        if (try? reserve.fill()) == nil { print("cannot be filled") }
        lent.removeAll()
        held.removeLast(4096 / Key.count)
        try reserve.fill()
        held += everything(Key.count)
        lent = try reserve.lend { try keys(100) }
        print("filled, and lent \(lent.count) keys")
        lent.removeAll()
        held.removeAll()
        try reserve.fill()
        print(everything(4096).count == Int(bytes) / 4096 - 1 ? "all memory came back" : "some memory is lost")
    }

    private static func keys(_ count: Int) throws -> [DeviceUser] {
        try (0..<count).map { _ in DeviceUser(try SecureBytes(count: Key.count)) }
    }

    private static func item(_ account: String) -> ItemDescription {
        ItemDescription(.genericPassword, ["acct": .string(account)], AccessControl(.whenUnlocked), group: "app")
    }

    /// Runs operations on a vault while it has no locked memory left, before and right after a commit.
    static func commit(at path: String, _ bytes: UInt64) throws {
        limit(to: bytes)
        let passcode = try SecureBytes("1234")
        let next = try SecureBytes("5678")
        let vault = try Vault.create(at: path, .simulated(), passcode: passcode).vault
        let caller = Caller("app", groups: ["app"])
        let moment = Mutex<(at: TransactionMoment, comes: Int)?>(nil)
        let held = Mutex<[DeviceUser]>([])
        try vault.observeTransactions { now in
            let isThen = moment.withLock { moment in
                guard moment?.at == now else { return false }
                moment?.comes -= 1
                return moment?.comes == 0
            }
            if isThen { held.withLock { $0 = everything(Key.count) } }
        }
        /// Prints the result of `body` if all memory is taken at this moment of a transaction, the first or a later
        /// time. The memory is freed afterwards.
        func exhausting(_ at: TransactionMoment, time: Int = 1, _ name: String, _ body: () throws -> Bool) {
            moment.withLock { $0 = (at, time) }
            var said: String
            do { said = try body() ? "done" : "not done" } catch { said = "\(error)" }
            moment.withLock { $0 = nil }
            let count = held.withLock { held in
                defer { held.removeAll() }
                return held.count
            }
            if said.hasPrefix("keys must not be swapped out") { said = "no memory" }
            print("\(name): \(said)\(count == 0 ? ", and memory was never short" : "")")
        }
        for (place, at) in [TransactionMoment.began, .ended].enumerated() {
            exhausting(at, "add") {
                try vault.add(item("\(place)"), secret: SecureBytes("s3cret"), for: caller).isGranted
            }
            exhausting(at, "enroll") { try vault.apply(.enrolled(Finger.numbered(UInt8(place)))).refusal == nil }
        }
        let context = try vault.makeContext()
        exhausting(.committedWithTwoKeys, "enter the passcode") {
            try vault.enter(passcode: passcode, in: context).authenticated(.passcode)
        }
        // Three transactions: the attempt is recorded, the present passcode is checked, and then the new one is set.
        for (at, time) in [(TransactionMoment.began, 1), (.began, 2), (.began, 3), (.committedWithTwoKeys, 2)] {
            exhausting(at, time: time, "change the passcode") {
                try vault.changePasscode(from: passcode, to: next).refusal == nil
            }
        }
        print(vault.hasClosedItself ? "closed" : "open")
        print("opens: \(try vault.enter(passcode: next).authenticated(.passcode))")
        print("findings: \(try vault.verify().findings.count) of \(try vault.verify().items)")
        print(try vault.add(item("after"), secret: SecureBytes("s3cret"), for: caller).isGranted)
    }
}
