"""What holds for all tests.

Examples that Hypothesis makes up are the same in every run, so that a change is judged by what it changes;
`pytest --hypothesis-profile=default` looks for others.

A job that a shell starts in the background ignores SIGINT, and so does all that it starts: many tests send one. Here
it means KeyboardInterrupt again, and in processes that tests start what it means by default.
"""

import signal

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

signal.signal(signal.SIGINT, signal.default_int_handler)
