// How far up the ladder of opponents this browser has come, game by game. It is kept here and nowhere else.
//
// A list of rungs, `[data-ladder="achi"]`, is set to the level kept for that game, unless its data-given says that
// somebody has chosen. What has data-climb says that levels are kept, and is seen only where they are.
//
// Where a game ends on this page, against a rung of the ladder, `#game` has data-game, data-level and data-ended: a win
// leads at least to the rung above that level, a loss at most to the one below. So to see an end twice changes nothing.

const KEY = "noughts.levels";
const HIGHEST = 8;
let going = !document.getElementById("game")?.dataset.ended;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function climb({ game, level, ended }) {
  const levels = kept();
  const ladder = game.split(":")[0];
  const now = levels[ladder] ?? Number(level);
  if (ended === "won") levels[ladder] = Math.min(HIGHEST, Math.max(now, Number(level) + 1));
  else if (ended === "lost") levels[ladder] = Math.max(1, Math.min(now, Number(level) - 1));
  try {
    localStorage.setItem(KEY, JSON.stringify(levels));
  } catch {
    // A browser that keeps nothing begins every game where everybody begins.
  }
}

function look() {
  const game = document.getElementById("game")?.dataset;
  if (game?.ended && going && game.level) climb(game);
  going = !game?.ended;
  for (const words of document.querySelectorAll("[data-climb]")) words.classList.add("on");
  for (const ladder of document.querySelectorAll("[data-ladder]:not([data-given])")) {
    const rung = ladder.querySelector(`input[value="level${Number(kept()[ladder.dataset.ladder])}"]`);
    if (!rung || rung.checked) continue;
    rung.checked = true;
    rung.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

document.addEventListener("noughts:swapped", look);
look();
