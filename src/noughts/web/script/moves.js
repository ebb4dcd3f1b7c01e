// The list of moves shows the present one: it is scrolled as far as that takes and no further, and the page not at all.

let top = 0;

function follow() {
  const list = document.querySelector(".moves");
  const present = list?.querySelector("[aria-current]");
  if (!present) return;
  list.scrollTop = top;
  const edge = parseFloat(getComputedStyle(list).paddingTop);
  const [outer, inner] = [list.getBoundingClientRect(), present.getBoundingClientRect()];
  const above = outer.top + edge - inner.top;
  const below = inner.bottom - (outer.bottom - edge);
  if (above > 0) list.scrollTop -= above;
  else if (below > 0) list.scrollTop += below;
  top = list.scrollTop;
}

// Every swap brings a new list, which goes on where the one before was.
document.addEventListener("scroll", ({ target }) => {
  if (target.matches?.(".moves")) top = target.scrollTop;
}, true);
document.addEventListener("noughts:swapped", follow);
document.fonts.ready.then(follow); // letters of another width break the lines elsewhere
follow();
