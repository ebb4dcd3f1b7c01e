// A board to play on, in place of its picture; docs/extensions/explorer.py says what the page brings with it.
"use strict";

const SIDES = ["X", "O"];
const WORDS = { A: "win", a: "draw", 0: "loss" };
const FLIPPED = { win: "loss", draw: "draw", loss: "win" };

function element(kind, parent, attributes = {}, text = "") {
  const made = document.createElement(kind);
  Object.assign(made, attributes);
  made.textContent = text;
  parent.append(made);
  return made;
}

function explore(place) {
  const { values, rows, start } = place.dataset;
  const lines = rows.split(" ").map((row) => [...row].map(Number));
  const played = [[...start]];
  place.textContent = "";
  const board = element("div", place, { className: "cells", role: "group", ariaLabel: "Board" });
  const cells = [...start].map((_, cell) => element("button", board, { type: "button", onclick: () => play(cell) }));
  const status = element("p", place, { className: "status", ariaLive: "polite" });
  const hands = element("p", place, { className: "hands" });
  const back = element("button", hands, { type: "button", onclick: () => { played.pop(); show(); } }, "Take back");
  element("button", hands, { type: "button", onclick: () => { played.splice(0, played.length, [..."........."]); show(); } }, "Empty board");

  const here = () => played[played.length - 1];
  const turn = (cellsNow) => cellsNow.filter((cell) => cell !== ".").length % 2;
  const after = (cell) => here().map((one, at) => (at === cell ? SIDES[turn(here())] : one));
  const won = (cellsNow) => lines.find((line) => SIDES.includes(cellsNow[line[0]]) && line.every((at) => cellsNow[at] === cellsNow[line[0]]));

  // The value of a position for the player to move: its outcome, and the plies until then.
  function value(cellsNow) {
    const number = cellsNow.reduceRight((sum, cell) => 3 * sum + ".XO".indexOf(cell), 0);
    const letter = values[number];
    const first = letter >= "a" ? "a" : letter >= "A" ? "A" : "0";
    return [WORDS[first], letter.charCodeAt(0) - first.charCodeAt(0)];
  }

  function play(cell) {
    if (here()[cell] === "." && !won(here())) {
      played.push(after(cell));
      show();
    }
  }

  function show() {
    const now = here();
    const over = Boolean(won(now)) || !now.includes(".");
    cells.forEach((button, cell) => {
      const name = "abc"[cell % 3] + (1 + Math.floor(cell / 3));
      const free = now[cell] === "." && !over;
      const [outcome, plies] = free ? value(after(cell)) : ["", 0];
      const worth = FLIPPED[outcome];
      button.className = free ? worth : now[cell] === "." ? "" : `stone ${now[cell].toLowerCase()}`;
      button.textContent = free ? `${worth[0].toUpperCase()}${plies + 1}` : now[cell].replace(".", "");
      button.ariaLabel = free ? `${name}: ${worth} in ${plies + 1}` : `${name}, ${now[cell] === "." ? "empty" : now[cell]}`;
      button.ariaDisabled = String(!free);
    });
    const [outcome, plies] = value(now);
    const side = SIDES[turn(now)];
    status.textContent = won(now) ? `${SIDES[1 - turn(now)]} has won.` : over ? "A draw." : `${side} to move: ${outcome} in ${plies}.`;
    back.disabled = played.length < 2;
  }

  show();
}

document.querySelectorAll(".explorer").forEach(explore);
