// My games: the numbers of the games that were saved in this browser, in its own storage; the server knows nothing of them
// until the browser asks for a list of these numbers. A link with data-mine leads there, and is hidden where there are none.

const KEY = "noughts:mine";
const MOST = 100;

function numbers() {
  try {
    return (localStorage.getItem(KEY) || "").split(".").filter((word) => /^[1-9][0-9]{0,17}$/.test(word));
  } catch {
    return []; // a browser that keeps nothing
  }
}

function look() {
  const saved = document.querySelector("[data-saved]")?.dataset.saved;
  if (saved) {
    const kept = [saved, ...numbers().filter((word) => word !== saved)].slice(0, MOST);
    try {
      localStorage.setItem(KEY, kept.join("."));
    } catch {}
  }
  const mine = numbers();
  for (const link of document.querySelectorAll("a[data-mine]")) {
    if (mine.length) link.href = `/history?mine=${mine.join(".")}`;
    link.hidden = !mine.length;
  }
}

document.addEventListener("noughts:swapped", look);
look();
