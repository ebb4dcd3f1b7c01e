// Keys: arrows go from point to point, letters press the links that name them in data-key, `?` shows the list.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The nearest point that way, where a step aside counts double.
function towards(from, [right, down]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const point of document.querySelectorAll("[data-point]")) {
    const [toX, toY] = middle(point);
    const along = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    if (along > 1 && along >= aside / 2 && along + 2 * aside < least) [best, least] = [point, along + 2 * aside];
  }
  return best;
}

function arrow(event, direction) {
  const active = document.activeElement;
  const onPoint = active?.closest?.("[data-point]");
  if (!onPoint && (!document.getElementById("game") || (active !== document.body && active?.id !== "game"))) return;
  const next = onPoint ? towards(onPoint, direction) : document.querySelector("[data-point]");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function press(link) {
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
  if (ARROWS[event.key]) return arrow(event, ARROWS[event.key]);
  if (event.key === "?") {
    const list = document.getElementById("keys");
    if (!list) return;
    list.open = !list.open;
    if (list.open) list.querySelector("summary").focus();
    return;
  }
  const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
  if (!link || event.repeat) return;
  event.preventDefault();
  press(link);
});
