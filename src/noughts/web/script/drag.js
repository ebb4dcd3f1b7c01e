// Dragging rotates the cube: every so many pixels press one of the links that rotate it.

const PIXELS = 28;
let from = null;
let rotated = false;

document.addEventListener("pointerdown", (event) => {
  rotated = false;
  from = event.button === 0 && event.target.closest?.("[data-drag]") ? event.clientX : null;
});

document.addEventListener("pointermove", (event) => {
  if (from === null) return;
  const moved = event.clientX - from;
  if (Math.abs(moved) < PIXELS) return;
  from = event.clientX;
  rotated = true;
  const link = document.querySelector(`a[data-focus="${moved > 0 ? "right" : "left"}"]`);
  link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
});

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (from = null));

// A drag that ends on a point is not a click on it, and a point is not an object to drag away.
document.addEventListener("click", (event) => {
  if (rotated && event.isTrusted && event.target.closest?.("[data-drag]")) event.preventDefault();
}, true);
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("[data-drag]")) event.preventDefault();
});
