// The small games, whole, inside the page: the rules, the value of every position, opponents, and the board.
//
// A game is what the server says it is (`values_of` in pages/offline.py): its rules and the sets of points of its
// layout. Sets are numbers, a bit a point. A position is { stones: [X's, O's], hand: [X's, O's], turn }, a move
// [from, to], where from is null for a stone out of the hand, and to is null for a pass. What is said here of moves, ends
// and values is compared with the server's own, position by position, in tests/web/test_browser_offline.py.

const PASS = [null, null];
const REPETITIONS = 3;

const members = (set) => [...Array(32 - Math.clz32(set)).keys()].filter((point) => (set >> point) & 1);
const empty = (game, { stones }) => game.everywhere & ~(stones[0] | stones[1]);
const rowIn = (game, stones) => game.lines.find((line) => (stones & line) === line);

export const key = ({ stones, hand, turn }) => [stones, hand, turn].join();
export const start = ({ rules }) => ({ stones: [0, 0], hand: rules.stones, turn: 0 });

function steps(game, at) {
  const free = empty(game, at);
  if (at.hand[at.turn]) return members(free).map((to) => [null, to]);
  if (game.rules.movement === "none") return [];
  const reach = (from) => (game.rules.movement === "jump" ? game.everywhere : game.neighbours[from]);
  return members(at.stones[at.turn]).flatMap((from) => members(free & reach(from)).map((to) => [from, to]));
}

// How the game has ended for the player to move; null while it goes on.
export function over(game, at) {
  const { rules } = game;
  const rowsCount = rules.row_while_placing || !(at.hand[0] + at.hand[1]);
  if (rowsCount && rowIn(game, at.stones[1 - at.turn])) return "loss";
  if (rules.full_board_draws && !empty(game, at)) return "draw";
  if (rules.blocked === "passes") return null;
  const canMove = at.hand[at.turn] ? empty(game, at) & game.on_lines : steps(game, at).length;
  return canMove ? null : rules.blocked === "loses" ? "loss" : "draw";
}

export function moves(game, at) {
  if (over(game, at)) return [];
  const found = steps(game, at);
  return found.length ? found : [PASS];
}

export function after({ stones, hand, turn }, [from, to]) {
  const next = { stones: [...stones], hand: [...hand], turn: 1 - turn };
  if (to === null) return next;
  next.stones[turn] |= 1 << to;
  if (from === null) next.hand[turn] -= 1;
  else next.stones[turn] ^= 1 << from;
  return next;
}

// Every position that can come up, by its key, with its value for the player to move and, of a win or a loss, the plies
// until then. Solved backwards in waves: a position is won in n plies if some move leads to one that is lost in n - 1,
// and lost in n if all of them lead to won ones, the longest of them in n - 1. What no wave reaches is a draw.
export function solve(game) {
  const all = new Map();
  const found = [start(game)];
  for (const at of found) {
    if (all.has(key(at))) continue;
    const next = moves(game, at).map((move) => after(at, move));
    const lost = over(game, at) === "loss";
    all.set(key(at), { at, next: next.map(key), value: lost ? "loss" : "draw", plies: lost ? 0 : null });
    found.push(...next);
  }
  let open = [...all.values()].filter((one) => one.next.length);
  for (const one of open) one.next = one.next.map((name) => all.get(name));
  for (let plies = 1, left = 0; left !== open.length; plies += 1) {
    left = open.length;
    const before = ({ plies: known }) => known !== null && known < plies;
    for (const one of open) {
      if (one.next.some((other) => other.value === "loss" && before(other))) Object.assign(one, { value: "win", plies });
      else if (one.next.every((other) => other.value === "win" && before(other))) {
        Object.assign(one, { value: "loss", plies });
      }
    }
    open = open.filter((one) => one.plies === null);
  }
  return all;
}

// The best moves, all of equal worth: quick wins, slow losses, and of these such as repeat no position seen before. A
// third time is a draw.
export function best(game, known, at, seen = []) {
  const rated = moves(game, at).map((move) => {
    const name = key(after(at, move));
    const { value, plies } = known.get(name);
    const times = game.rules.movement === "none" ? 0 : seen.filter((one) => one === name).length;
    const worth = times + 1 >= REPETITIONS || value === "draw" ? 0 : value === "loss" ? 1 / plies : -1 / plies;
    return { move, worth: plies === 0 ? 2 : worth, times };
  });
  const most = Math.max(...rated.map(({ worth }) => worth));
  const top = rated.filter(({ worth }) => worth === most);
  const fresh = top.filter(({ times }) => !times);
  return (fresh.length ? fresh : top).map(({ move }) => move);
}

