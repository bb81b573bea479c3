import Testing

/// A model of how an erase key is replaced, small enough to try everything. Two processes replace it, and one opens the
/// vault and writes to it, in every order. Each may end at any step, and the power may fail once at any moment.
///
/// The steps are those of the code. If the code does several things that no other process can tell apart (counting
/// commits, checkpoints, beginning a transaction under the lock), the model has one step or none for them. Reading the
/// two slots without the lock is three steps, because the code looks at both before it takes either key. A process that
/// closes properly may fold the log into the database; the model leaves the log as it is, which is worse.
@Suite struct EraseKeyModelTests {
    /// The protocol as it is, or with a part left out, which the model has to notice.
    enum Variant: CaseIterable {
        case asWritten
        /// The old slot is overwritten before the commit.
        case overwritesFirst
        /// A process that opens the vault and finds two keys repairs it at once.
        case repairsWithoutLock
        /// A process that opens the vault calls it damaged by what it sees without the lock.
        case checksWithoutLock
        /// A key is retired because of what is visible in the log.
        case settlesWithoutCommit
        /// A commit that destroys nothing seals the keybag under the newest key, whichever key it was under.
        case notesUnderNewest
        /// The change is acknowledged before the overwritten slot is on the disk.
        case acknowledgesBeforeSync
    }

    struct Slot: Hashable {
        var key: UInt8 = 0
        var sequence: UInt8 = 0
    }

    struct Bag: Hashable {
        var version: UInt8
        var key: UInt8
    }

    enum Step: UInt8 {
        case attach
        // Replacing the key.
        case lock, check, add, synchronizeAdded, overwriteEarly, beginFrames, endFrames, synchronizeLog, index
        case retire, synchronizeRetired, unlock, acknowledge, checkAfterFailure, unlockAfterFailure
        // Opening the vault.
        case readFirst, readSecond, takeKeys, readBag, lockToRead, readLocked, unlockRead
        // Recording something that destroys nothing, such as a passcode attempt, once the vault is open.
        case lockToNote, beginNote, endNote, synchronizeNote, indexNote, unlockNote
        // Completing a change that another process left.
        case settleBegin, settleEnd, settleSynchronize, settleIndex, settleRetire, settleSynchronizeRetired
        case done, dead
    }

    struct Process: Hashable {
        var step = Step.attach
        var afterSettling = Step.done
        /// The slot to keep while a change is completed.
        var kept: UInt8 = 0
        /// The first and second look at the slots without the lock.
        var first = Slot()
        var second = Slot()
        /// The change that was acknowledged when this process began to read.
        var acknowledged: UInt8 = 0

        var isAttached: Bool { step != .attach && step != .done && step != .dead }
    }

    struct State: Hashable {
        /// The device file as processes see it, and as a power failure may leave it.
        var slots = [Slot(key: 1, sequence: 1), Slot()]
        var durableSlots = [Slot(key: 1, sequence: 1), Slot()]
        /// The keybag that processes with the log open see; a whole commit behind it that they do not see; one that was
        /// overwritten and is not on the disk yet; and the one that is certainly on the disk.
        var seen = Bag(version: 1, key: 1)
        var tail: Bag?
        var stale: Bag?
        var durable = Bag(version: 1, key: 1)
        var holder: UInt8?
        var processes = [Process(), Process(), Process()]
        var acknowledged: UInt8 = 1
        /// The version that each key seals, by the number of the key.
        var sealed: [UInt8] = [0, 1, 0, 0]
        var hasLostPower = false
        var fault: String?
    }

    static let opener = 2

    struct Model {
        let variant: Variant

        /// Returns every state that can follow.
        func successors(_ state: State) -> [State] {
            var next: [State] = []
            for process in state.processes.indices {
                let step = state.processes[process].step
                if step == .done || step == .dead { continue }
                next += advance(process, state)
                if step != .attach { next.append(end(process, state)) }
            }
            if !state.hasLostPower { next += powerLosses(state) }
            return next
        }

        /// Ends a process, which releases the lock and the log.
        func end(_ process: Int, _ state: State) -> State {
            var next = state
            next.processes[process] = Process(step: .dead)
            if next.holder == UInt8(process) { next.holder = nil }
            return next
        }

        /// Returns the states after a power failure. Each write that was not synchronized may be there or not,
        /// independently.
        func powerLosses(_ state: State) -> [State] {
            var next: Set<State> = []
            for first in [state.slots[0], state.durableSlots[0]] {
                for second in [state.slots[1], state.durableSlots[1]] {
                    for bag in [state.durable, state.seen, state.tail, state.stale] {
                        guard let bag else { continue }
                        var after = state
                        after.hasLostPower = true
                        after.slots = [first, second]
                        after.durableSlots = after.slots
                        (after.seen, after.durable, after.tail, after.stale) = (bag, bag, nil, nil)
                        after.holder = nil
                        for process in after.processes.indices { after.processes[process] = Process(step: .dead) }
                        after.processes[EraseKeyModelTests.opener] = Process()
                        next.insert(after)
                    }
                }
            }
            return Array(next)
        }

