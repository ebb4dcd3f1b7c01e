// A review at the keyboard: left and right step a move, Home and End go to the first and the last. A click on the curve is
// one on the move in the list, which data-press names. And while moves are
// still being looked at, the page asks for them: the first time here, then swap.js comes again by itself.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest?.("input, select, textarea")) return;
  const link = document.querySelector(`#review a[data-step="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.("[data-press]");
  if (pressed) document.querySelector(`#review [data-focus="${CSS.escape(pressed.dataset.press)}"]`)?.click();
});

setTimeout(() => document.querySelector("a[data-again]")?.click(), 500);
