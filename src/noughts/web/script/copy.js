// Buttons with data-copy="ID" copy what the input of that id holds; without this script they stay disabled.

function enable() {
  for (const button of document.querySelectorAll("button[data-copy]")) button.disabled = false;
}

async function copy(button) {
  const input = document.getElementById(button.dataset.copy);
  const words = button.textContent;
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl+C"; // the clipboard is closed to pages here; the text is selected
  }
  setTimeout(() => (button.textContent = words), 2000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (button) copy(button);
});
document.addEventListener("noughts:swapped", enable);
enable();
