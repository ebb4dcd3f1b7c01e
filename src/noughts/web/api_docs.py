"""`/docs`: the API for people, made from the description that programs read at `/openapi.json`."""

import re
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from noughts.web.rendering import page

__all__ = ["EXAMPLES", "router"]

EXAMPLES = "x-examples"
"""The field of the description in which an endpoint lists addresses to try."""
PREFIX = "/api/v1/"

router = APIRouter()


class Field(NamedTuple):
    """A parameter, or a field of an answer."""

    name: str
    kind: str
    needed: bool
    words: str


class Endpoint(NamedTuple):
    """One question that can be asked."""

    anchor: str
    path: str
    title: str
    words: list[str]
    parameters: list[Field]
    examples: list[str]
    answer: str
    fields: list[Field]
    statuses: list[tuple[str, str]]


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """Every endpoint with its parameters, its answer and addresses to try."""
    endpoints = read_description(request.app.openapi())
    return page(request, "docs.html", endpoints=endpoints, here=str(request.base_url).rstrip("/"))


def read_description(description: dict[str, Any]) -> list[Endpoint]:
    """The endpoints of the API, in the order in which they are described."""
    schemas = description["components"]["schemas"]
    return [
        _endpoint(path, methods["get"], schemas)
        for path, methods in description["paths"].items()
        if path.startswith(PREFIX) and "get" in methods
    ]


def _endpoint(path: str, about: dict[str, Any], schemas: dict[str, Any]) -> Endpoint:
    answer = about["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    shape = schemas[answer]
    return Endpoint(
        anchor=re.sub("[^a-z0-9]+", "-", path.removeprefix(PREFIX)).strip("-"),
        path=path,
        title=about["summary"],
        words=[" ".join(part.split()) for part in about["description"].split("\n\n")],
        parameters=[
            Field(
                parameter["name"],
                _kind(parameter["schema"]),
                parameter["required"],
                parameter.get("description", ""),
            )
            for parameter in about.get("parameters", [])
        ],
        examples=about.get(EXAMPLES, []),
        answer=shape.get("description", ""),
        fields=_fields(shape, schemas),
        statuses=[(code, response["description"]) for code, response in about["responses"].items() if code != "200"],
    )


def _fields(shape: dict[str, Any], schemas: dict[str, Any], before: str = "") -> list[Field]:
    """The fields of an answer, and of what its lists hold: `moves[].value`."""
    found = []
    for name, field in shape["properties"].items():
        found.append(Field(before + name, _kind(field), True, field.get("description", "")))
        inside = field.get("items", {}).get("$ref")
        if inside:
            found += _fields(schemas[inside.rpartition("/")[2]], schemas, f"{before}{name}[].")
    return found


def _kind(schema: dict[str, Any]) -> str:
    """What a value is, in a word or two."""
    if "enum" in schema:
        return " | ".join(schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    words = {"integer": "whole number", "string": "text", "object": "names and values", "boolean": "true or false"}
    if schema.get("format") == "date-time":
        return "time"
    if schema.get("type") == "array":
        return "list"
    kind = str(schema["type"])
    return words.get(kind, kind) + _bounds(schema)


def _bounds(schema: dict[str, Any]) -> str:
    if "maxLength" in schema:
        return f", up to {schema['maxLength']} characters"
    if "minimum" in schema and schema.get("maximum", 1_000) < 1_000:
        return f" from {schema['minimum']} to {schema['maximum']}"
    if "minimum" in schema:
        return f" from {schema['minimum']}"
    return ""
