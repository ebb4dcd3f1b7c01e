"""What the main program of 1990 draws, written from its calls of curses in appendix F.3: a grid and a cursor.

Every function of the appendix that draws or asks is here, with its coordinates and its strings (the board's with the
blanks that the scan has lost); the algorithm is not: replies and times are given from outside. The screen is noted
whenever the program waits for a key and none has been typed ahead; so is what it writes to its log.
"""

from collections.abc import Callable, Iterator

__all__ = ["MainProgram"]

Reply = Callable[[list[str]], tuple[int, int]]


class MainProgram:
    """Runs on lines of keys until they end; `screens` and `log` are what came of it."""

    def __init__(self, lines: list[str], reply: Reply, time_words: Callable[[int], str]) -> None:
        self.grid = [[" "] * 80 for _ in range(24)]
        self.y = self.x = 0
        self.screens: list[str] = []
        self.log = ""
        self.reply, self.time_words = reply, time_words
        self.keys = self._typed(lines)
        self.left = False
        try:
            self.main()
        except EOFError:
            self.left = True

    # What curses does.

    def _typed(self, lines: list[str]) -> Iterator[str]:
        for line in lines:
            self.screens.append("\n".join("".join(row).rstrip() for row in self.grid).rstrip("\n"))
            yield from line
        self.screens.append("\n".join("".join(row).rstrip() for row in self.grid).rstrip("\n"))

    def move(self, y: int, x: int) -> None:
        self.y, self.x = y, x

    def addstr(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self.y, self.x = self.y + 1, 0
            else:
                self.grid[self.y][self.x] = character
                self.x += 1

    def getch(self) -> str:
        """Echo is on, since nobody turns it off. The end of the keys, and q, are a way to leave that we have added."""
        key = next(self.keys, "q")
        if key == "q":
            raise EOFError
        self.addstr(key)
        return key

    # What the program does.

    def main(self) -> None:
        again = True
        while again:
            self.reset()
            self.log += "\n"
            if self.askmessage("Do you want to play first?"):
                self.log += f"{self.askmove()}      "
                self.levch += 1
            while True:
                self.levch += 1
                place, time = self.reply(self.board)
                self.move(self.timeline, 0)
                self.timeline += 1
                self.addstr(f"Time for {chr(self.levch)}. move :{self.time_words(time)}")
                self.placenewstone(place, "O")
                self.log += f"{place}{time:6d} "
                if self.wins("O") or " " not in self.board:
                    break
                self.log += f"{self.askmove()}      "
                self.levch += 1
                if self.wins("X") or " " not in self.board:
                    break
            self.move(12, 0)
            self.addstr("You won." if self.wins("X") else "I won." if self.wins("O") else "It's a draw")
            again = self.askmessage("Do you want to play again? ")

    def reset(self) -> None:
        self.board = [" "] * 9
        self.grid = [[" "] * 80 for _ in range(24)]
        self.move(0, 0)
        self.addstr("T I C - T A C - T O E")
        self.move(2, 0)
        for row in "123":
            self.addstr("  !---!---!---!\n" + row + " !   !   !   !\n")
        self.addstr("  !---!---!---!\n    A   B   C")
        self.timeline = 16
        self.levch = ord("0")

    def placenewstone(self, i: int, stone: str) -> None:
        self.board[i] = stone
        self.move((i // 3) * 2 + 3, (i % 3) * 4 + 4)
        assert self.grid[self.y][self.x - 2 : self.x + 3] == list("!   !"), "a stone stands in the middle of a field"
        self.addstr(stone)

    def askmessage(self, question: str) -> bool:
        self.move(14, 0)
        self.addstr(question)
        self.addstr(" (Y/N)")
        key = ""
        while key not in ("Y", "N"):
            key = self.getch().upper()
        self.grid[14] = [" "] * 80
        return key == "Y"

    def askmove(self) -> int:
        while True:
            self.move(14, 0)
            self.addstr("Please enter your move : ")
            column = self.getch().upper()
            if column in ("A", "B", "C"):
                row = self.getch()
                if row in ("1", "2", "3"):
                    i = ord(column) - ord("A") + 3 * (ord(row) - ord("1"))
                    if self.board[i] == " ":
                        self.placenewstone(i, "X")
                        return i

    def wins(self, stone: str) -> bool:
        lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
        return any(all(self.board[i] == stone for i in line) for line in lines)
