// The first page: the points of the live board lead to a game against whoever is chosen, a board is shown as soon as its
// size or its rules are set (as the button with data-show does without scripts), and a game that is picked further down
// is brought into sight.

function follow() {
  const chosen = document.querySelector('#choice input[name="opponent"]:checked');
  if (!chosen) return;
  for (const point of document.querySelectorAll("#choice .boards a")) {
    const url = new URL(point.getAttribute("href"), location.href);
    url.searchParams.set("o", chosen.value);
    point.setAttribute("href", url.pathname + url.search);
  }
}

document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.name === "opponent") follow();
  const shown = target.closest?.("[data-shown]") && target.form.querySelector("[data-show]");
  if (shown) target.form.requestSubmit(shown);
});

document.addEventListener("noughts:swapped", (event) => {
  if (event.detail.part !== "choice" || !document.activeElement?.closest(".games")) return;
  const title = document.getElementById("chosen");
  title.focus({ preventScroll: true });
  document.getElementById("choice").scrollIntoView();
});
follow();
