"""The catalogue of a library as a server of tools by MCP, without dependencies: one message of JSON-RPC per line."""

import json
import pathlib
import sys

BOOKS = json.loads(pathlib.Path(__file__).with_name("books.json").read_text())
SEARCH = {
    "name": "search",
    "description": "Find the books about a subject: id, title and year of each.",
    "inputSchema": {
        "type": "object",
        "properties": {"subject": {"type": "string"}},
        "required": ["subject"],
        "additionalProperties": False,
    },
}
STATUS = {
    "name": "status",
    "description": "Whether a book is in or lent.",
    "inputSchema": {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "The id of a book, such as B1."}},
        "required": ["id"],
        "additionalProperties": False,
    },
}


def search(subject):
    return [{key: book[key] for key in ("id", "title", "year")} for book in BOOKS if book["subject"] == subject]


def status(id):
    found = [book["status"] for book in BOOKS if book["id"] == id]
    if not found:
        raise LookupError(f"there is no book {id}")
    return found[0]


TOOLS = {"search": search, "status": status}


def called(name, arguments):
    try:
        text = json.dumps(TOOLS[name](**arguments))
    except (LookupError, TypeError) as error:
        return {"isError": True, "content": [{"type": "text", "text": str(error)}]}
    return {"content": [{"type": "text", "text": text}]}


def result_of(method, params):
    if method == "initialize":
        info = {"name": "catalogue", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [SEARCH, STATUS]}
    if method == "tools/call":
        return called(params["name"], params["arguments"])
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = result_of(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
