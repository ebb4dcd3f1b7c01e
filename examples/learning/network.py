"""A small network that learns: two hidden layers, in NumPy alone.

It sees a board as 2 × n numbers, one's own stones and the other's, and guesses for every point what playing there is
worth: Q-learning with a network, as in DQN. Unlike a table it guesses about positions that it has never seen, and
whatever it learns about one of them changes its guesses about others. So it goes through what it saw again and again,
in random order (a replay memory), each time as one of the images that the symmetries of the board give, and its steps
become smaller and smaller, since guesses that never stop moving never agree.
"""

from collections import deque
from itertools import pairwise

import numpy as np

from lessons import Lesson, Numbers, Seen, wanted
from noughts.games import Game

HIDDEN = (128, 128)
"""Units of the hidden layers."""
MEMORY = 500
"""Lessons that are remembered, of a move in every game."""
PRACTICE = 256
"""Moves of one step of learning."""
REPEATS = 4
"""How often a move is gone through, on average."""
RATE = 2e-3
"""The length of the first steps; it falls to 0 in the last round."""


class Network:
    """What every action seems worth; it learns for so many rounds."""

    def __init__(self, game: Game, seed: int, rounds: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.symmetries = np.array(game.symmetries)
        points = len(game.layout)
        shapes = list(pairwise((2 * points, *HIDDEN, points)))
        self.weights = [self.rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in shapes]
        self.biases = [np.zeros(b, np.float32) for _, b in shapes]
        self.adam = Adam([*self.weights, *self.biases])
        self.rounds, self.round = rounds, 0
        self.memory: deque[Lesson] = deque(maxlen=MEMORY)

    def values(self, seen: Seen) -> Numbers:
        """By position and point: what playing there seems worth to the player to move."""
        return self._activity(seen)[-1]

    def study(self, lessons: list[Lesson]) -> None:
        """Remember the lessons, then go through some of what is remembered."""
        self.memory.extend(lessons)
        known = Lesson.joined(self.memory)
        rate = RATE * (1 - self.round / self.rounds)
        for _ in range(REPEATS * sum(len(lesson.seen) for lesson in lessons) // PRACTICE):
            lesson = known.part(self.rng.integers(len(known.seen), size=PRACTICE))
            image = self.symmetries[self.rng.integers(len(self.symmetries))]
            self.adam.step(self.slopes(lesson.seen[:, image], wanted(self, lesson)[:, image]), rate)
        self.round += 1

    def _activity(self, seen: Seen) -> list[Numbers]:
        """Of all layers: the input, the hidden ones (rectified), the output between -1 and 1."""
        layers = [seen.reshape(len(seen), -1).astype(np.float32)]
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layers.append(np.maximum(layers[-1] @ weights + biases, 0))
        return [*layers, np.tanh(layers[-1] @ self.weights[-1] + self.biases[-1])]

    def slopes(self, seen: Seen, worth: Numbers) -> list[Numbers]:
        """How the mean squared error, where a worth is known, changes with weights and biases (backpropagation)."""
        layers = self._activity(seen)
        error = np.nan_to_num(layers[-1] - worth)
        slope = error * (1 - layers[-1] ** 2) * (2 / np.count_nonzero(~np.isnan(worth)))
        by_weights, by_biases = [], []
        for weights, layer in zip(self.weights[::-1], layers[-2::-1], strict=True):
            by_weights.append(layer.T @ slope)
            by_biases.append(slope.sum(axis=0))
            slope = (slope @ weights.T) * (layer > 0)
        return [*by_weights[::-1], *by_biases[::-1]]


class Adam:
    """Steps that are the longer in a direction, the steadier its slope has been (Kingma and Ba, 2014)."""

    def __init__(self, parameters: list[Numbers]) -> None:
        self.parameters = parameters
        self.means = [np.zeros_like(one) for one in parameters]
        self.squares = [np.zeros_like(one) for one in parameters]
        self.steps = 0

    def step(self, slopes: list[Numbers], rate: float) -> None:
        """Change the parameters, in place."""
        self.steps += 1
        length = np.float32(rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for number, slope in enumerate(slopes):
            self.means[number] += np.float32(0.1) * (slope - self.means[number])
            self.squares[number] += np.float32(0.001) * (slope**2 - self.squares[number])
            self.parameters[number] -= length * self.means[number] / (np.sqrt(self.squares[number]) + np.float32(1e-8))