// The moves that fill a row.
function rows(game, at) {
  return moves(game, at).filter((move) => {
    const next = after(at, move);
    return over(game, next) === "loss" && rowIn(game, next.stones[at.turn]);
  });
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

// The move of an opponent who overlooks and errs as often as its habits say, as a rung of the ladder does
// (players/ladder.py): an error is any move among those that it has noticed.
export function choose(game, known, at, seen, habits) {
  let among = moves(game, at);
  let overlooked = false;
  const own = rows(game, at);
  if (own.length && Math.random() < habits.sees_row) among = own;
  else {
    overlooked = own.length > 0;
    const threats = rows(game, { ...at, turn: 1 - at.turn });
    const parries = threats.length ? among.filter((move) => !rows(game, after(at, move)).length) : [];
    if (parries.length && Math.random() >= habits.sees_threat) overlooked = true;
    else if (parries.length) among = parries;
  }
  return pick(overlooked || Math.random() < habits.errs ? among : best(game, known, at, seen));
}

// The page. What is on the board is told to the other scripts as a swapped part is, so that stones glide, sound, and lead
// up and down the ladder here as well.

const part = document.getElementById("game");
const settings = document.getElementById("settings");
const ladder = settings.querySelector("[data-ladder]");
const [board, status] = [part.querySelector(".boards"), part.querySelector("#status")];
const [fresh, back] = [part.querySelector("[data-new]"), part.querySelector("[data-back]")];
const SIDES = "xo";
const NOTHING = [null, null, "", ""];
const solved = new Map();
let game, positions, last, you, picked, drawn, wrong, told;

const chosen = (name) => settings.querySelector(`[name="${name}"]:checked`);
const now = () => positions[positions.length - 1];
const opponent = () => chosen("opponent").dataset.title;
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

function result() {
  const end = over(game, now());
  if (end === "loss") return now().turn === you ? "lost" : "won";
  const times = positions.filter((one) => key(one) === key(now())).length;
  return end || (game.rules.movement !== "none" && times >= REPETITIONS) ? "drawn" : "";
}

function ending(how) {
  if (how === "drawn") {
    return `It’s a draw: ${over(game, now()) ? "no move is left" : "the position came up for the third time"}.`;
  }
  const row = rowIn(game, now().stones[1 - now().turn]);
  const many = row && `${members(row).length} in a row`;
  if (how === "won") return `You won: ${many ?? `${opponent()} cannot move`}.`;
  return `You lost: ${many ? `${opponent()} has ${many}` : "you cannot move"}.`;
}

function task() {
  if (picked !== null) return `where should ${game.points[picked]} go?`;
  return now().hand[you] ? "place a stone." : "pick one of your stones to move it.";
}

function words(how) {
  const first = wrong || (how ? ending(how) : `Your turn, ${SIDES[you].toUpperCase()}: ${task()}`);
  const inHand = (side) => `${SIDES[side].toUpperCase()} ${now().hand[side]}`;
  const hands = game.rules.movement !== "none" && !how && now().hand[you] && `In hand: ${inHand(0)}, ${inHand(1)}.`;
  return [first, [told, hands].filter(Boolean).join(" ")];
}

function mark(tag, kind, values) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries({ class: kind, ...values })) made.setAttribute(name, value);
  return made;
}

const ring = (kind, point, r) => mark("circle", kind, { cx: game.spots[point][0], cy: game.spots[point][1], r });

function marks(how) {
  const below = [];
  if (last) below.push(ring("mark-last", last[1], 18));
  if (last && last[0] !== null) below.push(ring("mark-from", last[0], 12));
  if (picked !== null) {
    below.push(ring("mark-picked", picked, 19));
    for (const [from, to] of moves(game, now())) if (from === picked) below.push(ring("mark-open", to, 17));
  }
  const row = how && how !== "drawn" && rowIn(game, now().stones[1 - now().turn]);
  if (!row) return [below, []];
  const [[x1, y1], [x2, y2]] = [members(row)[0], members(row).at(-1)].map((point) => game.spots[point]);
  return [below, [mark("line", "mark-row", { pathLength: 1, x1, y1, x2, y2 })]];
}

