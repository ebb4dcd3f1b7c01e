"""The terminal: commands, boards as text, and a game at the keyboard."""
