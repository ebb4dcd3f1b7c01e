"""Data sets as files: Parquet through PyArrow, or a Zarr group; and a card beside them that says what is in them.

The ending of the name chooses. Batches are written as they are made, a row group or a row of chunks each. All of it is
written beside its place and renamed in the end, so that Ctrl-C or a full disk leaves nothing half written; a Parquet
file that was there is replaced, a folder is not. The card stands beside, with `.md` after the name, and again inside:
in the metadata of the Parquet file (`card`), in the attributes of the group.

| | Parquet | Zarr |
|---|---|---|
| arrays in a row | lists of fixed size, observations laid out flat | further axes |
| what is not there | null | the number in the attribute `missing` |
| the optimal moves in words | `optimal_moves` | by the names of the actions, in the attributes |
"""

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from secrets import token_hex
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from noughts.extras import need
from noughts.games import NoughtsError
from noughts.rl.actions import actions
from noughts.rl.data.card import Tally, card, facts
from noughts.rl.data.columns import Rows
from noughts.rl.data.sets import DataSet
from noughts.solve import Progress

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ENDINGS", "Written", "card_of", "check_place", "write"]

LEVEL = 3
"""Of zstd."""
ATTEMPTS, PAUSE = 10, 0.05
"""How often a folder that will not be gone is removed again, and the seconds between."""


class Written(NamedTuple):
    """What was written, and where."""

    path: Path
    card: Path
    tally: Tally
    size: int
    """In bytes, without the card."""
    columns: list[str]
    """The names of the columns; Parquet has one more."""


def write(data: DataSet, path: str | Path, progress: Progress | None = None) -> Written:
    """Write a data set and its card.

    Args:
        data: What to write.
        path: A file that ends with `.parquet`, or a new folder that ends with `.zarr`.
        progress: Called with how many positions were gone through, and how many there are.

    Returns:
        Where it is, how many rows it has of which value, and its size.

    Raises:
        NoughtsError: If the ending is another, or it cannot be written; then nothing is left behind.
        MissingExtraError: If PyArrow or Zarr is not installed.
    """
    path = Path(path)
    writer = check_place(path)
    tally = Tally()
    about = card_of(path)
    try:
        with _beside(path) as file, _beside(about) as words:
            size, columns = writer(file, data, path.name, tally, progress)
            words.write_text(card(data, path.name, tally), encoding="utf-8")
            for beside, place in ((file, path), (words, about)):
                if place.exists():
                    shutil.copymode(place, beside)
                beside.replace(place.resolve())
    except OSError as error:
        raise _refusal(path, error) from error
    return Written(path, about, tally, size, columns)


Writer = Callable[[Path, DataSet, str, Tally, Progress | None], tuple[int, list[str]]]
"""Writes a data set, and says how many bytes and which columns it has."""


def check_place(path: Path) -> Writer:
    """Refuse a path at which a data set could not be written: called before work that takes long.

    Returns:
        The function that writes in the form that the ending of the name asks for.
    """
    if path.suffix not in ENDINGS:
        names = " or ".join(f"set{ending}" for ending in ENDINGS)
        raise NoughtsError(f"{str(path)!r} has no known ending: expected a name as {names}")
    module, purpose, writer = ENDINGS[path.suffix]
    need(module, purpose)
    if path.suffix == ".zarr" and os.path.lexists(path):
        raise _refusal(path, FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)))
    for place in (path, card_of(path)):
        try:
            if _is_there(place) and not place.is_file():
                raise OSError(errno.EISDIR, "what is there is no regular file")
            place.resolve().parent.stat()
        except OSError as error:
            raise _refusal(place, error) from error
    return writer


