// The run of a chip at the keyboard: left and right step a cycle, with shift ten; the slider goes where it is let go.
// Everything else is links and a form, which swap.js fetches.

const STEPS = { ArrowLeft: ["back", "back10"], ArrowRight: ["on", "on10"] };
const OWN_KEYS = "input, select, textarea, [tabindex='0']";

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key]?.[event.shiftKey ? 1 : 0];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(OWN_KEYS)) return;
  const link = document.querySelector(`#run a[data-step="${step}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("#run input[type=range]")) event.target.form.requestSubmit();
});

// What matters now, in the middle of what can be seen of a wide picture.
function centre() {
  for (const picture of document.querySelectorAll("[data-centre]")) {
    const now = picture.querySelector(picture.dataset.centre)?.getBoundingClientRect();
    if (!now) continue;
    const seen = picture.getBoundingClientRect();
    picture.scrollLeft += now.left + now.width / 2 - seen.left - seen.width / 2;
  }
}

document.addEventListener("noughts:swapped", centre);
centre();
