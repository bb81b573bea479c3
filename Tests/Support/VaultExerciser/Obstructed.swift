import AccessPolicy
import Dispatch
import Foundation
import SecretVault
import SodiumKit
import Synchronization

// Locks a vault while other threads use it.

extension WipeCanary {
    /// Starts six threads that keep writing, and reports once one of them holds the vault and waits for the file lock.
    func writeFromSixThreads() {
        let (vault, caller) = (vault, caller)
        for number in 0..<6 {
            let new = item("new \(number)", AccessControl(.always))
            Thread.detachNewThread {
                while let secret = try? SecureBytes("new"), (try? vault.add(new, secret: secret, for: caller)) == nil {
                    if !vault.isUnlocked { return }
                }
            }
        }
        // A call that does not return is waiting for the thread that holds the vault.
        while true {
            let answered = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? vault.device
                answered.signal()
            }
            if answered.wait(timeout: .now() + .milliseconds(200)) == .timedOut { break }
        }
        Parent.send("end", RawSpan())
    }

    /// Starts a thread that asks a sensor that never answers, and reports once the sensor was asked.
    func hangAtTheSensor() throws {
        let vault = vault
        let isAsked = DispatchSemaphore(value: 0)
        let list = SensorList(sensor: "one that hangs", names: ["a": "finger"])
        Thread.detachNewThread {
            _ = try? vault.recordEnrollments(list) { _ in
                isAsked.signal()
                while true { sleep(1000) }
            }
        }
        isAsked.wait()
        Parent.send("end", RawSpan())
    }

    /// Locks the device, and reports the result and the milliseconds that it took.
    func lockAtOnce() {
        let start = ContinuousClock.now
        var outcome = "locked"
        do { try vault.lock() } catch { outcome = "failed: \(error)" }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        "\(milliseconds)".utf8.withContiguousStorageIfAvailable { Parent.send(outcome, $0.span.bytes) }
        Parent.send("end", RawSpan())
    }

    /// Reads an item that could be read before, and reports the result.
    func tryToRead() {
        let reference = ItemReference.key(item("plain", AccessControl(.whenUnlocked)).primaryKey)
        do {
            switch try vault.read(reference, for: caller) {
            case .granted: Parent.send("granted", RawSpan())
            case .challenge: Parent.send("challenged", RawSpan())
            case .denied(let denial): Parent.send(denial.rule.identifier, RawSpan())
            }
        } catch {
            Parent.send("\(error)", RawSpan())
        }
    }
}
