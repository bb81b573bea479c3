
// The page: what one chooses, and the engine's answers to it.

// Every choice has the name of a member of a request. The address of the page holds those that differ from these.
const usual = {
  kind: 'data', accessible: 'whenUnlockedThisDeviceOnly', require: 'biometryCurrentSet', device: 'iPhoneWithTouchID',
  stolenDeviceProtection: 'false', companion: 'ready', lockGrace: '10s', deletes: 'true', contexts: 'fresh',
  holds: 'long-locked', against: 'passcode-thief', aim: 'read',
};
// The page begins with an attack to see. An address that holds any choice begins with the usual choices instead.
const beginning = { ...usual, require: 'biometryAny' };
const state = { ...beginning };
let engine;
let words;

const find = (id) => document.getElementById(id);

// Makes an element. Text is only ever text, so that nothing in a link or an answer can run.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

window.latchkey = { prove: async (claim) => (await opening).prove(claim) };

// What one chose, as the members of a request.
function chosen() {
  const request = { accessible: state.accessible, device: state.device, companion: state.companion, lockGrace: state.lockGrace };
  if (state.require) request.require = state.require.split(' ');
  if (state.kind === 'key') request.key = true;
  if (state.stolenDeviceProtection === 'true') request.stolenDeviceProtection = true;
  for (const { name } of words.assumptions) if (state[name] !== usual[name]) request[name] = state[name];
  return request;
}

// Reads the address. A word that the engine does not know is left out.
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const names = (list) => list.map((one) => one.name);
  const known = {
    kind: ['data', 'key'], accessible: names(words.classes), device: names(words.devices),
    stolenDeviceProtection: ['true', 'false'], companion: names(words.companions),
    lockGrace: [...find('lockGrace').options].map((one) => one.value),
    against: names(words.profiles), aim: names(words.aims),
  };
  for (const one of words.assumptions) known[one.name] = one.words;
  Object.assign(state, given.size === 0 ? beginning : usual);
  for (const [name, list] of Object.entries(known)) if (list.includes(given.get(name))) state[name] = given.get(name);
  if (given.has('require')) {
    const flags = given.get('require').split(' ');
    state.require = names(words.flags).filter((flag) => flags.includes(flag)).join(' ');
  }
  readSteps(given.get('steps'));
  readKept(given.get('kept'));
  readGoals(given.get('goals'));
  settle();
}

// Mends choices that cannot be together because of another choice.
function settle() {
  const device = words.devices.find((one) => one.name === state.device);
  if (device.noStolenDeviceProtection) state.stolenDeviceProtection = 'false';
  const meaningless = state.kind === 'key' ? 'read' : 'use';
  if (state.aim === meaningless) state.aim = ordinaryAim();
  settleGoals();
}

function address() {
  const given = new URLSearchParams();
  const isBeginning = Object.keys(usual).every((name) => state[name] === beginning[name]);
  // A flag is stated even if it is the usual one, so that an address with choices is never empty.
  for (const name of Object.keys(usual)) if (name === 'require' || state[name] !== usual[name]) given.set(name, state[name]);
  if (kept.accessible !== null) given.set('kept', keptText());
  if (!areGoalsUsual()) given.set('goals', goalsText());
  if (played.steps.length > 0) {
    const steps = JSON.stringify(played.steps);
    if (steps.length <= longestAddress) given.set('steps', steps);
  }
  return isBeginning && given.size === 1 ? '' : `#${given}`;
}

// MARK: The form

function fill(select, list, label = (one) => one.name) {
  select.replaceChildren(...list.map((one) => make('option', { value: one.name }, label(one))));
}

