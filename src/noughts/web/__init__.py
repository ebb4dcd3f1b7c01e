"""The web: pages and a JSON API. Every position has a URL, so the server keeps no game: back is undo, a link shares.

`app` puts everything together; `table` is a game being played as its URL has it; `thinking` is where answers that may
take long are worked out; `questions` are those answers; a page each has a file, and so has the API.
"""
