// A board with more points than fingers can hit, in the element with data-zoom: the whole of it fits first. A tap where
// points are small comes closer, so that the place that was tapped stays under the finger; the next tap presses a point.
// Buttons with data-zoom-by and the keys + and - zoom as well. What was in sight stays there, from swap to swap and from page
// to page of one game, but for as much as it takes to see the last move.

const FINGER = 44; // pixels across that a finger needs
const SMALL = 30; // pixels below which it cannot be sure
const LARGEST = 64;
const KEPT = "noughts:zoom";
const KEYS = { "+": 1.6, "=": 1.6, "-": 0.625 };
const game = () => new URLSearchParams(location.search).get("id");
const board = () => document.querySelector("[data-zoom]");
const across = (box) => box.querySelector("[data-point]").getBoundingClientRect().width;
let seen = read(); // of which game, how large, and what is at the left and at the top, as shares of the board
let touched = false;

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(box) {
  const { scrollWidth, scrollHeight } = box;
  seen = { game: game(), scale: seen.scale, left: box.scrollLeft / scrollWidth, top: box.scrollTop / scrollHeight };
}

// So large, and in a window that stays as large as the whole board is.
function size(box, scale) {
  const sheet = box.firstElementChild;
  sheet.style.width = box.style.height = "";
  box.classList.remove("zoomed");
  if (scale > 1) {
    const whole = sheet.getBoundingClientRect();
    box.style.height = `${box.getBoundingClientRect().height}px`;
    sheet.style.width = `${whole.width * scale}px`;
    box.classList.add("zoomed");
  }
  seen.scale = scale;
}

// By this factor, with this place of the window where it is.
function zoom(box, by, x, y) {
  const sheet = box.firstElementChild;
  const before = sheet.getBoundingClientRect();
  const scale = Math.max(1, Math.min((seen.scale ?? 1) * by, ((seen.scale ?? 1) * LARGEST) / across(box)));
  size(box, scale);
  const after = sheet.getBoundingClientRect();
  box.scrollLeft += after.left + ((x - before.left) / before.width) * after.width - x;
  box.scrollTop += after.top + ((y - before.top) / before.height) * after.height - y;
  keep(box);
}

function zoomAtMiddle(by) {
  const box = board();
  const { left, top, width, height } = box.getBoundingClientRect();
  zoom(box, by, left + width / 2, top + height / 2);
}

// The last move, with as much around it as a point is wide, and nothing moved further than that takes.
function reveal(box) {
  const last = box.querySelector(".mark-last")?.getBoundingClientRect();
  if (!last) return;
  const [outer, edge] = [box.getBoundingClientRect(), across(box)];
  const over = (low, high, from, to) => (low - edge < from ? low - edge - from : Math.max(0, high + edge - to));
  box.scrollLeft += over(last.left, last.right, outer.left, outer.right);
  box.scrollTop += over(last.top, last.bottom, outer.top, outer.bottom);
}

function restore() {
  const box = board();
  if (!box) return;
  if (seen.game !== game()) seen = { game: game(), scale: 1 };
  const { left = 0, top = 0 } = seen;
  size(box, seen.scale ?? 1);
  if (seen.scale > 1) {
    box.scrollLeft = left * box.scrollWidth;
    box.scrollTop = top * box.scrollHeight;
    reveal(box);
  }
  keep(box);
}

document.addEventListener("pointerdown", (event) => (touched = event.pointerType === "touch"), true);
document.addEventListener("click", (event) => {
  const by = event.target.closest?.("[data-zoom-by]")?.dataset.zoomBy;
  if (by) return zoomAtMiddle(Number(by));
  const point = event.target.closest?.("[data-zoom] [data-point]");
  if (!point || !touched || !event.detail) return;
  const wide = across(board());
  if (wide >= SMALL) return;
  event.preventDefault();
  event.stopPropagation();
  point.classList.add("aimed");
  zoom(board(), FINGER / wide, event.clientX, event.clientY);
}, true);
document.addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey || !board()) return;
  if (event.target.closest?.("input, textarea, select")) return;
  event.preventDefault();
  zoomAtMiddle(KEYS[event.key]);
});
document.addEventListener("scroll", ({ target }) => {
  if (target.matches?.("[data-zoom]") && target.classList.contains("zoomed")) keep(target);
}, true);
document.addEventListener("noughts:swapped", restore);
addEventListener("resize", restore);
addEventListener("pagehide", () => sessionStorage.setItem(KEPT, JSON.stringify(seen)));
restore();
