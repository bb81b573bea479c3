internal import AccessPolicy
package import DeviceModel

/// A move in a story about a loan. The services have numbers: the one that the story is about has the first.
package enum LoanMove: Hashable, Sendable {
    /// The program makes a request, and no prompt is answered.
    case request(LoanWorld.Request, Int)
    /// The program makes a request, and the owner answers its prompt in this way.
    case approval(LoanWorld.Request, Int, OwnersAnswer)
    /// The owner, or the device, causes this event.
    case event(Event)
    /// The owner ends the loan to a service.
    case end(Int)
    /// Time passes until this moment.
    case wait(until: Int64)

    /// The way in which an owner answers prompts.
    package enum OwnersAnswer: Hashable, Sendable, CaseIterable {
        case finger
        case passcode
    }
}

extension LoanWorld {
    /// Makes a move. Returns the outcome of a request, and for other moves `used` if they did anything.
    package mutating func make(_ move: LoanMove) -> Outcome {
        switch move {
        case .request(let request, let service): return self.request(request, of: service, by: .absent)
        case .approval(let request, let service, let answer):
            return self.request(request, of: service, by: owner(answer))
        case .event(let event): return apply(event) ? .used : .refused
        case .end(let service): return end(service) ? .used : .refused
        case .wait(let time):
            wait(until: time)
            return .used
        }
    }

    /// The owner, who gives one kind of answer to all prompts.
    private func owner(_ answer: LoanMove.OwnersAnswer) -> Person {
        var owner = Person.owner(of: world.device)
        switch answer {
        case .finger: owner.passcode = nil
        case .passcode: owner.fingers = []
        }
        return owner
    }

    /// The moves of a search, always in the same order. Some do nothing.
    ///
    /// Wrong answers and waits are left out: they close and expire what is open, and give nothing new. ``turns`` has the waits.
    var moves: [LoanMove] {
        var moves: [LoanMove] = []
        for service in loans.indices {
            for request in [Request.use, .following, .unsent] {
                moves.append(.request(request, service))
                for answer in LoanMove.OwnersAnswer.allCases { moves.append(.approval(request, service, answer)) }
            }
            moves.append(.end(service))
        }
        let device = world.device
        moves.append(.event(.lock))
        if let code = device.passcode { moves.append(.event(.passcodeEntered(code))) }
        moves.append(.event(.passcodeChanged(Self.passcodes[1])))
        for finger in Self.fingers {
            if device.enrolled.contains(finger) {
                moves += [.event(.presented(finger)), .event(.removed(finger))]
            } else {
                moves.append(.event(.enrolled(finger)))
            }
        }
        return moves
    }
}
