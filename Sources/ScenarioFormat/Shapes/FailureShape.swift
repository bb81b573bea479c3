internal import AccessPolicy

extension Format {
    /// The step that lets something fail, which the device itself never would.
    static let failures: [Shape.Action] = [
        .init(
            .init(
                "fail", .record(failure),
                "lets a call, a prompt or the sensor fail; with `times`, as many of them in turn"))
    ]

    private static let failure = Shape.Record(
        "a failure", [],
        actions: [
            .init(
                .init(
                    "call", .word(called: "request", Vocabulary.requests.map(\.0)),
                    "the next call of this kind fails, without effect, before anything is decided"),
                with: [
                    Shape.Field(
                        "status", .word(called: "failing status", Vocabulary.failingStatuses.map(\.0)),
                        "the OSStatus that it returns",
                        isRequired: true)
                ]),
            .init(
                .init(
                    "prompt", Vocabulary.shape("ending", Vocabulary.promptEndings),
                    "the next prompt ends before it is answered: the user dismisses it, or the system or the app cancels it"
                )),
            .init(
                .init(
                    "sensor", Vocabulary.shape("state of a sensor", Vocabulary.sensorStates),
                    "the sensor gives no answer from now on, or answers again")),
        ], says: "what fails")
}