def _is_there(path: Path) -> bool:
    """Whether something is at the end of all links; unlike for `Path.exists`, links in a circle are an error."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def card_of(path: Path) -> Path:
    """Where the card of a data set is."""
    return path.with_name(path.name + ".md")


def _write_parquet(
    place: Path, data: DataSet, name: str, tally: Tally, progress: Progress | None
) -> tuple[int, list[str]]:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = _schema(data)
    with place.open("xb") as file:
        with pq.ParquetWriter(file, schema, compression="zstd", compression_level=LEVEL) as writer:
            for batch in data.batches(progress):
                tally.add(batch)
                arrays = [_arrow(batch, field, data) for field in schema]
                writer.write_batch(pa.record_batch(arrays, schema), row_group_size=data.rows_a_batch)
            writer.add_key_value_metadata(
                {"noughts": json.dumps(facts(data, name, tally)), "card": card(data, name, tally)}
            )
        file.flush()
        os.fsync(file.fileno())
    return place.stat().st_size, schema.names


def _schema(data: DataSet) -> "pa.Schema":
    import pyarrow as pa  # noqa: PLC0415

    fields = []
    for column in data.columns:
        kind: Any = pa.string() if column.type == "str" else pa.from_numpy_dtype(np.dtype(column.type))
        kind = pa.list_(kind, prod(column.shape)) if column.shape else kind
        fields.append(pa.field(column.name, kind, column.missing is not None, {"about": column.about}))
        if column.name == "optimal_actions":
            about = {"about": "the optimal actions in notation"}
            fields.append(pa.field("optimal_moves", pa.list_(pa.field("move", pa.string(), False)), False, about))
    return pa.schema(fields)


def _arrow(batch: Rows, field: "pa.Field", data: DataSet) -> "pa.Array":
    """A column of a batch as Arrow has it."""
    import pyarrow as pa  # noqa: PLC0415

    if field.name == "optimal_moves":
        optimal = batch["optimal_actions"]
        ends = np.append(0, np.cumsum(optimal.sum(axis=1, dtype=np.int32), dtype=np.int32))
        # The columns of the ones, row after row; quicker than np.nonzero of two axes.
        moves = pa.array(actions(data.game).names).take(pa.array(np.flatnonzero(optimal.view(bool)) % optimal.shape[1]))
        return pa.ListArray.from_arrays(pa.array(ends), moves, type=field.type)
    column = next(column for column in data.columns if column.name == field.name)
    values = batch[field.name]
    if column.shape:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), type=field.type)
    missing = None if column.missing is None else values == column.missing
    return pa.array(values, field.type, mask=missing)


def _write_zarr(
    place: Path, data: DataSet, name: str, tally: Tally, progress: Progress | None
) -> tuple[int, list[str]]:
    import zarr  # noqa: PLC0415
    from zarr.codecs import ZstdCodec  # noqa: PLC0415

    group = zarr.create_group(place, zarr_format=3)
    arrays = {
        column.name: group.create_array(
            column.name,
            shape=(0, *column.shape),
            chunks=(data.rows_a_batch, *column.shape),
            dtype=column.type,
            fill_value="" if column.type == "str" else column.missing or 0,
            compressors=[ZstdCodec(level=LEVEL)],
            attributes={"about": column.about, **({} if column.missing is None else {"missing": column.missing})},
        )
        for column in data.columns
    }
    for batch in data.batches(progress):
        tally.add(batch)
        for column, array in arrays.items():
            values = batch[column]
            array.append(values.astype(np.dtypes.StringDType()) if values.dtype.kind == "U" else values)
    about = {"card": card(data, name, tally), "actions": list(actions(data.game).names)}
    group.attrs.put({**facts(data, name, tally), **about})
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file()), list(arrays)


ENDINGS: dict[str, tuple[str, str, Writer]] = {
    ".parquet": ("pyarrow", "a data set as Parquet", _write_parquet),
    ".zarr": ("zarr", "a data set as a Zarr group", _write_zarr),
}
"""For every ending, the package that it needs, what for, and what writes it."""


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A free name in the folder of what a path leads to; what is there in the end is removed."""
    beside = path.resolve().with_name(f".noughts-{token_hex(8)}")
    try:
        yield beside
    finally:
        _remove(beside)


def _remove(path: Path) -> None:
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    # After Ctrl-C a thread of Zarr's may still write the chunk that it had begun, into the folder being removed.
    for _ in range(ATTEMPTS):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return
        sleep(PAUSE)


def _refusal(path: Path, error: OSError) -> NoughtsError:
    wanted = "the name of a new folder" if isinstance(error, FileExistsError) else "a place to write to"
    return NoughtsError(f"{str(path)!r} cannot be written: {error.strerror or error}; expected {wanted}")