function show() {
  tell("noughts:swapping", { old: part });
  const how = result();
  const at = now();
  const ground = board.querySelector("svg > g");
  for (const old of ground.querySelectorAll("[data-stone], [class^=mark-]")) old.remove();
  const [below, above] = marks(how);
  const stone = (side) => (point) => drawn.get(game.points[point] + SIDES[side]);
  const stones = [0, 1].flatMap((side) => members(at.stones[side]).map(stone(side)));
  ground.prepend(...below);
  ground.append(...stones, ...above);
  const legal = how ? [] : moves(game, at);
  const leads = (point) => legal.some(([from, to]) => (picked === null ? from ?? to : to) === point);
  board.querySelectorAll("[data-point]").forEach((button, point) => {
    const side = [0, 1].find((one) => (at.stones[one] >> point) & 1);
    const what = side === undefined ? "empty" : SIDES[side].toUpperCase() + (point === picked ? ", picked" : "");
    button.setAttribute("aria-label", `${game.points[point]}, ${what}`);
    button.name = leads(point) || point === picked ? "play" : "try";
  });
  const [first, second] = words(how);
  status.classList.toggle("wrong", Boolean(wrong));
  status.querySelector(".first").textContent = first;
  status.querySelector(".second").textContent = second;
  fresh.classList.toggle("main", Boolean(how));
  back.hidden = Boolean(how) || positions.length < 3;
  Object.assign(part.dataset, { game: game.name, turn: SIDES[at.turn], ended: how });
  part.dataset.level = /^level(.)$/.exec(chosen("opponent").value)?.[1] ?? "";
  if (!how) delete part.dataset.ended;
  tell("noughts:swapped", { part: "game" });
}

function make(move) {
  positions.push(after(now(), move));
  [last, picked, told] = [move, null, ""];
}

const written = (move) => move.filter((point) => point !== null).map((point) => game.points[point]).join("-");

function reply() {
  if (result() || now().turn === you) return;
  if (!solved.has(game.name)) solved.set(game.name, solve(game));
  const habits = game.opponents[chosen("opponent").value];
  const move = choose(game, solved.get(game.name), now(), positions.map(key), habits);
  make(move);
  told = `${opponent()} answered ${written(move)}.`;
}

// What is wrong with a click; empty if it is the first half of a move. `moving` are the moves of the stone on the point.
function refusal(point, moving) {
  const name = game.points[point];
  const own = (now().stones[you] >> point) & 1;
  if (now().hand[you]) return `${name} is occupied: place your stone on an empty point.`;
  if (own) return moving.length ? "" : `${name} cannot move: there is no empty point beside it.`;
  if (picked !== null) return `${game.points[picked]} cannot go to ${name}.`;
  if ((now().stones[1 - you] >> point) & 1) return `${name} is not yours: pick one of your own stones.`;
  return `${name} is empty: first pick the stone of yours that should move.`;
}

function press(point) {
  if (result()) return;
  const legal = moves(game, now());
  const move = legal.find(([from, to]) => from === picked && to === point);
  wrong = "";
  if (move) {
    make(move);
    reply();
  } else {
    wrong = refusal(point, legal.filter(([from]) => from === point));
    picked = wrong || picked === point ? null : point;
  }
  show();
}

function begin() {
  const name = chosen("game").value;
  if (game?.name !== name) {
    const template = document.getElementById(`board-${name}`);
    game = JSON.parse(template.dataset.values);
    board.replaceChildren(template.content.cloneNode(true));
    drawn = new Map([...board.querySelectorAll("[data-stone]")].map((stone) => [stone.dataset.stone, stone]));
    ladder.dataset.ladder = name;
    delete ladder.dataset.given;
    settings.querySelector("[name=opponent][data-usual]").checked = true;
  } else if (part.dataset.level && part.dataset.ended !== "drawn") delete ladder.dataset.given;
  positions = [start(game)];
  [last, picked, wrong, told] = NOTHING;
  you = chosen("begins").value === "you" ? 0 : 1;
  show(); // the level that was kept for this game is set by now
  if (now().turn === you) return;
  reply();
  show();
}

board.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-point]");
  if (button) press(game.points.indexOf(button.dataset.point));
});
fresh.addEventListener("click", begin);
back.addEventListener("click", () => {
  do positions.pop();
  while (now().turn !== you);
  [last, picked, wrong, told] = NOTHING;
  show();
});
settings.addEventListener("change", ({ target, isTrusted }) => {
  if (target.name !== "opponent") begin();
  else if (isTrusted) ladder.dataset.given = "";
});
begin();

const kept = document.getElementById("kept");
const { serviceWorker } = navigator;
if (!serviceWorker) kept.textContent = kept.dataset.not;
else {
  serviceWorker.register("/offline/worker.js", { scope: "/offline" }).then(
    () => serviceWorker.ready.then(() => (kept.textContent = kept.dataset.kept)),
    () => (kept.textContent = kept.dataset.not),
  );
}
