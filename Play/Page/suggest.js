
// Policies that satisfy goals and ask least of the owner, in the words of `latchkey suggest`.

const mostGoals = 8;
const goalKinds = ['never', 'eventually-can', 'gone-after-enrollment-change'];
const goals = [];
const usualGoals = ['never read against passcode-thief', 'eventually-can read by owner'];
// The request of the suggestion that is shown. Another request makes it out of date.
let suggested = '';
// The search that runs in a worker, or null.
let searching = null;

const ordinaryAim = () => (state.kind === 'key' ? 'use' : 'read');
const openAims = () => words.aims.filter((aim) => aim.name !== (state.kind === 'key' ? 'read' : 'use'));

function textOfGoal({ kind, aim, profile }) {
  return { never: `never ${aim} against ${profile}`, 'eventually-can': `eventually-can ${aim} by ${profile}` }[kind] ?? kind;
}

// Reads goals as the address and the command write them. One that is not understood is left out.
function readGoals(text) {
  const read = (text ?? usualGoals.join(';')).split(';').slice(0, mostGoals).map((line) => {
    const [kind, aim, , profile] = line.split(' ');
    const goal = { kind, aim: aim ?? ordinaryAim(), profile: profile ?? 'owner' };
    const isKnown = words.aims.some((one) => one.name === goal.aim) && words.profiles.some((one) => one.name === goal.profile);
    return isKnown && textOfGoal(goal) === line ? goal : null;
  });
  goals.splice(0, goals.length, ...read.filter((goal) => goal !== null && goalKinds.includes(goal.kind)));
}

const goalsText = () => goals.map(textOfGoal).join(';');
const areGoalsUsual = () => goalsText() === usualGoals.join(';').replaceAll(' read ', ` ${ordinaryAim()} `);

// An item of the other kind has another ordinary aim.
function settleGoals() {
  for (const goal of goals) if (goal.aim === 'read' || goal.aim === 'use') goal.aim = ordinaryAim();
}

function suggestRequest() {
  const { accessible, require, companion, ...device } = chosen();
  return { ...device, claims: goals.map(({ kind, aim, profile }) => (
    { never: { never: aim, against: profile }, 'eventually-can': { 'eventually-can': aim, by: profile } }[kind] ?? { [kind]: true })) };
}

function showGoals() {
  const kinds = words.claims.filter((one) => goalKinds.includes(one.name));
  const change = (goal, name) => (event) => {
    goal[name] = event.target.value;
    changeGoals(event.target.closest('li'), name);
  };
  find('goals').replaceChildren(...goals.map((goal, place) => {
    const choice = (name, label, list, say = (one) => one.name) => {
      const select = make('select', { 'aria-label': `Goal ${place + 1}: ${label}`, 'data-name': name });
      fill(select, list, say);
      select.value = goal[name];
      select.addEventListener('change', change(goal, name));
      return select;
    };
    const remove = make('button', { type: 'button', 'aria-label': `Remove goal ${place + 1}: ${textOfGoal(goal)}` }, 'Remove');
    remove.addEventListener('click', () => {
      goals.splice(place, 1);
      changeGoals();
      find('add-goal').focus();
    });
    const people = goal.kind === 'gone-after-enrollment-change' ? []
      : [choice('aim', 'aim', openAims(), (one) => one.name), goal.kind === 'never' ? 'against' : 'by', choice('profile', 'person', words.profiles)];
    return make('li', {}, choice('kind', 'kind', kinds), ...people, remove);
  }));
  find('add-goal').setAttribute('aria-disabled', String(goals.length >= mostGoals));
  find('suggest-command').textContent = ['latchkey suggest', ...goals.map((goal) => `"${textOfGoal(goal)}"`),
    ...(state.kind === 'key' ? ['--key'] : []), ...(state.device === usual.device ? [] : [`--device ${state.device}`]),
    ...(state.stolenDeviceProtection === 'true' ? ['--stolen-device-protection'] : []),
    ...words.assumptions.filter(({ name }) => state[name] !== usual[name]).map(({ name }) => `--${name} ${state[name]}`)].join(' ');
  if (suggested !== JSON.stringify(suggestRequest())) {
    suggested = '';
    stopSearch();
    find('suggestions').replaceChildren();
    find('suggest-says').textContent = '';
  }
}

