// Sounds, for those who want them: a button with data-sound turns them on, and this browser remembers it. They are made on
// the spot, by two or three tones, when motion.js tells of stones and when a game has ended (data-ended of the part).

const KEPT = "noughts:sound";
const ENDS = { won: [523, 659, 784], lost: [392, 330, 262], drawn: [392, 440, 392] };
let player = null;
let ended = document.getElementById("game")?.dataset.ended;

const on = () => localStorage.getItem(KEPT) === "on";

function tone(frequency, after, length) {
  player ??= new AudioContext();
  const [begin, sound, loudness] = [player.currentTime + after / 1000, player.createOscillator(), player.createGain()];
  sound.type = "triangle";
  sound.frequency.setValueAtTime(frequency, begin);
  loudness.gain.setValueAtTime(0.2, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, begin + length / 1000);
  sound.connect(loudness).connect(player.destination);
  sound.start(begin);
  sound.stop(begin + length / 1000);
}

function tell() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.setAttribute("aria-pressed", on());
    button.textContent = on() ? "Sound on" : "Sound off";
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-sound]")) return;
  localStorage.setItem(KEPT, on() ? "off" : "on");
  tell();
  if (on()) tone(440, 0, 120);
});
document.addEventListener("noughts:moved", ({ detail: { set, lost, after } }) => {
  if (!on()) return;
  if (set) tone(after ? 294 : 349, after, 90);
  if (lost) [247, 185].forEach((frequency, step) => tone(frequency, after + 90 * step, 120));
});
document.addEventListener("noughts:swapped", () => {
  const now = document.getElementById("game")?.dataset.ended;
  if (on() && now && !ended) ENDS[now].forEach((frequency, step) => tone(frequency, 600 + 160 * step, 300));
  ended = now;
});
tell();
