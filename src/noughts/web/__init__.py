"""The web: pages and a JSON API. Every position has a URL, so the server keeps no game: back is undo, a link shares.

`server` serves the application that `app` puts together. A page each has a file in `pages`, and so has the
API; `boards` draws what they show. `sitting` is a game being played as its URL has it; `thinking` is where answers
that may take long are worked out, by processes (`thinker`); `questions` are those answers; `limits` is what every
request has to pass.
"""
