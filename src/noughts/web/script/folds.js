// What was folded or unfolded stays so when its part is swapped: every <details> with an id is as it was left.

const left = new Map();

document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("details[id]") && target.isConnected) left.set(target.id, target.open);
}, true);

document.addEventListener("noughts:swapped", () => {
  for (const [id, open] of left) {
    const fold = document.getElementById(id);
    if (fold) fold.open = open;
  }
});
