"""What pages and the API ask of Noughts, and who works it out.

`questions` are the questions, as functions of plain values; `thinking` answers them within bounds, by processes beside
the server (`thinker`, forked from `seedbed`); `prepared` has the answers that come with the package.
"""