        private func newest(_ state: State) -> Int { state.slots[0].sequence > state.slots[1].sequence ? 0 : 1 }
        private func hasTwo(_ state: State) -> Bool { state.slots.allSatisfy { $0.key != 0 } }

        /// Finds the key that opens the keybag. If there are two keys, completes the change first, then continues with
        /// `next`.
        private func read(_ process: Int, _ state: inout State, then next: Step) {
            guard let place = state.slots.firstIndex(where: { $0.key == state.seen.key }) else {
                state.fault = "no key opens the keybag"
                state.processes[process].step = .done
                return
            }
            guard hasTwo(state) else {
                state.processes[process].step = next
                return
            }
            state.processes[process].kept = UInt8(place)
            state.processes[process].afterSettling = next
            state.processes[process].step = variant == .settlesWithoutCommit ? .settleRetire : .settleBegin
        }

        private func synchronizeLog(_ state: inout State) {
            if let tail = state.tail { state.durable = tail }
            state.stale = nil
        }

        private func beginFrames(_ state: inout State) {
            if state.tail != nil { state.stale = state.tail }
            state.tail = nil
        }

        private func index(_ state: inout State) {
            if let tail = state.tail { state.seen = tail }
            state.tail = nil
        }

        /// Returns the states after the next step of a process; several if a call may fail.
        func advance(_ process: Int, _ state: State) -> [State] {
            var next = state
            let own = state.processes[process]
            func go(_ step: Step) -> [State] {
                next.processes[process].step = step
                return [next]
            }
            let newKey = UInt8(process + 2)
            switch own.step {
            case .attach:
                // The first process to open the log accepts every whole commit in it.
                if !state.processes.contains(where: \.isAttached) { index(&next) }
                next.processes[process].acknowledged = state.acknowledged
                return go(process == EraseKeyModelTests.opener ? .readFirst : .lock)

            case .lock, .lockToRead:
                guard state.holder == nil else { return [] }
                next.holder = UInt8(process)
                return go(own.step == .lock ? .check : .readLocked)
            case .check:
                if hasTwo(state) {
                    read(process, &next, then: .add)
                    return [next]
                }
                return go(.add)
            case .add:
                guard let spare = state.slots.firstIndex(where: { $0.key == 0 }) else {
                    next.fault = "both erase keys are in use"
                    return go(.done)
                }
                let sequence = (state.slots.map(\.sequence).max() ?? 0) + 1
                next.slots[spare] = Slot(key: newKey, sequence: sequence)
                next.sealed[Int(newKey)] = state.seen.version + 1
                return go(.synchronizeAdded)
            case .synchronizeAdded:
                next.durableSlots = state.slots
                return go(variant == .overwritesFirst ? .overwriteEarly : .beginFrames)
            case .overwriteEarly:
                next.slots[1 - newest(state)] = Slot()
                next.durableSlots = next.slots
                return go(.beginFrames)
            case .beginFrames:
                beginFrames(&next)
                return go(.endFrames)
            case .endFrames:
                next.tail = Bag(version: state.seen.version + 1, key: newKey)
                return go(.synchronizeLog)
            case .synchronizeLog:
                var failed = state
                failed.processes[process].step = .checkAfterFailure
                synchronizeLog(&next)
                return go(.index) + [failed]
            case .index:
                index(&next)
                return go(.retire)
            case .retire:
                if hasTwo(state) { next.slots[1 - newest(state)] = Slot() }
                return go(variant == .acknowledgesBeforeSync ? .unlock : .synchronizeRetired)
            case .synchronizeRetired:
                next.durableSlots = state.slots
                return go(.unlock)
            case .unlock:
                next.holder = nil
                return go(.acknowledge)
            case .acknowledge:
                next.acknowledged = max(state.acknowledged, state.sealed[Int(newKey)])
                return go(.done)
            case .checkAfterFailure:
                read(process, &next, then: .unlockAfterFailure)
                return [next]
            case .unlockAfterFailure, .unlockNote:
                next.holder = nil
                return go(.done)
            case .unlockRead:
                next.holder = nil
                return go(.lockToNote)

            case .lockToNote:
                guard state.holder == nil else { return [] }
                next.holder = UInt8(process)
                return go(.beginNote)
            case .beginNote:
                beginFrames(&next)
                return go(.endNote)
            case .endNote:
                let key = variant == .notesUnderNewest ? state.slots[newest(state)].key : state.seen.key
                next.tail = Bag(version: state.seen.version, key: key)
                return go(.synchronizeNote)
            case .synchronizeNote:
                synchronizeLog(&next)
                var failed = state
                failed.processes[process].step = .unlockAfterFailure
                return go(.indexNote) + [failed]
            case .indexNote:
                index(&next)
                return go(.unlockNote)

            case .readFirst:
                next.processes[process].first = state.slots[0]
                return go(.readSecond)
            case .readSecond:
                next.processes[process].second = state.slots[1]
                return go(.takeKeys)
            case .takeKeys:
                // Each slot that had a key is read again for the key itself.
                if own.first.key != 0 { next.processes[process].first = state.slots[0] }
                if own.second.key != 0 { next.processes[process].second = state.slots[1] }
                return go(.readBag)
            case .readBag:
                let keys = [own.first.key, own.second.key].filter { $0 != 0 }
                if keys == [state.seen.key] { return finish(process, next, at: .lockToNote) }
                switch variant {
                case .checksWithoutLock where !keys.contains(state.seen.key):
                    next.fault = "damage was seen that is none"
                    return go(.done)
                case .repairsWithoutLock where keys.contains(state.seen.key) && keys.count == 2:
                    next.processes[process].kept = own.first.key == state.seen.key ? 0 : 1
                    next.processes[process].afterSettling = .done
                    return go(.settleRetire)
                default: return go(.lockToRead)
                }
            case .readLocked:
                read(process, &next, then: .unlockRead)
                return finish(process, next, at: nil)

            case .settleBegin:
                beginFrames(&next)
                return go(.settleEnd)
            case .settleEnd:
                next.tail = state.seen
                return go(.settleSynchronize)
            case .settleSynchronize:
                var failed = state
                failed.processes[process].step = .unlockAfterFailure
                synchronizeLog(&next)
                return go(.settleIndex) + [failed]
            case .settleIndex:
                index(&next)
                return go(.settleRetire)
            case .settleRetire:
                next.slots[1 - Int(own.kept)] = Slot()
                return go(.settleSynchronizeRetired)
            case .settleSynchronizeRetired:
                next.durableSlots = state.slots
                return go(own.afterSettling)
            case .done, .dead: return []
            }
        }

