
// The attack as a story on a drawn phone, one move after another.

const story = { frames: [], place: 0, timer: 0 };
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

// Plays the moves of a verdict on the engine's device, and shows the first moment. Without moves, there is no story.
function tellStory(verdict, request) {
  stopStory();
  story.frames = [];
  if (verdict?.plays) {
    const played = engine.ask('play', { ...request, steps: verdict.plays.steps });
    const told = [{ words: verdict.story.beginning, step: null }, ...verdict.story.steps.map((step) => ({
      words: sentence(`${step.who} ${step.does}${step.succeeds ? '' : ', and is denied'}`), step }))];
    story.frames = played.slice(verdict.plays.before).map((moment, place) => ({ ...told[place], state: moment.state }));
  }
  find('stage').hidden = story.frames.length === 0;
  if (story.frames.length > 0) showFrame(0);
}

function showFrame(place) {
  const last = story.frames.length - 1;
  story.place = Math.max(0, Math.min(last, place));
  const frame = story.frames[story.place];
  drawPhone(find('story-phone'), frame.state, story.frames[story.place - 1]?.state, state.accessible);
  find('story-words').replaceChildren(make('b', {}, story.place === 0 ? 'Before' : `Step ${story.place} of ${last}`), ` ${frame.words}`,
    ...(frame.step ? [make('small', {}, ...reasonOf(frame.step))] : []));
  // A button that is disabled loses the focus, so these stay enabled and say that there is no more.
  find('story-back').setAttribute('aria-disabled', String(story.place === 0));
  find('story-forward').setAttribute('aria-disabled', String(story.place === last));
  for (const [number, item] of [...document.querySelectorAll('#story .steps li')].entries()) {
    if (number === story.place - 1) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
}

function stopStory() {
  clearInterval(story.timer);
  story.timer = 0;
  find('story-run').textContent = 'Play';
}

function runStory() {
  if (story.timer) return stopStory();
  if (story.place === story.frames.length - 1) showFrame(0);
  find('story-run').textContent = 'Stop';
  story.timer = setInterval(() => {
    showFrame(story.place + 1);
    if (story.place === story.frames.length - 1) stopStory();
  }, 2200);
}

function buildStory() {
  const step = (by) => () => { stopStory(); showFrame(story.place + by); };
  find('story-back').addEventListener('click', step(-1));
  find('story-forward').addEventListener('click', step(1));
  find('story-run').addEventListener('click', runStory);
  // Who asks for less motion moves through the story alone.
  const calm = () => { stopStory(); find('story-run').hidden = isCalm.matches; };
  isCalm.addEventListener('change', calm);
  calm();
}