function buildForm() {
  fill(find('accessible'), words.classes);
  fill(find('device'), words.devices);
  fill(find('companion'), words.companions);
  fill(find('against'), words.profiles);
  find('flags').replaceChildren(...words.flags.map((flag) => make('label', { class: 'check' },
    make('input', { type: 'checkbox', name: 'flag', value: flag.name, 'aria-describedby': `says-${flag.name} why-${flag.name}` }),
    make('span', {}, make('b', {}, flag.name), make('span', { class: 'hint', id: `says-${flag.name}` }, flag.says),
      make('span', { class: 'why', id: `why-${flag.name}`, hidden: true })))));
  find('assumptions').replaceChildren(...words.assumptions.map((one) => make('div', { class: 'field' },
    make('label', { for: one.name }, one.name),
    make('select', { id: one.name, 'aria-describedby': `says-${one.name}` }, ...one.words.map((word) => make('option', {}, word))),
    make('p', { class: 'hint', id: `says-${one.name}` }, `Assumed: ${one.says}.`))));
  for (const name of ['accessible', 'device', 'companion', 'lockGrace', 'against', 'aim', ...words.assumptions.map((one) => one.name)]) {
    find(name).addEventListener('change', (event) => choose({ [name]: event.target.value }));
  }
  find('stolenDeviceProtection').addEventListener('change', (event) => choose({ stolenDeviceProtection: String(event.target.checked) }));
  for (const radio of document.getElementsByName('kind')) radio.addEventListener('change', () => choose({ kind: radio.value }));
  find('flags').addEventListener('change', () => {
    const on = [...find('flags').querySelectorAll('input:checked')].map((box) => box.value);
    choose({ require: on.join(' ') });
  });
  buildStory();
  buildPlay();
  buildCompare();
  buildSuggest();
  buildReport();
  find('form').addEventListener('submit', (event) => event.preventDefault());
  for (const button of document.querySelectorAll('[data-copy]')) button.addEventListener('click', () => copy(button));
  window.addEventListener('hashchange', () => {
    if (location.hash === address()) return;
    readAddress();
    show();
  });
}

function choose(changes) {
  Object.assign(state, changes);
  settle();
  remember();
  show();
}

// Puts what is chosen, and what was done on the device, into the address.
function remember() {
  // A page in a sandbox may not change its address. The link below it has the choices all the same.
  try { history.replaceState(null, '', address() || location.pathname + location.search); } catch {}
  find('link').textContent = location.href.split('#')[0] + address();
}

const saysOf = (list, name) => list.find((one) => one.name === name).says;

function showChoices() {
  for (const radio of document.getElementsByName('kind')) radio.checked = radio.value === state.kind;
  for (const name of ['accessible', 'device', 'companion', 'lockGrace', 'against', ...words.assumptions.map((one) => one.name)]) {
    find(name).value = state[name];
  }
  fill(find('aim'), openAims(), (aim) => aim.says);
  find('aim').value = state.aim;
  find('accessible-says').textContent = `Available ${saysOf(words.classes, state.accessible)}.`;
  find('device-says').textContent = saysOf(words.devices, state.device);
  find('companion-says').textContent = saysOf(words.companions, state.companion);
  find('against-says').textContent = `${state.against} is ${saysOf(words.profiles, state.against)}.`;
  const { noStolenDeviceProtection } = words.devices.find((one) => one.name === state.device);
  const protection = find('stolenDeviceProtection');
  protection.checked = state.stolenDeviceProtection === 'true';
  protection.disabled = noStolenDeviceProtection !== null;
  find('protection-says').textContent = noStolenDeviceProtection ?? 'on, and away from familiar places: enrolling takes biometry and an hour';
}

function showFlags(policy) {
  for (const flag of policy.flags) {
    const why = find(`why-${flag.name}`);
    why.hidden = flag.refused === null;
    why.textContent = flag.refused === null ? '' : `Not available here: ${flag.refused}.`;
    const label = why.closest('label');
    label.classList.toggle('refused', flag.refused !== null);
    const box = label.querySelector('input');
    box.checked = flag.isOn;
    // A flag that is on can always be turned off, also if an address has brought one that Apple refuses with the others.
    box.disabled = flag.refused !== null && !flag.isOn;
    box.setAttribute('aria-invalid', String(policy.refused !== null && flag.isOn));
  }
}

// MARK: The answers

let turn = 0;

