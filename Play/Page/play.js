
// A device to drive by hand. What was done is a list of steps, which the engine plays from the beginning each time. So undoing a step
// and looking back are shorter lists.

const played = { steps: [], moments: [], place: 0 };
const longestAddress = 6000;

// Reads the steps of the address. Whatever the engine does not accept is left out.
function readSteps(text) {
  played.steps = [];
  if (!text || text.length > longestAddress) return;
  try {
    const steps = JSON.parse(text);
    if (Array.isArray(steps)) played.steps = steps;
  } catch {}
}

function asks() {
  return played.moments[played.moments.length - 1]?.outcome === 'asks';
}

// Plays all steps under the policy that is chosen now, and shows the last moment. A step that this device refuses to understand, as a
// link or another policy may leave one, ends the list before it.
function playDevice() {
  const request = chosen();
  for (;;) {
    try {
      played.moments = engine.ask('play', { ...request, steps: played.steps });
      break;
    } catch (error) {
      if (played.steps.length === 0) throw error;
      const [, place, waits] = /^step (\d+)( waits)?/.exec(error.message) ?? [0, 1];
      played.steps = played.steps.slice(0, waits ? place : place - 1);
    }
  }
  played.place = played.steps.length;
  showDevice();
}

function doStep(step) {
  // A new step goes on from the moment that is shown.
  played.steps = played.steps.slice(0, played.place);
  played.steps.push(step);
  playDevice();
  remember();
  announce();
}

function answerPrompt(answer) {
  const last = played.steps[played.steps.length - 1];
  played.steps[played.steps.length - 1] = { ...last, answers: [...last.answers, answer] };
  playDevice();
  remember();
  announce();
  if (asks()) find('prompt').querySelector('button')?.focus();
}

function undo() {
  if (played.steps.length === 0) return;
  const last = played.steps.pop();
  // An answer is undone before its request.
  if (last.answers?.length > 0) played.steps.push({ ...last, answers: last.answers.slice(0, -1) });
  playDevice();
  remember();
  announce();
}

function startOver() {
  played.steps = [];
  playDevice();
  remember();
  announce();
}

const actionWords = { read: 'the app reads the secret', sign: 'the app signs with the key', attributes: 'the app lists the item',
  update: 'the app changes the item', delete: 'the app deletes the item', add: 'the app stores the item' };

// Returns a step in words.
function wordsOfStep(step) {
  const [word, value] = typeof step === 'string' ? [step, null] : Object.entries(step).find(([name]) => !['by', 'answers', 'context', 'with', 'applicationPassword'].includes(name)) ?? ['', null];
  const by = step.by ? `${step.by}: ` : '';
  const names = Array.isArray(value) ? value.join(', ') : String(value);
  if (word === 'unlock' && value) return by + (value.passcode === undefined ? `show ${value.finger ?? value.face}` : `type ${value.passcode}`);
  const says = words.steps.find((one) => one.name === word)?.says ?? actionWords[word] ?? word;
  return by + says.replace('$', () => names);
}

function wordsOfOutcome(moment) {
  switch (moment.outcome) {
    case 'happened': return 'done';
    case 'refused': return `refused: ${moment.because}`;
    case 'granted': return moment.way.length === 0 ? 'granted without authentication' : `granted by ${moment.way.join(' and ')}`;
    case 'denied': return `denied: ${moment.because}`;
    case 'asks': return `asks for ${moment.factor === 'biometry' ? 'biometry' : `the ${nameOfFactor(moment.factor)}`}`;
    default: return '';
  }
}

const nameOfFactor = (factor) => ({ applicationPassword: 'application password', companion: 'watch' }[factor] ?? factor);

function announce() {
  const moment = played.moments[played.place];
  if (played.place > 0) find('played-said').textContent = sentence(`${wordsOfStep(played.steps[played.place - 1])}: ${wordsOfOutcome(moment)}`);
  else find('played-said').textContent = 'The owner holds the unlocked device.';
}

