"""A server of tools by MCP without dependencies: one message of JSON-RPC per line."""

import json
import sys

METRES = {"metre": 1, "kilometre": 1000, "mile": 1609.344}
UNIT = {"type": "string", "enum": list(METRES)}
CONVERT = {
    "name": "convert",
    "description": "Convert a length from one unit to another.",
    "inputSchema": {
        "type": "object",
        "properties": {"value": {"type": "number"}, "from": UNIT, "to": UNIT},
        "required": ["value", "from", "to"],
        "additionalProperties": False,
    },
}


def called(value, unit, to):
    return {"content": [{"type": "text", "text": str(round(value * METRES[unit] / METRES[to], 2))}]}


def result_of(method, params):
    if method == "initialize":
        info = {"name": "units", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [CONVERT]}
    if method == "tools/call":
        arguments = params["arguments"]
        return called(arguments["value"], arguments["from"], arguments["to"])
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = result_of(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