// Shows the answers to what is chosen now: the verdict first, and then the rest. The table comes row by row, so that the page stays
// quick, and ends with the next choice. The document says in `data-shown` which turn it shows in full.
async function show() {
  const mine = ++turn;
  showChoices();
  const request = { ...chosen(), ...(appliesHolds() ? {} : { holds: null }) };
  const claim = { ...request, never: state.aim, against: state.against };
  let verdict = answerOrNull('prove', claim);
  if (verdict) showVerdict(verdict);
  if (verdict && mine === 1) {
    document.documentElement.dataset.firstVerdict = String(Math.round(performance.now()));
    await new Promise((resolve) => setTimeout(resolve));
    if (mine !== turn) return;
  }
  const policy = engine.ask('policy', chosen());
  showFlags(policy);
  find('link').textContent = location.href.split('#')[0] + address();
  const trouble = policy.refused ?? policy.notStored;
  find('policy').textContent = policy.policy ?? 'There is no such policy.';
  find('means').replaceChildren(...(policy.means ?? [`${policy.refused}.`]).map((sentence) => make('li', {}, sentence)));
  find('swift-block').hidden = policy.refused !== null;
  find('swift').textContent = policy.swift ?? '';
  find('command').textContent = policy.command ?? 'latchkey threats --help';
  showOWASP(policy);
  showGoals();
  find('play').hidden = trouble !== null;
  find('compare').hidden = trouble !== null;
  if (trouble !== null) {
    showVerdict(null, trouble);
    tellStory(null);
    find('threats').tBodies[0].replaceChildren(make('tr', {}, make('td', { class: 'none' }, 'No such item, no threats.')));
    find('threats').tHead.replaceChildren();
    document.documentElement.dataset.shown = String(mine);
    return;
  }
  verdict ??= engine.prove(claim);
  await new Promise((resolve) => setTimeout(resolve));
  if (mine !== turn) return;
  tellStory(verdict, request);
  playDevice();
  const aims = openAims();
  find('threats').tHead.replaceChildren(make('tr', {}, make('th', { scope: 'col' }, 'person'),
    ...aims.map((aim) => make('th', { scope: 'col' }, aim.name))));
  const body = find('threats').tBodies[0];
  const rows = [];
  for (const profile of words.profiles) {
    await new Promise((resolve) => setTimeout(resolve));
    if (mine !== turn) return;
    const row = engine.ask('threats', { ...chosen(), against: profile.name });
    rows.push(row);
    const old = body.querySelector(`[data-profile="${profile.name}"]`);
    const isFirst = !old && profile === words.profiles[0];
    if (isFirst) body.replaceChildren();
    const line = rowOf(row, profile);
    const focused = old?.contains(document.activeElement) ? document.activeElement.dataset.aim : undefined;
    old ? old.replaceWith(line) : body.append(line);
    if (focused) line.querySelector(`[data-aim="${focused}"]`)?.focus({ preventScroll: true });
  }
  await compareRows(policy.policy, rows, aims, () => mine === turn);
  if (mine !== turn) return;
  document.documentElement.dataset.shown = String(mine);
}

// Returns the answer, or null if there is no such item. The answer about the policy says why.
function answerOrNull(question, request) {
  try { return engine.ask(question, request); } catch { return null; }
}

// "holds" makes a difference only to a device that comes locked, and the engine refuses it elsewhere.
function appliesHolds() {
  return state.holds === usual.holds || 'holds' in (answerOrNull('threats', { ...chosen(), against: state.against })?.assumptions ?? {});
}

function wordsOf(cell) {
  if (cell.result === 'reached') return cell.steps === 0 ? 'already gone' : `${cell.steps} step${cell.steps === 1 ? '' : 's'}`;
  return cell.result;
}

// What the owner can do is neither good nor bad news here.
const moodOf = (profile, cell) => (profile.isOwner ? '' : cell.result === 'never' ? 'good' : 'bad');
const markOf = (mood) => ({ good: '✓ ', bad: '✗ ' }[mood] ?? '');

function rowOf(row, profile) {
  const cells = row.cells.filter((cell) => cell.result !== 'meaningless').map((cell) => {
    const mood = moodOf(profile, cell);
    const isShown = profile.name === state.against && cell.aim === state.aim;
    const button = make('button', { type: 'button', 'aria-pressed': String(isShown), 'data-aim': cell.aim,
      'aria-label': `${profile.name}, ${cell.aim}: ${wordsOf(cell)}` }, `${markOf(mood)}${wordsOf(cell)}`);
    button.addEventListener('click', () => {
      choose({ against: profile.name, aim: cell.aim });
      find('verdict').scrollIntoView({ block: 'nearest' });
    });
    return make('td', { class: mood }, button);
  });
  return make('tr', { 'data-profile': profile.name }, make('th', { scope: 'row', title: profile.says }, profile.name), ...cells);
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}

