"""`python -m noughts` is the command `noughts`."""

from noughts.cli.main import main

main()
