// Swapping a part of a page for a new one, without loading the page again.
//
// A link `<a data-swap="game" href=…>`, or a form with data-swap, is fetched with the header `X-Noughts-Part: game`, and
// what comes back takes the place of the element with id="game". The address follows, so back, forward, reload and
// bookmarks work as they do without this script. A button that submits may have data-swap and formaction of its own.
// Further attributes of the link or form:
//
//   data-history="replace"   the address takes the place of the present one
//   data-history="none"      the address stays as it is; so it does for a button with name="try"
//   data-again               of a form that may be sent again when no answer comes: it does the same only once
//
// A part with data-wait="1000" is not finished: it is fetched again after so many milliseconds. What has the focus keeps
// it: the element with the same data-focus, data-point, id, or name and value. A child of the part with aria-live and an
// id stays, and only its content changes, since only changes are read out. Before every swap `noughts:swapping` is
// dispatched, with the old and the fresh element; after it `noughts:swapped`.

const RETRY = 2000;
let running = null;
let timer = 0;

async function swap(part, url, { body, history = "push", again = !body } = {}) {
  running?.abort();
  clearTimeout(timer);
  const mine = (running = new AbortController());
  const old = document.getElementById(part);
  if (!old) return location.assign(url);
  old.setAttribute("aria-busy", "true");
  let answer, text;
  try {
    answer = await fetch(url, {
      body, method: body ? "POST" : "GET", headers: { "X-Noughts-Part": part }, signal: mine.signal,
    });
    text = await answer.text();
  } catch (error) {
    if (mine.signal.aborted) return;
    say(old, "The server does not answer. Trying again …");
    if (again) timer = setTimeout(() => swap(part, url, { body, history, again }), RETRY);
    return;
  }
  if (mine.signal.aborted) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part);
  if (!fresh) return location.assign(answer.url);
  const wait = Number(fresh.dataset.wait);
  remember(part, answer.url, history);
  document.dispatchEvent(new CustomEvent("noughts:swapping", { detail: { part, old, fresh } }));
  put(old, fresh);
  document.dispatchEvent(new CustomEvent("noughts:swapped", { detail: { part } }));
  if (wait) {
    const after = history === "none" ? "none" : "replace";
    timer = setTimeout(() => swap(part, answer.url, { history: after }), wait);
  }
}

function remember(part, url, how) {
  if (how === "none") return;
  const state = { swapped: part };
  if (how === "replace" || url === location.href) return history.replaceState(state, "", url);
  if (!history.state?.swapped) history.replaceState(state, "");
  history.pushState(state, "", url);
}

function put(old, fresh) {
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const same = active && counterpart(active);
  for (const { name: key } of [...old.attributes]) if (!fresh.hasAttribute(key)) old.removeAttribute(key);
  for (const { name: key, value } of fresh.attributes) old.setAttribute(key, value);
  const live = [...old.children].find((child) => child.id && child.hasAttribute("aria-live"));
  const liveNow = live && [...fresh.children].find((child) => child.id === live.id);
  for (const child of [...old.childNodes]) if (child !== live || !liveNow) child.remove();
  let before = true;
  for (const child of [...fresh.childNodes]) {
    if (child === liveNow) before = false;
    else if (liveNow && before) old.insertBefore(child, live);
    else old.append(child);
  }
  if (liveNow) {
    live.className = liveNow.className;
    if (live.innerHTML !== liveNow.innerHTML) live.replaceChildren(...liveNow.childNodes);
  }
  if (!active) return;
  ((same && old.querySelector(same)) || old).focus({ preventScroll: true });
}

// How to find what stands in the fresh part where this stood in the old one; empty if it has no name.
function counterpart({ dataset: { focus, point }, id, name, value }) {
  if (focus) return `[data-focus="${CSS.escape(focus)}"]`;
  if (point) return `[data-point="${CSS.escape(point)}"]`;
  if (id) return `#${CSS.escape(id)}`;
  return name && `[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
}

function say(part, words) {
  const live = part.querySelector("[aria-live]");
  if (!live) return;
  const line = document.createElement("p");
  line.textContent = words;
  live.replaceChildren(line);
}

function ours(url) {
  return url.origin === location.origin;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-swap][href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.getAttribute("href"), location.href);
  if (!ours(url)) return;
  event.preventDefault();
  swap(link.dataset.swap, url.href, { history: link.dataset.history });
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const [part, action] = event.submitter?.dataset.swap
    ? [event.submitter.dataset.swap, event.submitter.getAttribute("formaction")]
    : [form.dataset.swap, form.getAttribute("action")];
  if (!part || event.defaultPrevented) return;
  const url = new URL(action || location.href, location.href);
  if (!ours(url)) return;
  event.preventDefault();
  const sent = new URLSearchParams(new FormData(form, event.submitter));
  const post = form.method === "post";
  if (!post) url.search = sent.toString();
  const history = event.submitter?.name === "try" ? "none" : form.dataset.history;
  const again = !post || "again" in form.dataset;
  swap(part, url.href, { body: post ? sent : undefined, history, again });
});

addEventListener("popstate", (event) => {
  if (event.state?.swapped) swap(event.state.swapped, location.href, { history: "none" });
});
