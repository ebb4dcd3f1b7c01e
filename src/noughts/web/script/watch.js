// A run that goes on by itself. The button [data-run] inside [data-running="PART"] presses the link of that part which
// leads a step on, again as soon as the step has come and a while has passed; how long, and which link, is in the value
// of the select [data-speed], as "700 on". Where there is no such link any more the run has ended. Without this script the
// button is hidden, and the links are pressed by people.

const controls = document.querySelector("[data-running]");
const button = controls?.querySelector("[data-run]");
const words = button?.textContent;
let running = false;
let timer = 0;

function part() {
  return document.getElementById(controls.dataset.running);
}

function pace() {
  const [wait, link] = controls.querySelector("[data-speed]").value.split(" ");
  return { wait: Number(wait), link: part().querySelector(`a[data-step="${link}"]`) || part().querySelector('a[data-step="on"]') };
}

function set(now) {
  running = now;
  clearTimeout(timer);
  button.textContent = now ? "❚❚ Pause" : words;
  button.setAttribute("aria-pressed", now);
  part().querySelector("[aria-live]")?.setAttribute("aria-live", now ? "off" : "polite"); // not every step is read out
}

function next() {
  if (part().dataset.wait) return; // it is still being worked out, and comes by itself
  const { link } = pace();
  if (link) link.click();
  else set(false);
}

function press() {
  if (running) return set(false);
  const again = !pace().link && part().querySelector('a[data-step="first"]');
  set(true);
  if (again) again.click();
  else next();
}

if (button) {
  controls.hidden = false;
  button.addEventListener("click", press);
  document.addEventListener("noughts:swapped", () => {
    if (!running) return;
    clearTimeout(timer);
    timer = setTimeout(next, pace().wait);
  });
}