function showDevice() {
  const { place, moments } = played;
  const moment = moments[place];
  drawPhone(find('play-phone'), moment.state, moments[place - 1]?.state, state.accessible);
  const slider = find('time');
  slider.max = String(moments.length - 1);
  slider.value = String(place);
  const words = place === 0 ? 'the owner holds the unlocked device' : `${wordsOfStep(played.steps[place - 1])}: ${wordsOfOutcome(moment)}`;
  slider.setAttribute('aria-valuetext', `${place} of ${moments.length - 1}: ${words}`);
  find('moment').replaceChildren(make('b', {}, place === 0 ? 'Beginning' : `Step ${place} of ${moments.length - 1}`), ` ${sentence(words)}`,
    ...(moment.state.seconds === 0 ? [] : [` ${sentence(`${spanOf(moment.state.seconds)} after the beginning`)}`]));
  find('undo').setAttribute('aria-disabled', String(played.steps.length === 0));
  showHistory();
  showTrace(moment);
  showControls(moment);
}

function showHistory() {
  find('history').replaceChildren(...played.steps.map((step, number) => {
    const moment = played.moments[number + 1];
    const mark = { granted: '✓', happened: '•', denied: '✗', refused: '✗', asks: '?' }[moment.outcome];
    const button = make('button', { type: 'button', class: `moment ${moment.outcome}`, 'aria-current': played.place === number + 1 ? 'step' : false },
      make('span', { 'aria-hidden': 'true' }, `${mark} `), `${wordsOfStep(step)}`, make('small', {}, wordsOfOutcome(moment)));
    button.addEventListener('click', () => { lookAt(number + 1); find('history').querySelectorAll('button')[number].focus(); });
    return make('li', {}, button);
  }));
}

function lookAt(place) {
  played.place = Math.max(0, Math.min(played.moments.length - 1, place));
  showDevice();
}

// The rules that decided a request, each with its evidence and with what would overcome it.
function showTrace(moment) {
  const rules = moment.rules ?? [];
  find('trace').hidden = rules.length === 0;
  find('rules').replaceChildren(...rules.map((rule) => make('li', { class: rule.effect },
    make('code', {}, rule.rule), ` ${rule.effect}: ${rule.says}.`,
    make('small', {}, `Evidence: ${rule.source}.${rule.flips && (rule.effect === 'denies' || rule.effect === 'asks') ? ` To get past it: ${rule.flips}.` : ''}`))));
  find('flips').textContent = moment.flips ? `To flip the decision: ${moment.flips}.` : '';
}

function control(label, step) {
  const button = make('button', { type: 'button' }, label);
  button.addEventListener('click', () => {
    const group = button.parentElement.id;
    const place = [...button.parentElement.children].indexOf(button);
    doStep(step);
    // The controls were drawn anew. The focus goes to the prompt, or stays where it was.
    if (asks()) find('prompt').querySelector('button')?.focus();
    else (find(group).children[place] ?? find(group).firstElementChild)?.focus();
  });
  return button;
}

