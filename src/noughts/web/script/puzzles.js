// Puzzles that were solved in this browser, and the streak: on how many days in a row the puzzle of the day was solved.
//
// A part with data-solved is one that was just solved; data-puzzle names it, data-day says whose day's it is, if any's.
// Whatever else has data-puzzle shows its `.solved-mark` if it was solved before; data-solved-of counts those of a game;
// data-streak, with the present day, tells the streak.

const KEY = "noughts.puzzles";

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY)) || {};
    return { solved: found.solved || {}, last: found.last || "", days: found.days || 0 };
  } catch {
    return { solved: {}, last: "", days: 0 };
  }
}

function before(day) {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

function record(kept, name, day) {
  kept.solved[name] = 1;
  if (day && kept.last !== day) {
    kept.days = kept.last === before(day) ? kept.days + 1 : 1;
    kept.last = day;
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still solves puzzles.
  }
}

function show(kept) {
  for (const one of document.querySelectorAll("[data-puzzle]")) {
    const done = kept.solved[one.dataset.puzzle] === 1;
    one.classList.toggle("done", done);
    for (const mark of one.querySelectorAll(".solved-mark")) mark.hidden = !done;
  }
  for (const one of document.querySelectorAll("[data-solved-of]")) {
    const count = Object.keys(kept.solved).filter((name) => name.startsWith(`${one.dataset.solvedOf}/`)).length;
    one.hidden = !count;
    one.textContent = `, ${count} solved`;
  }
  for (const one of document.querySelectorAll("[data-streak]")) {
    const day = one.dataset.streak;
    const going = day && (kept.last === day || kept.last === before(day));
    one.hidden = !going;
    if (going) one.textContent = `Your streak: ${kept.days} ${kept.days === 1 ? "day" : "days in a row"}.`;
  }
}

function look() {
  const kept = read();
  const part = document.querySelector("[data-puzzle][data-solved]");
  if (part) record(kept, part.dataset.puzzle, part.dataset.day);
  show(kept);
}

if (document.querySelector("[data-puzzle], [data-solved-of], [data-streak]")) look();
document.addEventListener("noughts:swapped", look);
