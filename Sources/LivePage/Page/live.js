"use strict";
// Shows a device from its history: the one embedded in the page, or else that of the server beside the page. Texts of the device get
// into the page by textContent only.
(() => {
  const byId = (id) => document.getElementById(id);
  let history = null;
  // The number of steps that are shown; null to follow the last one.
  let shown = null;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const replace = (id, children) => byId(id).replaceChildren(...children);
  const list = (id, texts, otherwise) =>
    replace(id, (texts.length ? texts : [otherwise]).map((text) => element("li", text)));

  const stateAt = (count) => {
    for (let place = count - 1; place >= 0; place--) if (history.steps[place].state) return history.steps[place].state;
    return history.beginning;
  };

  // MARK: What there is

  const showDevice = (device, holder) => {
    const isUnlocked = !device.locked && !device.disabled;
    byId("lock").textContent = device.disabled ? "Disabled" : device.locked ? "Locked" : "Unlocked";
    byId("lock-line").className = "bottom-line " + (isUnlocked ? "good" : "bad");
    byId("lock-drawing").setAttribute("class", isUnlocked ? "open" : "shut");
    const yes = (flag) => flag ? "yes" : "no";
    const facts = [
      ["Time", device.clock], ["Holder", holder], ["Sensor", device.sensorWords],
      ["Enrolled", device.enrolled.join(", ") || "nothing"], ["Passcode set", yes(device.passcodeSet)],
      ["First unlock", yes(device.firstUnlock)], ["Passcode required", yes(device.passcodeRequired)],
      ["Biometry locked out", yes(device.lockedOut)], ["Watch", device.companionWords]];
    replace("facts", facts.filter((fact) => fact[1] !== null)
      .flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
    replace("keys", device.classKeys.map((key) => {
      const isOpen = device.openClasses.includes(key.split(" ")[0]);
      return element("li", (isOpen ? "✓ " : "✗ ") + key + (isOpen ? "" : " (closed)"), isOpen ? "" : "closed");
    }));
    list("gates", device.gates, "none");
  };

  const marks = { present: ["✓ stored", "good"], lost: ["✗ invalidated", "bad"], absent: ["– not stored", ""] };

  const showItems = (items) => replace("items", items.length ? items.map((item) => {
    const card = element("li");
    card.append(element("b", item.name), element("span", marks[item.state][0], "tag " + marks[item.state][1]),
      element("small", item.policy));
    for (const wrap of item.wraps) {
      card.append(element("small", `${wrap.way}: needs ${[wrap.classKey, ...wrap.gates].join(" + ")}`));
    }
    return card;
  }) : [element("li", "none")]);

  const showFiles = (files) => {
    byId("files-part").hidden = files.length === 0;
    replace("files", files.map((file) => {
      const card = element("li");
      card.append(element("b", file.name), element("span", file.stored ? "✓ stored" : "– not there", "tag"),
        element("small", file.protection + (file.open ? ", held open" : "")));
      return card;
    }));
  };

  const showLog = (records) => list("log", records.map((record) =>
    [`${record.kind} ${record.action}`, record.item ? `of ${record.item}` : "", record.caller ? `by ${record.caller}` : "",
      record.rules.length ? `(${record.rules[record.rules.length - 1]})` : "", record.count > 1 ? `× ${record.count}` : ""]
      .filter((part) => part).join(" ")), "empty");

  // MARK: Steps

  const reasons = (step) => {
    const details = element("details");
    details.append(element("summary", "Every rule"));
    const rules = element("ul");
    for (const decision of step.decisions) {
      rules.append(element("li", `${decision.about}: ${decision.verdict}` +
        (decision.verdict === "challenged" ? ` for ${decision.ways.join(", or ")}` : "")));
      for (const rule of decision.rules) rules.append(element("li", `${rule.id}: ${rule.says} (${rule.source})`));
    }
    details.append(rules);
    return details;
  };

  const stepElement = (step, count) => {
    const entry = element("li");
    const button = element("button", `${step.number ? step.number + ". " : "meanwhile: "}${step.words}`);
    button.type = "button";
    if (count !== null) button.addEventListener("click", () => show(count));
    const isExpected = step.findings.length === 0;
    entry.append(button, element("small", (step.succeeded ? "✓ " : "✗ ") + step.outcome));
    if (step.reason) entry.append(element("small", "because " + step.reason, "reason"));
    if (step.status || step.error) {
      entry.append(element("small", "the app gets " + [step.status, step.error && "LAError." + step.error].filter((one) => one).join(", ")));
    }
    if (step.prompts.length) entry.append(element("small", "prompts: " + step.prompts.join(", ")));
    if (step.found) entry.append(element("small", "found: " + (step.found.join(", ") || "nothing")));
    if (step.remedy) entry.append(element("small", "to turn it: " + step.remedy));
    for (const finding of step.findings) {
      entry.append(element("small", `not as expected: expected ${finding.expected}, got ${finding.actual}`));
    }
    if (!isExpected) entry.className = "bad";
    if (step.decisions.length) entry.append(reasons(step));
    if (step.meanwhile.length) {
      const inner = element("ul");
      for (const other of step.meanwhile) inner.append(stepElement(other, null));
      entry.append(inner);
    }
    return entry;
  };

  // Marks the step that is shown, and shows the device after it.
  const show = (count) => {
    const last = history.steps.length;
    shown = count === null || count >= last ? null : count;
    const place = shown === null ? last : shown;
    const slider = byId("time");
    slider.max = last;
    slider.value = place;
    slider.disabled = last === 0;
    const step = history.steps[place - 1];
    byId("time-label").textContent = last === 0 ? "No steps yet"
      : step ? `After step ${step.number} of ${history.steps[last - 1].number}: ${step.words}` : "Before the first step";
    slider.setAttribute("aria-valuetext", byId("time-label").textContent);
    for (const [index, entry] of [...byId("steps").children].entries()) {
      if (index === place - 1) {
        entry.setAttribute("aria-current", "step");
        const steps = byId("steps");
        const [top, bottom] = [entry.offsetTop - steps.offsetTop, entry.offsetTop - steps.offsetTop + entry.offsetHeight];
        if (top < steps.scrollTop) steps.scrollTop = top;
        if (bottom > steps.scrollTop + steps.clientHeight) steps.scrollTop = bottom - steps.clientHeight;
      } else {
        entry.removeAttribute("aria-current");
      }
    }
    const state = stateAt(place);
    showDevice(state.device, state.holder);
    showItems(state.items);
    showFiles(state.files);
    showLog(state.log);
    if (history.drives) offer(stateAt(last));
  };

  const begin = (given) => {
    history = given;
    byId("title").textContent = history.title;
    document.title = `Latchkey: ${history.title}`;
    byId("drive").hidden = !history.drives;
    byId("dropped").hidden = history.dropped === 0;
    byId("dropped").textContent = `${history.dropped} earlier steps are no longer kept.`;
    replace("steps", history.steps.map((step, place) => stepElement(step, place + 1)));
    show(null);
  };

  const add = (step) => {
    history.steps.push(step);
    byId("steps").append(stepElement(step, history.steps.length));
    show(shown);
  };

  // MARK: Driving

  // Fills a choice, and keeps what was chosen.
  const fill = (select, words) => {
    if (select.options.length === words.length && words.every((word, place) => select.options[place].value === word)) return;
    const chosen = select.value;
    select.replaceChildren(...words.map((word) => element("option", word)));
    if (words.includes(chosen)) select.value = chosen;
  };

  const offer = (state) => {
    fill(byId("by"), state.people);
    fill(byId("item"), state.items.map((item) => item.name));
    byId("fingers").replaceChildren(...state.device.enrolled.map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    }));
  };

  const play = async (step) => {
    let mistake = "";
    try {
      const answer = await fetch("steps", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: typeof step === "string" ? step : JSON.stringify(step),
      });
      if (!answer.ok) mistake = (await answer.json()).error;
      else shown = null;
    } catch {
      mistake = "The server does not answer: start it again, and open the new address.";
    }
    byId("mistake").textContent = mistake;
    byId("mistake").hidden = mistake === "";
  };

  const value = (id) => byId(id).value;
  const actions = [
    ["Lock", () => ({ lock: null })],
    ["Unlock with the passcode", () => ({ unlock: { passcode: value("passcode") } })],
    ["Show the finger or face", () => ({ unlock: { finger: value("finger") } })],
    ["Enroll it", () => ({ enroll: [value("finger")] })],
    ["Remove it", () => ({ remove: [value("finger")] })],
    ["Restart", () => ({ reboot: null })],
    ["Wait", () => ({ wait: value("span") })],
    ["Give the device to this person", () => ({ hold: value("by") })],
    ["Read the item", () => ({ read: value("item"), by: value("by") })],
  ];

  for (const [title, step] of actions) {
    const button = element("button", title);
    button.type = "button";
    button.addEventListener("click", () => play(step()));
    byId("buttons").append(button);
  }
  byId("own").addEventListener("submit", (event) => {
    event.preventDefault();
    play(value("text"));
  });
  byId("time").addEventListener("input", () => show(Number(value("time"))));

  // MARK: Beginning

  // The call of the playground, for scripts and tests: the server proves the claim on the engine that decides for the device.
  const prove = async (claim) => {
    const answer = await fetch("prove", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(claim),
    });
    const reply = await answer.json();
    if (!answer.ok) throw new Error(reply.error);
    return reply;
  };

  const embedded = byId("embedded");
  if (embedded) {
    byId("connection").textContent = "A picture of the device as it was when this file was written.";
    begin({ ...JSON.parse(embedded.textContent), drives: false });
    return;
  }
  window.latchkey = { prove };
  const events = new EventSource("events");
  events.addEventListener("open", () => { byId("connection").textContent = "Connected: the page shows what happens."; });
  events.addEventListener("error", () => {
    byId("connection").textContent = "The server does not answer. What you see is what was last known.";
  });
  events.addEventListener("history", (event) => begin(JSON.parse(event.data)));
  events.addEventListener("step", (event) => add(JSON.parse(event.data)));
})();
