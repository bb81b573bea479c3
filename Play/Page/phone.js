'use strict';

// A drawn phone: what a device of the engine shows and holds, for the story of an attack and for the device to drive.

const keyNames = ['whenPasscodeSet', 'whenUnlocked', 'afterFirstUnlock', 'always'];
const keyWords = { open: 'open', closed: 'closed', none: 'does not exist' };

// Returns the parts of a state that the phone shows, in words. The drawing and the screen reader have the same.
function factsOf(state) {
  const lock = state.isLocked ? (state.hasFirstUnlock ? 'Locked' : 'Locked since the restart') : 'Unlocked';
  const passcode = { notSet: 'no passcode', ready: 'passcode set', delayed: `passcode refused for ${spanOf(state.passcodeWait)}`,
    disabled: 'no more passcodes accepted' }[state.passcode];
  return {
    lock, passcode,
    fingers: state.enrolled.length === 0 ? 'nothing enrolled' : state.enrolled.join(', '),
    biometry: state.isLockedOut ? 'locked out' : state.wantsPasscode ? 'wants the passcode first' : state.misses > 0 ? `${state.misses} failed` : '',
    watch: { notPaired: 'no watch', away: 'watch away', locked: 'watch locked', ready: 'watch ready' }[state.companion],
    item: { present: 'stored', invalidated: 'invalidated', absent: 'gone' }[state.item],
  };
}

// Returns a number of seconds in words.
function spanOf(seconds) {
  for (const [size, word] of [[86400, 'day'], [3600, 'hour'], [60, 'minute']]) {
    if (seconds >= size) {
      const count = Math.round(seconds / size * 10) / 10;
      return `${count} ${word}${count === 1 ? '' : 's'}`;
    }
  }
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}

// Draws a state into `place`. What differs from `former` is marked, in words and by an outline.
function drawPhone(place, state, former, policy) {
  const facts = factsOf(state);
  const old = former ? factsOf(former) : facts;
  const row = (name, value, was, extra = '') => make('li', { class: `${extra} ${value === was ? '' : 'changed'}` },
    make('span', { class: 'what' }, name), ' ', make('b', {}, value), ...(value === was ? [] : [make('span', { class: 'mark' }, ' changed')]));
  const keys = keyNames.map((name) => {
    const isOfItem = policy?.startsWith(name);
    return row(isOfItem ? `${name} (of this item)` : name, keyWords[state.keys[name]], keyWords[(former ?? state).keys[name]], `key ${state.keys[name]}`);
  });
  const said = [`${facts.lock}, held by ${state.holder}`, facts.passcode, `enrolled: ${facts.fingers}`, facts.biometry, facts.watch,
    `item ${facts.item}`, ...keyNames.map((name) => `key ${name} ${keyWords[state.keys[name]]}`)].filter((text) => text !== '').join('; ');
  place.replaceChildren(
    make('div', { class: `screen ${state.isLocked ? 'locked' : 'unlocked'}`, role: 'img', 'aria-label': `The device: ${said}.` },
      make('div', { class: 'glyph', 'aria-hidden': 'true' }, make('span', { class: 'shackle' }), make('span', { class: 'body' })),
      make('p', { class: 'lock' }, facts.lock),
      make('p', { class: 'held' }, `held by ${state.holder}`),
      make('ul', { class: 'facts' },
        row('Passcode', facts.passcode, old.passcode), row('Enrolled', facts.fingers, old.fingers),
        ...(facts.biometry || old.biometry ? [row('Biometry', facts.biometry || 'ready', old.biometry || 'ready')] : []),
        row('Watch', facts.watch, old.watch), row('Item', facts.item, old.item, `item ${state.item}`))),
    make('ul', { class: 'keybag', 'aria-hidden': 'true' }, make('li', { class: 'title' }, 'Class keys'), ...keys));
}
