"""The web: pages and a JSON API. Every position has a URL, so the server keeps no game: back is undo, a link shares.

`server` serves the application that `app` puts together. A page each has a file in `pages`, and so has the
API; `boards` draws what they show. `sitting` is a game being played as its URL has it, `walk` the way to a position
that is explored; `asking` is what they ask of Noughts, and who works it out; `listening` and `replying` look after live
games; `limits` is what every request has to pass. `script`, `static` and `templates` are what the browser gets.
"""

from noughts.extras import need

need("fastapi", "the web")
