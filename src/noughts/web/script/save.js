// A game that was played to its end on this page is saved at once: the form is submitted by itself when it has come by a
// swap, after so many milliseconds as data-submit says. Where the page was loaded from an address, which anybody may have
// written, people press the button.

let timer = 0;

document.addEventListener("noughts:swapped", () => {
  clearTimeout(timer);
  const form = document.querySelector("form[data-submit]");
  if (form) timer = setTimeout(() => form.isConnected && form.requestSubmit(), Number(form.dataset.submit));
});
