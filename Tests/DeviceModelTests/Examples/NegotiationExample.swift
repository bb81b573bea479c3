import AccessPolicy
import DeviceModel
import Testing

/// The example in the documentation of `Negotiation`, with checks that its driver prompts and answers as it should.
@Suite struct NegotiationExample {
    @Test func theDriverPromptsUntilThereIsAnAnswer() throws {
        func answer(
            _ start: Request, under conditions: Conditions, prompt: (Factor) -> Sheet.Result
        ) -> Decision {
            var request = start
            var negotiation = Negotiation(sensor: .touchID)
            while true {
                switch negotiation.step {
                case .decide:
                    negotiation.record(decide(request, under: conditions), on: request, under: conditions)
                case .tryOwnPassword: negotiation.record(ownPassword: .none)
                case .askPermission: negotiation.record(permission: .answered)
                case .ask(let factor):
                    let result = prompt(factor)
                    if result == .authenticated { request.context.add(Evidence(factor, under: conditions)) }
                    negotiation.record(result)
                case .over(let rule): negotiation.fail(Denial(rule, under: conditions))
                case .answer(let decision): return decision
                }
            }
        }

        let conditions = Conditions()
        let policy = try AccessControl(protection: .whenUnlocked, flags: [.biometryAny, .or, .devicePasscode])
        let request = Request(.readData, Item(policy, binding: conditions.binding))
        var prompts: [Factor] = []
        let granted = answer(request, under: conditions) { factor in
            prompts.append(factor)
            return factor == .passcode ? .authenticated : .wrong
        }
        #expect(prompts == [.biometry, .biometry, .biometry, .passcode] && granted.isGranted)
        let denied = answer(request, under: conditions) { _ in .ended(.sheetCanceled) }
        #expect(denied.denial?.rule == .sheetCanceled)
    }
}
