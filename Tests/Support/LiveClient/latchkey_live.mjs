// A client of Latchkey's live protocol, written from docs/live.md alone. It needs node 18 or newer.
// Usage: node latchkey_live.mjs ADDRESS creates a device, enrolls, locks, passes time and prints the decisions.

class LiveDevice {
  constructor(address) { this.address = address; }

  async ask(path, body) {
    const options = body === undefined ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(this.address + path, options);
    const reply = await answer.json();
    if (!answer.ok) throw new Error(reply.error);
    return reply;
  }

  // Yields every event with its name, beginning with the whole history.
  async *events() {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const part of (await fetch(this.address + "events")).body) {
      const events = (rest + decoder.decode(part, { stream: true })).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const [, name, data] = event.match(/^event: (.*)\ndata: (.*)$/) ?? [];
        if (name) yield [name, JSON.parse(data)];
      }
    }
  }
}

const device = new LiveDevice(process.argv[2]);
const events = device.events();
console.log((await events.next()).value[0]);
const begun = await device.ask("device", {
  name: "a device of JavaScript", device: { biometry: "faceID", enrolled: ["me"], lockGrace: "0s" },
  items: { token: { require: "biometryCurrentSet" } },
});
console.log(begun.title, begun.beginning.device.sensor);
await device.ask("steps", [{ enroll: ["twin"] }, "lock", { wait: "1m" }, { unlock: { passcode: "1234" } }, { read: "token" }]);
let last;
for await (const [name, event] of events) {
  if (name !== "step") { console.log(name); continue; }
  console.log(`${event.number}. ${event.words}: ${event.outcome}`);
  last = event;
  if (event.number === 5) break;
}
const rule = last.decisions.at(-1).rules.at(-1);
console.log(`${last.decisions.at(-1).verdict} by ${rule.id}: ${rule.says}; ${last.remedy}; ${last.state.device.clock}`);
await device.ask("steps", { read: "nothing" }).catch((error) => console.log(error.message));
const { answer, steps } = await device.ask("prove", { require: ["biometryAny"], never: "read", against: "passcode-thief" });
console.log(answer, steps.length);
await device.ask("prove", { requires: "biometryAny", never: "read", against: "owner" }).catch((error) => console.log(error.message));
process.exit(0);
