"""How a person gets at what is on a page: with a mouse, with a finger, or with the keyboard alone.

The keyboard knows no place, only what has the focus: Tab goes to the next thing that can be pressed, arrows go from
point to point on a board and from choice to choice in a group, Enter presses. Whoever uses it looks where the focus is
and presses the key that leads towards the goal; so does this.
"""

from typing import Any, Protocol

from playwright.sync_api import Locator

__all__ = ["HANDS", "Finger", "Hand", "Keyboard", "Mouse"]

FARTHEST = 200
"""Keys after which a goal counts as out of reach."""
LOOK = """
(goal) => {
  const here = document.activeElement;
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [[x, y], [toX, toY]] = [middle(here), middle(goal)];
  return {
    there: here === goal,
    ahead: Boolean(here.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_FOLLOWING),
    onBoard: here.hasAttribute("data-point") && goal.hasAttribute("data-point"),
    choice: goal.type === "radio",
    sameChoice: goal.type === "radio" && here.type === "radio" && here.name === goal.name,
    right: toX - x,
    down: toY - y,
    visible: here.matches(":focus-visible"),
  };
}
"""


class Hand(Protocol):
    """Somebody's way to press things."""

    touch: bool

    def press(self, goal: Locator) -> None:
        """Press a link, a button, or one of several choices."""


class Mouse:
    """Points and clicks."""

    touch = False

    def press(self, goal: Locator) -> None:
        """Click on it."""
        goal.click()


class Finger:
    """Taps, on a telephone."""

    touch = True

    def press(self, goal: Locator) -> None:
        """Tap on it."""
        goal.tap()


class Keyboard:
    """Presses keys, and nothing else."""

    touch = False

    def press(self, goal: Locator) -> None:
        """Go there key by key, then press Enter; a choice is made by going there."""
        keys = goal.page.keyboard
        distance, tabbing = float("inf"), False
        for _ in range(FARTHEST):
            seen = goal.evaluate(LOOK)
            if seen["there"]:
                assert seen["visible"], "the focus is not to be seen"
                if not seen["choice"]:
                    keys.press("Enter")
                return
            left = abs(seen["right"]) + abs(seen["down"])
            tabbing = tabbing or not left < distance
            keys.press(_key(seen, tabbing))
            distance = left if seen["onBoard"] else float("inf")
        raise AssertionError(f"no way to {goal} with the keyboard")


def _key(seen: dict[str, Any], tabbing: bool) -> str:
    """The key that leads on; where arrows lead no nearer, Tab does, point by point."""
    if seen["sameChoice"]:
        return "ArrowDown" if seen["ahead"] else "ArrowUp"
    if seen["onBoard"] and not tabbing:
        if abs(seen["right"]) > abs(seen["down"]):
            return "ArrowRight" if seen["right"] > 0 else "ArrowLeft"
        return "ArrowDown" if seen["down"] > 0 else "ArrowUp"
    return "Tab" if seen["ahead"] else "Shift+Tab"


HANDS: dict[str, Hand] = {"mouse": Mouse(), "keyboard": Keyboard(), "touch": Finger()}
