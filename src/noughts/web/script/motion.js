// What happens on a board is seen to happen: a stone that moved glides, one that was captured fades, a new one appears, a
// row that won is drawn. Stones are the elements with data-stone="b2x", their place and side. Those of the old part and of
// the fresh one are compared; a stone that is gone and one of its side that has come, the nearest, are one that moved. Where
// both sides have moved, whoever is to move now (data-turn of the part) moved first. Nothing moves for people who wish for
// reduced motion. What has changed is told by `noughts:moved`: stones set, stones lost, and after how many milliseconds.

const STEP = 260; // milliseconds of one move, after which the reply begins
const MOST = 6; // stones: where more have changed, nobody has moved, but another position is shown
const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOVING = ["[data-stone]", ".mark-row"];
let before = null;

function stones(part) {
  return new Map([...part.querySelectorAll("[data-stone]")].map((one) => [one.dataset.stone, one]));
}

function middle(stone) {
  const { x, y, width, height } = stone.getBBox();
  return [x + width / 2, y + height / 2];
}

function look(part) {
  const boards = [...part.querySelectorAll("svg")];
  const places = new Map();
  for (const [name, stone] of stones(part)) {
    places.set(name, { stone, at: middle(stone), board: boards.indexOf(stone.closest("svg")) });
  }
  return { places, won: Boolean(part.querySelector(".mark-row")), going: going(part) };
}

// What has not come to its end: a game that has ended is saved at once, and the page swapped again.
function going(part) {
  return MOVING.flatMap((kind) => [...part.querySelectorAll(kind)].flatMap((one) => one.getAnimations().map((motion) => ({
    name: one.dataset.stone ? `[data-stone="${one.dataset.stone}"]` : kind,
    frames: motion.effect.getKeyframes(),
    timing: motion.effect.getTiming(),
    at: motion.currentTime,
  }))));
}

function goOn(part) {
  for (const { name, frames, timing, at } of before.going) {
    const again = part.querySelector(name)?.animate(frames, timing);
    if (again) again.currentTime = at;
  }
}

function animate(element, frames, delay, duration = STEP) {
  return element.animate(frames, { delay, duration, easing: "ease-out", fill: "backwards" });
}

function nearest([x, y], names) {
  const far = (name) => Math.hypot(before.places.get(name).at[0] - x, before.places.get(name).at[1] - y);
  return names.reduce((best, name) => (best && far(best) <= far(name) ? best : name), null);
}

function glide(stone, from, delay) {
  const [x, y] = middle(stone);
  animate(stone, [{ transform: `translate(${from[0] - x}px, ${from[1] - y}px)` }, { transform: "none" }], delay);
}

function appear(stone, delay) {
  animate(stone, [{ opacity: 0, transform: "scale(0.5)" }, { opacity: 1, transform: "none" }], delay, STEP * 0.7);
}

function fade(part, { stone, board }, delay) {
  const ground = part.querySelectorAll("svg")[board]?.firstElementChild;
  if (!ground) return;
  const ghost = stone.cloneNode(true);
  delete ghost.dataset.stone;
  ground.append(ghost);
  animate(ghost, [{ opacity: 1 }, { opacity: 0 }], delay).finished.finally(() => ghost.remove());
}

function show(part) {
  const now = stones(part);
  const come = [...now.keys()].filter((name) => !before.places.has(name));
  const gone = [...before.places.keys()].filter((name) => !now.has(name));
  if (!come.length && !gone.length) return 0;
  if (come.length + gone.length > MOST) return 0;
  const sides = part.dataset.turn === "o" ? "ox" : "xo";
  let delay = 0;
  const lost = new Set(gone);
  for (const side of sides) {
    const own = come.filter((name) => name.endsWith(side));
    for (const name of own) {
      const stone = now.get(name);
      const from = nearest(middle(stone), [...lost].filter((one) => one.endsWith(side)));
      if (from) lost.delete(from);
      if (still.matches) continue;
      if (from) glide(stone, before.places.get(from).at, delay);
      else appear(stone, delay);
    }
    if (own.length) {
      document.dispatchEvent(new CustomEvent("noughts:moved", { detail: { set: own.length, lost: 0, after: delay } }));
      delay += STEP;
    }
  }
  for (const name of lost) if (!still.matches) fade(part, before.places.get(name), delay - STEP / 2);
  if (lost.size) {
    document.dispatchEvent(new CustomEvent("noughts:moved", { detail: { set: 0, lost: lost.size, after: delay } }));
  }
  return delay;
}

function draw(part, delay) {
  if (before.won || still.matches) return;
  for (const row of part.querySelectorAll(".mark-row")) {
    const [dashed, whole] = [1, 0].map((strokeDashoffset) => ({ strokeDasharray: "1 1", strokeDashoffset }));
    animate(row, [dashed, whole], delay, 2 * STEP);
  }
}

document.addEventListener("noughts:swapping", ({ detail: { old } }) => (before = look(old)));
document.addEventListener("noughts:swapped", ({ detail: { part } }) => {
  const fresh = document.getElementById(part);
  if (before && fresh) {
    goOn(fresh);
    draw(fresh, show(fresh));
  }
  before = null;
});
