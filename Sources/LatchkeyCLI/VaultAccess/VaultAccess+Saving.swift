internal import AccessPolicy
internal import AgentProtocol
internal import LinuxSystem

// Checks before the prompt for a secret, so that you never type one that cannot be saved.

extension VaultAccess {
    /// Unlocks the vault if a secret with this policy (nil for the default one) cannot be saved while it is locked. Throws if
    /// replacing a present secret needs a passcode, and none is accepted now.
    func requireSavable(_ name: String, _ policy: ItemPolicy?, isNew: Bool) throws(AgentError) {
        guard user != nil, let status = try? status() else { return }
        let reason = "save \(name)"
        let usual = policy == nil && status.state != .unlocked ? try settings().policy : nil
        if needsUnlock(policy ?? usual, status.state) {
            do throws(AgentError) {
                _ = try client.ask(UnlockCall(bySensor: false), because: reason, of: user)
            } catch { throw withRefusal(error).inCommandWords(for: name) }
        }
        if isNew { return }
        do throws(AgentError) {
            try requirePasscodeAccepted(for: try withoutSuggestions.entry(of: name, because: reason).outlook)
        } catch {
            guard error.kind == .notFound else { throw error }
        }
    }

    /// Throws if the disk of the vault is full. Without a user to prompt, the vault finds out.
    func requireRoom() throws(AgentError) {
        guard user != nil, let folder = try? status().vault, DiskRoom(ofVaultAt: folder)?.isFull == true else { return }
        throw AgentError(
            .vault,
            "no space is left on the disk of \(folder), so nothing can be saved: free 1 MiB there, then try again")
    }

    /// Throws if only a passcode opens a secret with this outlook, and none is accepted now.
    func requirePasscodeAccepted(for outlook: Outlook) throws(AgentError) {
        guard case .denied(let rule, let message, _) = outlook else { return }
        switch rule {
        case Rule.passcodeDelayed.identifier: throw AgentError.passcodeDelayed((try? status())?.delay ?? 0)
        case Rule.passcodeDisabled.identifier: throw AgentError(.wrong, message, rule: rule).inCommandWords()
        default: return
        }
    }

    private func needsUnlock(_ policy: ItemPolicy?, _ state: StatusReport.State) -> Bool {
        switch policy?.protection.keyClass {
        case .whenPasscodeSet, .whenUnlocked, nil: state != .unlocked
        case .afterFirstUnlock: state == .beforeFirstUnlock
        case .always: false
        }
    }
}
