// What a reader has unfolded stays so when its part of the page is swapped: every details that has an id.

document.addEventListener("noughts:swapping", ({ detail: { old, fresh } }) => {
  for (const one of old.querySelectorAll("details[open][id]")) {
    const again = fresh.querySelector(`#${CSS.escape(one.id)}`);
    if (again) again.open = true;
  }
});