// The reason of a step in words, with the identifiers of the rules beside it.
function reasonOf(step) {
  return [`because ${step.says}`, ...(step.says === step.because ? [] : [' ', make('code', {}, step.because)])];
}

// An assumption in a sentence, with its word.
function assumptionOf([name, word]) {
  const one = words.assumptions.find((other) => other.name === name);
  return one ? `${one.meanings[one.words.indexOf(String(word))]} (${name}: ${word})` : `${name}: ${word}.`;
}

function showVerdict(verdict, trouble) {
  const line = find('bottom-line');
  const { isOwner } = words.profiles.find((one) => one.name === state.against);
  const aim = saysOf(words.aims, state.aim);
  find('story').replaceChildren();
  find('extent').textContent = '';
  if (!verdict) {
    line.className = 'bottom-line bad';
    line.textContent = `${trouble}.`;
    return;
  }
  const isReached = verdict.answer === 'fails';
  line.className = `bottom-line ${verdict.answer === 'undecided' || isOwner ? '' : isReached ? 'bad' : 'good'}`;
  const count = verdict.steps.length;
  line.textContent = verdict.answer === 'undecided' ? 'Undecided: the search met its limit.'
    : isReached ? `Yes. ${state.against} can ${aim}${count === 0 ? '.' : ` in ${count} step${count === 1 ? '' : 's'}.`}`
    : `Never. Whatever ${state.against} does, they cannot ${aim}.`;
  if (verdict.story) {
    find('story').append(make('p', { class: 'beginning' }, verdict.story.beginning),
      make('ol', { class: 'steps' }, ...verdict.story.steps.map((step) => make('li', {},
        sentence(`${step.who} ${step.does}${step.succeeds ? '' : ', and is denied'}`),
        make('small', {}, ...reasonOf(step))))));
  }
  const assumed = Object.entries(verdict.assumptions).map(assumptionOf).join(' ');
  find('extent').textContent = `Searched ${verdict.situations} situations and ${verdict.moves} moves`
    + `${isReached ? ' until the shortest attack was found' : ', and left none out'}. Assumed: ${assumed}`;
}

// Fills in what the controls say, which are not on paper.
function fillReport() {
  const facts = [
    ['Claim', `never ${state.aim} against ${state.against}`], ['Policy', find('policy').textContent],
    ['Device', `${state.device}: ${saysOf(words.devices, state.device)}${state.stolenDeviceProtection === 'true' ? ', with Stolen Device Protection' : ''}`],
    ['Watch', state.companion], ['Lock grace', state.lockGrace], ['Link', find('link').textContent], ['Command', find('command').textContent],
  ];
  find('report-facts').replaceChildren(...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

function buildReport() {
  window.addEventListener('beforeprint', () => {
    fillReport();
    find('report').hidden = false;
  });
  window.addEventListener('afterprint', () => { find('report').hidden = true; });
  find('print').addEventListener('click', () => window.print());
}

function showOWASP(policy) {
  const tests = policy.owasp ?? [];
  const passed = tests.filter((test) => test.passes).length;
  find('masvs').textContent = tests.length === 0 ? 'There is nothing to test.'
    : `MASVS-AUTH-2 asks for secure local authentication. Of the ${tests.length} tests of its guide that look at a policy, ${passed === tests.length ? 'all pass' : passed === 0 ? 'none passes' : `${passed} pass${passed === 1 ? 'es' : ''}`}.`;
  find('owasp').replaceChildren(...tests.map((test) => make('li', { class: test.passes ? 'good' : 'bad' }, test.says)));
}

async function copy(button) {
  const source = find(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    find('said').textContent = 'Copied.';
  } catch {
    // Without the right to the clipboard, the text is selected, ready to copy by hand.
    getSelection().selectAllChildren(source);
    find('said').textContent = 'Selected. Copy it with the keyboard.';
  }
  const label = button.firstChild;
  label.textContent = find('said').textContent.split('.')[0];
  setTimeout(() => { label.textContent = 'Copy'; }, 2000);
}

opening.then(async (opened) => {
  engine = opened;
  words = engine.ask('words');
  buildForm();
  readAddress();
  await show();
}).catch((error) => {
  find('bottom-line').textContent = `The page did not start: ${error.message} It needs a browser of 2023 or newer.`;
});
