// A part with data-live="URL" is about something that others change, too: a live game, or a classroom. The server says
// at that address (server-sent events) which version there is; if it is not the one that is shown, in data-version, the
// link with id="news" is pressed, and swap.js fetches the part again. A link that would lead to a button for a move
// presses that button instead. Who only watches does not listen while the page cannot be seen: browsers keep few connections
// to one server. Who plays (data-seat) does: the title of the page says whose turn it is (data-title).

const AGAIN = 3000;
const SILENCE = 40000; // milliseconds; the server says every 15 seconds that it is there
let source = null;
let heard = 0;
let last = 0;
let timer = 0;

const part = () => document.querySelector("[data-live]");

// A swap that is under way may be a move on its way to the server: it is not disturbed.
function refresh() {
  const here = part();
  if (!here || here.getAttribute("aria-busy") || heard <= Number(here.dataset.version)) return;
  document.getElementById("news")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

function listen() {
  const here = part();
  const wanted = here && (!document.hidden || "seat" in here.dataset) ? new URL(here.dataset.live, location.href).href : "";
  if (here?.dataset.title) document.title = here.dataset.title;
  if (source && source.url.split("?")[0] === wanted && source.readyState !== EventSource.CLOSED) return;
  source?.close();
  clearTimeout(timer);
  heard = 0;
  last = Date.now();
  source = wanted ? new EventSource(`${wanted}?version=${here.dataset.version}`) : null;
  if (!source) return;
  source.onmessage = ({ data }) => {
    last = Date.now();
    heard = Number(data);
    refresh();
  };
  source.addEventListener("beat", () => (last = Date.now()));
  // A browser comes again by itself after a stream has ended; not after an answer that is none.
  source.onerror = ({ target }) => {
    if (target.readyState !== EventSource.CLOSED || target !== source) return;
    timer = setTimeout(() => {
      heard = Infinity;
      refresh();
      listen();
    }, AGAIN);
  };
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-live] a[href*='move=']");
  const form = document.getElementById("move");
  if (!link || !form || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const button = form.querySelector("button");
  button.value = `move ${new URL(link.getAttribute("href"), location.href).searchParams.get("move")}`;
  form.requestSubmit(button);
}, true);

document.addEventListener("noughts:swapped", () => {
  listen();
  refresh();
});
document.addEventListener("visibilitychange", listen);
setInterval(() => {
  if (!source || Date.now() - last < SILENCE) return;
  source.close();
  listen();
}, SILENCE / 4);
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", listen);
listen();