function showControls({ state: device }) {
  const sensor = words.devices.find((one) => one.name === state.device).says.startsWith('Face ID') ? 'face' : 'finger';
  const by = device.holder;
  const strange = `the attacker's ${sensor}`;
  const known = device.enrolled;
  const isKey = state.kind === 'key';
  find('screen-controls').replaceChildren(
    control('Lock', 'lock'),
    ...(device.passcodeIs === null ? [] : [control(`Type ${device.passcodeIs}`, { unlock: { passcode: device.passcodeIs } })]),
    control('Type a wrong passcode', { unlock: { passcode: `wrong ${played.place + 1}` } }),
    ...known.map((name) => control(`Show ${name}`, { unlock: { finger: name } })),
    ...(known.includes(strange) ? [] : [control(`Show ${strange}`, { unlock: { finger: strange } })]));
  const own = by === 'owner' || by === 'injured-finger' ? `another ${sensor} of the owner's` : strange;
  const code = by === 'owner' || by === 'injured-finger' ? "the owner's next" : "the attacker's";
  find('settings-controls').replaceChildren(
    ...(known.includes(own) ? [] : [control(`Enroll ${own}`, { enroll: own, by })]),
    ...(sensor === 'finger' ? known.map((name) => control(`Remove ${name}`, { remove: name, by }))
      : known.length > 0 ? [control('Remove every face', { resetBiometry: null, by })] : []),
    control(device.passcodeIs === null ? 'Set a passcode' : 'Change the passcode', { setPasscode: device.passcodeIs === code ? '1234' : code, by }),
    ...(device.passcodeIs === null ? [] : [control('Remove the passcode', { removePasscode: null, by })]),
    ...(state.stolenDeviceProtection === 'true' && device.securityDelay === null ? [control('Start the security delay', { startSecurityDelay: null, by })] : []),
    control('Make a backup', { backup: 'encrypted', by }),
    ...(device.hasBackup ? [control('Restore it', { restore: 'thisDevice', by })] : []),
    control('Erase', { erase: null, by }));
  find('time-controls').replaceChildren(...[['10 seconds', '10s'], ['1 minute', '1m'], ['1 hour', '1h'], ['2 days', '48h']]
    .map(([label, span]) => control(`Wait ${label}`, { wait: span })), control('Restart', 'reboot'),
  ...(device.companion === 'notPaired' ? [] : [device.companion === 'away' ? control('Bring the watch', { companion: 'ready' }) : control('Take the watch away', { companion: 'away' })]));
  find('app-controls').replaceChildren(
    isKey ? control('Sign with the key', { sign: 'item', answers: [] }) : control('Read the secret', { read: 'item', answers: [] }),
    control('List the item', { attributes: 'item', answers: [] }), control('Change it', { update: 'item', answers: [] }),
    control('Delete it', { delete: 'item', answers: [] }),
    ...(device.item === 'present' ? [] : [control('Store it again', { add: 'item', answers: [] })]));
  showPrompt(played.moments[played.place], strange, known);
}

// The prompt that a request waits at, with a button for each answer.
function showPrompt(moment, strange, known) {
  const isOpen = moment.outcome === 'asks' && played.place === played.steps.length;
  find('prompt').hidden = !isOpen;
  find('controls').hidden = isOpen;
  if (!isOpen) return;
  const answer = (label, value) => {
    const button = make('button', { type: 'button' }, label);
    button.addEventListener('click', () => answerPrompt(value));
    return button;
  };
  const device = moment.state;
  const answers = {
    biometry: [...known.map((name) => answer(`Show ${name}`, { finger: name })), ...(known.includes(strange) ? [] : [answer(`Show ${strange}`, { finger: strange })])],
    passcode: [...(device.passcodeIs === null ? [] : [answer(`Type ${device.passcodeIs}`, { passcode: device.passcodeIs })]),
      answer('Type a wrong passcode', { passcode: `wrong ${played.place}.${played.steps[played.place - 1].answers.length}` })],
    companion: [answer('Confirm on the watch', 'confirm')],
    applicationPassword: [answer('Type the application password', { applicationPassword: 'the application password' }),
      answer('Type a wrong one', { applicationPassword: 'a wrong one' })],
  }[moment.factor];
  find('prompt-title').textContent = `The app asks for ${moment.factor === 'biometry' ? 'biometry' : `the ${nameOfFactor(moment.factor)}`}.`;
  find('answers').replaceChildren(...answers, ...(moment.fallback === 'offered' ? [answer('Use another way', 'fallback')] : []), answer('Cancel', 'cancel'));
}

function buildPlay() {
  find('time').addEventListener('input', (event) => lookAt(Number(event.target.value)));
  find('undo').addEventListener('click', undo);
  find('start-over').addEventListener('click', startOver);
  fill(find('holder'), words.profiles);
  find('hand').addEventListener('click', () => doStep({ hold: find('holder').value }));
}