function changeGoals(item, name) {
  const place = item ? [...item.parentElement.children].indexOf(item) : -1;
  remember();
  showGoals();
  if (place >= 0) find('goals').children[place]?.querySelector(`[data-name="${name}"]`)?.focus();
}

// Ends the search that runs, if one does.
function stopSearch() {
  searching?.stop();
  searching = null;
  showSearch(false);
}

function showSearch(isRunning) {
  find('stop').hidden = !isRunning;
  find('searched').hidden = !isRunning;
  find('searched').textContent = '';
}

async function suggest() {
  const request = suggestRequest();
  if (goals.length === 0) {
    find('suggest-says').textContent = 'Add a goal first.';
    return;
  }
  stopSearch();
  find('suggestions').replaceChildren();
  find('suggest-says').textContent = 'Searching every policy…';
  showSearch(true);
  const mine = searching = askAside('suggest', request, (policies) => { find('searched').textContent = `${policies} policies searched`; });
  let found, mistake;
  try { found = await mine.answer; } catch (error) { mistake = error.message; }
  // Another search has begun, or this one was stopped.
  if (mine !== searching) return;
  searching = null;
  showSearch(false);
  if (mistake !== undefined) {
    find('suggest-says').textContent = mistake;
    return;
  }
  suggested = JSON.stringify(request);
  find('suggest-says').textContent = found.candidates.length > 0
    ? `${found.candidates.length === 1 ? 'One policy asks' : `${found.candidates.length} policies ask`} least of the owner, of the ${found.policies} that were searched.`
    : found.undecided ? 'Undecided: the search met its limit.'
    : found.clash.length === 1 ? `No policy makes this true: ${found.clash[0]}.`
    : `No policy makes these true together: ${found.clash.join('; ')}.`;
  find('suggestions').replaceChildren(
    make('ul', { class: 'counts' }, ...found.claims.map((one) => make('li', {}, `${one.claim}: ${one.policies} of ${found.policies} policies satisfy it`))),
    ...found.candidates.map(candidateOf));
}

function candidateOf(one) {
  const use = make('button', { type: 'button', 'aria-label': `Choose ${one.policy}` }, 'Choose it');
  use.addEventListener('click', () => {
    choose({ accessible: one.accessible, require: one.require.join(' ') });
    find('said').textContent = `Chosen: ${one.policy}.`;
  });
  const compare = make('button', { type: 'button', 'aria-label': `Keep ${one.policy} to compare` }, 'Keep it to compare');
  compare.addEventListener('click', () => {
    keep(one.accessible, one.require.join(' '));
    find('said').textContent = `Kept: ${one.policy}.`;
  });
  return make('article', { class: 'candidate' }, make('p', { class: 'policy' }, one.policy),
    make('ul', {}, make('li', {}, `unlocked: ${one.prompts === null ? 'the owner cannot open it' : `${one.prompts} prompt${one.prompts === 1 ? '' : 's'} for the owner`}`),
      make('li', {}, `the owner cannot open it: ${one.failures.join('; ') || 'never'}`),
      make('li', {}, `exists on: ${one.existsOn}`),
      ...(one.others.length === 0 ? [] : [make('li', {}, `as easy for the owner: ${one.others.join('; ')}`)])),
    make('div', { class: 'buttons' }, use, compare));
}

function buildSuggest() {
  find('add-goal').addEventListener('click', () => {
    if (goals.length >= mostGoals) return;
    goals.push({ kind: 'never', aim: ordinaryAim(), profile: 'snatcher' });
    changeGoals();
    find('goals').lastElementChild.querySelector('select').focus();
  });
  find('suggest').addEventListener('click', suggest);
  find('stop').addEventListener('click', () => {
    stopSearch();
    find('suggest-says').textContent = 'Stopped.';
    find('suggest').focus();
  });
}
