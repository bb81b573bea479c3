import LatchkeyCLI
import Testing

/// The parsing of the prompts of ssh.
@Suite struct AskpassPromptTests {
    @Test(arguments: [
        ("Enter passphrase for key '/home/me/.ssh/id_ed25519': ", AskpassPrompt.key("/home/me/.ssh/id_ed25519")),
        ("Enter passphrase for /home/me/.ssh/id_ed25519: ", .key("/home/me/.ssh/id_ed25519")),
        ("Enter passphrase for /a b (will confirm each use): ", .key("/a b")),
        ("Enter passphrase for \"/a b\": ", .key("/a b")),
        ("Enter passphrase for key 'it's': ", .key("it's")),
        ("Bad passphrase, try again for /a: ", .wrongKey("/a")),
        ("Bad passphrase, try again for /a (will confirm each use): ", .wrongKey("/a")),
        ("me@host.example's password: ", .password("me@host.example")),
        ("me@::1's password:", .password("me@::1")),
        ("(me@host) Password: ", .password("me@host")),
        ("(me@host) Enter passphrase for key '/a': ", nil),
        ("(me@host) you@other's password: ", nil),
        ("(me@host) Verification code: ", nil),
        ("x (me@host) Password: ", nil),
        ("Are you sure you want to continue connecting (yes/no/[fingerprint])? ", nil),
        ("Enter passphrase: ", nil),
        ("Enter passphrase for : ", nil),
        ("host's password: ", nil),
        ("'s password: ", nil),
        ("Enter PIN for ED25519-SK key /a: ", nil),
        ("me@host's password: more", nil),
        ("", nil), (":", nil),
    ]) func areUnderstoodWholeOrNotAtAll(_ prompt: String, _ asked: AskpassPrompt?) {
        #expect(AskpassPrompt(prompt) == asked)
    }
}