        /// Finishes reading. The keybag must not be older than what was acknowledged when the process began.
        private func finish(_ process: Int, _ state: State, at step: Step?) -> [State] {
            var next = state
            if let step { next.processes[process].step = step }
            if state.fault == nil, state.seen.version < state.processes[process].acknowledged {
                next.fault = "a keybag from before an acknowledged change was opened"
            }
            return [next]
        }

        /// Returns the fault in this state; nil if there is none.
        func fault(_ state: State) -> String? {
            if let fault = state.fault { return fault }
            for slot in state.slots + state.durableSlots
            where slot.key != 0 && state.sealed[Int(slot.key)] < state.acknowledged {
                return "an erase key from before an acknowledged change is left"
            }
            // Every process ends, and then one opens the vault alone.
            var alone = state
            for process in state.processes.indices { alone = end(process, alone) }
            alone.processes[EraseKeyModelTests.opener] = Process()
            let isOpen: Set<Step> = [.lockToNote, .done]
            while !isOpen.contains(alone.processes[EraseKeyModelTests.opener].step) {
                guard let next = advance(EraseKeyModelTests.opener, alone).first else { return "the opener is stuck" }
                alone = next
                if let fault = alone.fault { return "opening alone: \(fault)" }
            }
            guard alone.seen.version >= state.acknowledged else { return "an acknowledged change is gone" }
            guard alone.slots.contains(where: { $0.key == alone.seen.key }) else { return "the key was retired" }
            return nil
        }
    }

    /// Searches every state that can be reached while there is no fault. Returns the number of states and the first
    /// fault.
    private func search(_ variant: Variant) -> (states: Int, fault: String?) {
        let model = Model(variant: variant)
        var seen: Set<State> = [State()]
        var front = [State()]
        while !front.isEmpty {
            var following: [State] = []
            for state in front {
                if let fault = model.fault(state) { return (seen.count, fault) }
                for next in model.successors(state) where seen.insert(next).inserted { following.append(next) }
            }
            front = following
        }
        return (seen.count, nil)
    }

    @Test(.timeLimit(.minutes(20))) func theVaultIsNeverLostAndWhatIsDestroyedStaysSo() {
        let result = search(.asWritten)
        #expect(result.fault == nil)
        #expect(result.states > 10_000)
        print("replacing an erase key: \(result.states) states")
    }

    @Test(arguments: Variant.allCases.filter { $0 != .asWritten }) func whatIsLeftOutIsNoticed(_ variant: Variant) {
        let result = search(variant)
        #expect(result.fault != nil)
        print("\(variant) is noticed after \(result.states) states: \(result.fault ?? "")")
    }
}
