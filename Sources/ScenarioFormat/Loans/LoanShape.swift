internal import LoanRules

extension Format {
    /// The shape of a profile of `latchkey lend`.
    static let loan = Shape.record(
        Shape.Record(
            "a profile",
            [
                Shape.Field(
                    "lend", .text, "the name of the borrower, which prompts and the log have", isRequired: true),
                Shape.Field("sandbox", loanSandbox, "the sandbox around the program"),
                Shape.Field("services", .named(loanService), "what is lent, each service by a name", isRequired: true),
                Shape.Field(
                    "claims", .list(loanClaim), "claims about the services, which `latchkey lend check` proves"),
            ]))

    private static let loanSandbox = Shape.record(
        Shape.Record(
            "a sandbox",
            [
                Shape.Field("work", .text, "the folder that the program may change, beside the profile; default: ."),
                Shape.Field("read", .list(.text), "files and folders that it may read; ~/ is your home folder"),
            ]))

    private static let loanService = Shape.record(
        Shape.Record(
            "a service",
            [
                Shape.Field("item", .text, "the name of the secret", isRequired: true),
                Shape.Field(
                    "policy", .text,
                    "the policy that the secret must have, by the name of its preset, such as presence; default: any"),
                Shape.Field(
                    "http", .text, "the server, as https://HOST or https://HOST:PORT; or one of the six keys after it"),
                Shape.Field("git", .text, "the repository, as https://HOST/PATH.git"),
                Shape.Field("ssh", .text, "a user and a host to log in to, as USER@HOST or USER@HOST:PORT"),
                Shape.Field("otp", .word(called: "answer", ["true"]), "true: one-time codes, made of the secret"),
                Shape.Field("sign", .word(called: "answer", ["true"]), "true: signatures with a key"),
                Shape.Field("decrypt", .word(called: "answer", ["true"]), "true: decryptions with a key"),
                Shape.Field(
                    "release", .word(called: "form", ReleaseForm.allCases.map(\.rawValue)),
                    "gives out the secret itself, for a tool that asks a helper for it"),
                Shape.Field(
                    "as", .text,
                    "how a request carries the secret: bearer, basic USER, sigv4 SERVICE REGION, or a field such as x-api-key; default: bearer, and basic x-access-token for git"
                ),
                Shape.Field(
                    "allow", .list(.text),
                    "the requests, as METHOD /path, or for git: fetch, push REF, update REF, delete REF; * is a part, and ** at the end all that follows",
                ),
                Shape.Field(
                    "lease", loanLease,
                    "what one approval counts for, if the policy of the secret allows that; default: one use"),
                Shape.Field(
                    "set",
                    .either([
                        .word(called: "preset", LoanVariable.presets.map(\.word)),
                        .named(.word(called: "value", LoanVariable.Value.allCases.map(\.rawValue))),
                    ]),
                    "variables for the program: those of a known client, or NAME: url, NAME: url/v1, NAME: placeholder"),
                Shape.Field(
                    "redirects", .word(called: "answer", ["drop", "pass"]),
                    "whether a redirect to another server is passed on, without the secret; default: drop"),
            ]))

    private static let loanClaim = Shape.record(
        Shape.Record(
            "a claim",
            [
                Shape.Field("service", .text, "the name of the service", isRequired: true),
                Shape.Field(
                    "never", .word(called: "aim", ["use"]), "use: nothing is used once the event of \"after\" came"),
                Shape.Field(
                    "after", .word(called: "event", LoanEvent.allCases.map(\.rawValue)),
                    "the event, for never: nothing is used from then on, until the owner approves a use"),
                Shape.Field(
                    "at-most-uses", .number(0...LeaseTerms.someUses.upperBound),
                    "the most uses that one approval counts for"),
                Shape.Field(
                    "ends-within", .number(LeaseTerms.someMinutes),
                    "the minutes after the last approval in which anything is used"),
                Shape.Field(
                    "expect", .word(called: "verdict", ["holds", "fails"]),
                    "fails, for a known weakness; default: holds"),
            ]))

    private static let loanLease = Shape.record(
        Shape.Record(
            "a lease",
            [
                Shape.Field("uses", .number(LeaseTerms.someUses), "the number of uses; default: any number"),
                Shape.Field("minutes", .number(LeaseTerms.someMinutes), "the time; default: 30"),
            ]))
}
