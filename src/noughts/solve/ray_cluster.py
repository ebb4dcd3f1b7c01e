"""A Ray cluster: whether one is there, joining it, leaving it, and what its errors mean.

`local` is two workers on this machine, started for the purpose; HOST:PORT is a cluster that is there already.
"""

import socket
import subprocess
import sys
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

from noughts.extras import need
from noughts.games import NoughtsError

__all__ = ["ClusterError", "Joined", "is_loss", "last_line"]

LOCAL_WORKERS = 2
PATIENCE = 4.0
"""Seconds in which a machine has to answer at all."""
ANSWERING = 20.0
"""Seconds in which what answers has to turn out to be a cluster."""


class ClusterError(NoughtsError):
    """A cluster that is not there, or that keeps losing its workers."""


class Joined:
    """A cluster that was joined, until it is left."""

    def __init__(self, address: str) -> None:
        """Raises an error within seconds if no cluster is there."""
        need("ray", "a cluster")
        self.ray: Any = import_module("ray")
        _find(address)
        # Ray tells of lost workers on standard output, which is for answers.
        self._aside = redirect_stdout(sys.stderr)
        self._aside.__enter__()
        try:
            _join(self.ray, address)
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Whatever it held is gone then."""
        self.ray.shutdown()
        self._aside.__exit__(None, None, None)


def _find(address: str) -> None:
    """Complain within seconds if no cluster is at an address: `ray.init` would look for one for minutes."""
    if address == "local":
        return
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise ClusterError(f"no cluster address: {address!r}; expected HOST:PORT, or local")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except OSError as error:
        raise ClusterError(f"no cluster answers at {address}: {error.strerror or error}") from None
    # Somebody listens. Whether it is a cluster is Ray's to say, in a process of its own that can be ended.
    command = Path(sys.executable).with_name("ray")
    asking = [str(command if command.exists() else "ray"), "status", "--address", address]
    try:
        asked = subprocess.run(asking, capture_output=True, text=True, timeout=ANSWERING, check=False)
    except subprocess.TimeoutExpired:
        raise ClusterError(f"no cluster answers at {address}: expected a Ray cluster, found something else") from None
    if asked.returncode != 0:
        raise ClusterError(f"no Ray cluster at {address}: {last_line(asked.stderr) or 'ray status failed'}")


def _join(ray: Any, address: str) -> None:
    """Join a cluster, or start one here."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == "local":
            ray.init(address="local", num_cpus=LOCAL_WORKERS, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except Exception as error:
        # Ray raises errors of all kinds; if it does not start in time, a plain Exception.
        raise ClusterError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from None


def is_loss(ray: Any, error: BaseException) -> bool:
    """Whether a worker or what it held was lost, and not a mistake in the work."""
    errors = ray.exceptions
    lost = (errors.RayActorError, errors.ActorUnschedulableError, errors.WorkerCrashedError)
    losses = (*lost, errors.ObjectLostError, errors.NodeDiedError)
    return isinstance(error, losses) or isinstance(getattr(error, "cause", None), losses)


def last_line(text: str) -> str:
    """Where Ray says what happened."""
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""
