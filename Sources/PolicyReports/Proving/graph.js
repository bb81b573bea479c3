const chips = [...document.querySelectorAll('#columns button')];
const at = new Map(chips.map(chip => [Number(chip.dataset.place), chip]));
const panel = document.getElementById('panel');
function make(kind, text, parent) {
  const made = document.createElement(kind);
  made.textContent = text;
  parent.append(made);
  return made;
}
function list(title, some, end) {
  if (some.length === 0) return;
  make('h3', title, panel);
  const all = make('ul', '', panel);
  for (const move of some) {
    const line = make('li', '', all);
    const link = make('button', move[2] + (end === 1 ? '' : ' (from: ' + situations[move[0]].labels.join(', ') + ')'), line);
    link.type = 'button';
    if (move[3]) link.className = 'story';
    link.addEventListener('click', () => choose(move[end], true));
  }
}
function choose(place, focus) {
  for (const chip of chips) { chip.classList.remove('chosen', 'next'); chip.removeAttribute('aria-current'); }
  const chip = at.get(place);
  chip.classList.add('chosen');
  chip.setAttribute('aria-current', 'true');
  const situation = situations[place];
  const away = moves.filter(move => move[0] === place);
  for (const move of away) at.get(move[1]).classList.add('next');
  panel.replaceChildren();
  make('h2', 'After ' + situation.depth + (situation.depth === 1 ? ' step' : ' steps'), panel);
  const facts = make('ul', '', panel);
  for (const label of situation.labels) make('li', label, facts);
  make('p', situation.opens ? 'The aim is granted here.' : situation.gone
    ? 'The item is lost.' : 'The aim is not granted here.', panel);
  list('Moves from here', away, 1);
  if (situation.more) make('p', situation.more + ' more lead to situations that are not shown.', panel);
  list('Moves to here', moves.filter(move => move[1] === place), 0);
  if (focus) { chip.focus(); chip.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }
}
for (const chip of chips) chip.addEventListener('click', () => choose(Number(chip.dataset.place), false));
document.getElementById('columns').addEventListener('keydown', event => {
  const section = event.target.closest('section');
  if (!section) return;
  let to = null;
  if (event.key === 'ArrowDown') to = event.target.nextElementSibling;
  if (event.key === 'ArrowUp') to = event.target.previousElementSibling;
  if (event.key === 'ArrowRight') to = section.nextElementSibling?.querySelector('button:not([hidden])');
  if (event.key === 'ArrowLeft') to = section.previousElementSibling?.querySelector('button:not([hidden])');
  if (to?.matches('button')) { to.focus(); event.preventDefault(); }
});
document.getElementById('search').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(/[ ,]+/).filter(word => word);
  let count = 0;
  for (const chip of chips) {
    const text = chip.textContent.toLowerCase();
    chip.hidden = !words.every(word => text.includes(word));
    if (!chip.hidden) count += 1;
  }
  document.getElementById('found').textContent = words.length ? count + ' found' : '';
});
