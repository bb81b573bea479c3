
// Two policies side by side: what each person can do under the policy of the form, and under one that was kept before.

const kept = { accessible: null, require: '' };

const keptText = () => (kept.accessible === null ? '' : [kept.accessible, ...kept.require.split(' ').filter((flag) => flag !== '')].join(' '));

// Reads the kept policy of the address: a class, and flags. Words that the engine does not know are left out.
function readKept(text) {
  const [name, ...flags] = (text ?? '').split(' ');
  kept.accessible = words.classes.some((one) => one.name === name) ? name : null;
  kept.require = words.flags.map((one) => one.name).filter((flag) => flags.includes(flag)).join(' ');
}

function keep(accessible, require) {
  Object.assign(kept, { accessible, require });
  remember();
  show();
}

const keptRequest = () => {
  const { require, ...rest } = chosen();
  return { ...rest, accessible: kept.accessible, ...(kept.require ? { require: kept.require.split(' ') } : {}) };
};

// Shows what differs, as sentences and as a table. `rows` are the answers for the policy of the form, a row for each person. The page
// stays quick, and `isCurrent` says when a later choice has made this one useless.
async function compareRows(policy, rows, aims, isCurrent) {
  const isOn = kept.accessible !== null;
  find('compared').hidden = !isOn;
  find('swap').hidden = !isOn;
  find('forget').hidden = !isOn;
  find('compare-says').textContent = isOn ? ''
    : 'Keep the policy of the form, and then change the form. Both appear side by side, on the same device.';
  if (!isOn) return;
  const other = engine.ask('policy', keptRequest());
  const trouble = other.refused ?? other.notStored;
  find('chosen-policy').textContent = policy;
  find('kept-policy').textContent = other.policy ?? kept.accessible;
  find('both').hidden = trouble !== null;
  find('differences').replaceChildren();
  if (trouble !== null) {
    find('differ').textContent = `The kept policy has no table: ${trouble}.`;
    return;
  }
  const lines = [];
  const sentences = [];
  for (const [place, row] of rows.entries()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (!isCurrent()) return;
    const profile = words.profiles[place];
    const others = engine.ask('threats', { ...keptRequest(), against: profile.name }).cells;
    const cells = row.cells.filter((cell) => cell.result !== 'meaningless').flatMap((cell) => {
      const second = others.find((one) => one.aim === cell.aim);
      const differs = wordsOf(cell) !== wordsOf(second);
      if (differs) sentences.push(`${profile.name}, ${cell.aim}: ${wordsOf(cell)} if chosen, ${wordsOf(second)} if kept.`);
      return [cell, second].map((one) => make('td', { class: `${moodOf(profile, one)} ${differs ? 'differs' : ''}` },
        ...(differs ? [make('span', { class: 'unseen' }, 'differs: ')] : []), `${differs ? '≠ ' : ''}${markOf(moodOf(profile, one))}${wordsOf(one)}`));
    });
    lines.push(make('tr', {}, make('th', { scope: 'row' }, profile.name), ...cells));
  }
  find('both').querySelector('thead').replaceChildren(
    make('tr', {}, make('th', { scope: 'col', rowspan: 2 }, 'person'), ...aims.map((aim) => make('th', { scope: 'colgroup', colspan: 2 }, aim.name))),
    make('tr', {}, ...aims.flatMap(() => ['chosen', 'kept'].map((name) => make('th', { scope: 'col' }, name)))));
  find('both').querySelector('tbody').replaceChildren(...lines);
  const count = rows.length * aims.length;
  find('differ').textContent = sentences.length === 0 ? `Both give the same ${count} answers.`
    : `They differ in ${sentences.length} of ${count} answers.`;
  find('differences').replaceChildren(...sentences.map((text) => make('li', {}, text)));
}

function buildCompare() {
  find('keep').addEventListener('click', () => keep(state.accessible, state.require));
  find('forget').addEventListener('click', () => {
    keep(null, '');
    find('keep').focus();
  });
  find('swap').addEventListener('click', () => {
    const { accessible, require } = kept;
    Object.assign(kept, { accessible: state.accessible, require: state.require });
    choose({ accessible, require });
  });
}
