"""Examples that Hypothesis makes up are the same in every run, so that a change is judged by what it changes.

`pytest --hypothesis-profile=default` looks for others.
"""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
