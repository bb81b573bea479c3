"use strict";
// Shows a device from its history: the one embedded in the page, or else that of the server beside the page. Texts of the device get
// into the page by textContent only.
(() => {
  const byId = (id) => document.getElementById(id);
  let history = null;
  // The number of steps that are shown; null to follow the last one.
  let shown = null;

  const value = (id) => byId(id).value;
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const replace = (id, children) => byId(id).replaceChildren(...children);
  // The parts of the page that show its only device, or those of a panel that shows one of several.
  const panelParts = (panel) => (name) => panel.querySelector(`[data-part=${name}]`);
  const fill = (parent, children) => parent.replaceChildren(...children);
  const list = (parent, texts, otherwise) =>
    fill(parent, (texts.length ? texts : [otherwise]).map((text) => element("li", text)));

  const stateAt = (count) => {
    for (let place = count - 1; place >= 0; place--) if (history.steps[place].state) return history.steps[place].state;
    return history.beginning;
  };

  // MARK: What there is

  const showDevice = (part, device, holder) => {
    const isUnlocked = !device.locked && !device.disabled;
    part("lock").textContent = device.disabled ? "Disabled" : device.locked ? "Locked" : "Unlocked";
    part("lock-line").className = "bottom-line " + (isUnlocked ? "good" : "bad");
    part("lock-drawing").setAttribute("class", isUnlocked ? "open" : "shut");
    const yes = (flag) => flag ? "yes" : "no";
    const facts = [
      ["Time", device.clock], ["Holder", holder], ["Sensor", device.sensorWords],
      ["Enrolled", device.enrolled.join(", ") || "nothing"], ["Passcode set", yes(device.passcodeSet)],
      ["First unlock", yes(device.firstUnlock)], ["Passcode required", yes(device.passcodeRequired)],
      ["Biometry locked out", yes(device.lockedOut)], ["Watch", device.companionWords]];
    fill(part("facts"), facts.filter((fact) => fact[1] !== null)
      .flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
    fill(part("keys"), device.classKeys.map((key) => {
      const isOpen = device.openClasses.includes(key.split(" ")[0]);
      return element("li", (isOpen ? "✓ " : "✗ ") + key + (isOpen ? "" : " (closed)"), isOpen ? "" : "closed");
    }));
    list(part("gates"), device.gates, "none");
  };

  const marks = { present: ["✓ stored", "good"], lost: ["✗ invalidated", "bad"], absent: ["– not stored", ""] };

  const showItems = (part, items) => fill(part("items"), items.length ? items.map((item) => {
    const card = element("li");
    card.append(element("b", item.name), element("span", marks[item.state][0], "tag " + marks[item.state][1]),
      element("small", item.policy));
    for (const wrap of item.wraps) {
      card.append(element("small", `${wrap.way}: needs ${[wrap.classKey, ...wrap.gates].join(" + ")}`));
    }
    return card;
  }) : [element("li", "none")]);

  const showFiles = (part, files) => {
    part("files-part").hidden = files.length === 0;
    fill(part("files"), files.map((file) => {
      const card = element("li");
      card.append(element("b", file.name), element("span", file.stored ? "✓ stored" : "– not there", "tag"),
        element("small", file.protection + (file.open ? ", held open" : "")));
      return card;
    }));
  };

  const showLog = (part, records) => list(part("log"), records.map((record) =>
    [`${record.kind} ${record.action}`, record.item ? `of ${record.item}` : "", record.caller ? `by ${record.caller}` : "",
      record.rules.length ? `(${record.rules[record.rules.length - 1]})` : "", record.count > 1 ? `× ${record.count}` : ""]
      .filter((part) => part).join(" ")), "empty");

  const showState = (part, state) => {
    showDevice(part, state.device, state.holder);
    showItems(part, state.items);
    showFiles(part, state.files);
    showLog(part, state.log);
  };

  // MARK: An account

  const devicesOf = (state) => [state, ...state.others];

  const movement = (one) => `${one.moved ? "✓" : "–"} ${one.item === null ? "" : one.item + ": "}${one.rule.says} [${one.rule.id}]` +
    (one.remedy ? `; to turn it: ${one.remedy}` : "");

  const trusts = { inCircle: ["✓ in the circle", "good"], notInCircle: ["✗ not in the circle", "bad"],
    noCircle: ["– no circle", ""], noAccount: ["✗ signed out", "bad"] };

  const memberElement = (member) => {
    const card = element("li");
    card.append(element("b", member.name), element("span", trusts[member.trust][0], "tag " + trusts[member.trust][1]));
    const tags = [[member.signedIn && !member.listed, "removed from the account"], [member.offline, "offline"],
      [member.signedIn && !member.syncsPasswords, "passwords do not sync"], [member.waits, "items wait for an unlock"]];
    for (const [isSo, words] of tags) if (isSo) card.append(element("span", words, "tag bad"));
    const facts = [member.signedIn ? "signed in" : "", member.offline ? "" : "online", member.signedIn && member.syncsPasswords ? "passwords sync" : "",
      member.escrowTries === null ? "no record under its passcode" : `${member.escrowTries} tries left for its passcode`];
    card.append(element("small", facts.filter((fact) => fact).join(", ")));
    return card;
  };

  const showAccount = (state, step) => {
    const { circle, recoveryKey, items, members } = state.account;
    byId("account").textContent = [circle ? "The account has a circle" : "The account has no circle",
      recoveryKey ? "a recovery key is set" : "no recovery key is set", `${items} synced ${items === 1 ? "item" : "items"}`].join("; ") + ".";
    replace("members", members.map(memberElement));
    const states = devicesOf(state);
    const panels = byId("devices");
    if (panels.children.length !== states.length) {
      fill(panels, states.map(() => byId("panel").content.firstElementChild.cloneNode(true)));
    }
    for (const [place, one] of states.entries()) {
      const panel = panels.children[place];
      const part = panelParts(panel);
      panel.querySelector("h2").textContent = one.name;
      panel.setAttribute("aria-label", one.name);
      if (step && step.device === one.name) panel.setAttribute("aria-current", "true");
      else panel.removeAttribute("aria-current");
      const moves = step ? step.movements.filter((move) => move.device === one.name) : [];
      part("moves-part").hidden = moves.length === 0;
      list(part("moves"), moves.map(movement), "");
      showState(part, one);
    }
  };

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
    if (step.device) entry.prepend(element("span", step.device, "tag device"));
    for (const move of step.movements) entry.append(element("small", `${move.device}: ${movement(move)}`, "movement"));
    for (const met of step.met) entry.append(element("small", "✓ as expected: " + met, "met"));
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
    // The words of a step have its device if the step names one.
    const where = step && step.device && !step.words.includes(` on ${step.device}`) ? `, on ${step.device}` : "";
    byId("time-label").textContent = last === 0 ? "No steps yet"
      : step ? `After step ${step.number} of ${history.steps[last - 1].number}${where}: ${step.words}` : "Before the first step";
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
    if (state.account) showAccount(state, step);
    else showState(byId, state);
    if (history.drives) offer(stateAt(last));
  };

  const begin = (given) => {
    history = given;
    byId("title").textContent = history.title;
    document.title = `Latchkey: ${history.title}`;
    byId("drive").hidden = !history.drives;
    const hasAccount = history.beginning.account !== null;
    document.body.classList.toggle("account", hasAccount);
    for (const id of ["account-part", "account-buttons", "on-part", "other-part"]) byId(id).hidden = !hasAccount;
    for (const id of ["device-part", "items-part", "log-part"]) byId(id).hidden = hasAccount;
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
  const offerWords = (select, words) => {
    if (select.options.length === words.length && words.every((word, place) => select.options[place].value === word)) return;
    const chosen = select.value;
    select.replaceChildren(...words.map((word) => element("option", word)));
    if (words.includes(chosen)) select.value = chosen;
  };

  const offer = (state) => {
    const states = devicesOf(state);
    const names = state.account ? states.map((one) => one.name) : [];
    offerWords(byId("on"), names);
    offerWords(byId("other"), names);
    offerWords(byId("by"), state.people);
    offerWords(byId("item"), state.items.map((item) => item.name));
    const chosen = states[Math.max(0, names.indexOf(value("on")))];
    byId("fingers").replaceChildren(...chosen.device.enrolled.map((name) => {
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

  const accountActions = [
    ["Deliver everything", () => ({ settle: null })],
    ["Deliver to the device", () => ({ deliver: null })],
    ["Take it offline", () => ({ offline: true })],
    ["Take it online", () => ({ offline: false })],
    ["Sign it out", () => ({ signOut: null })],
    ["Sign it in", () => ({ signIn: null })],
    ["Leave the circle", () => ({ leaveCircle: null })],
    ["Join: the other device brings it in", () => ({ join: { sponsor: value("other") } })],
    ["Join with the passcode of the other device", () => ({ join: { passcode: value("passcode"), of: value("other") } })],
    ["Remove it from the account", () => ({ removeFromAccount: null })],
  ];

  // Plays a step on the chosen device.
  const playOn = (step) => play(history.beginning.account ? { ...step, on: value("on") } : step);

  for (const [id, offered] of [["buttons", actions], ["account-buttons", accountActions]]) {
    for (const [title, step] of offered) {
      const button = element("button", title);
      button.type = "button";
      button.addEventListener("click", () => playOn(step()));
      byId(id).append(button);
    }
  }
  byId("on").addEventListener("change", () => show(shown));
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
