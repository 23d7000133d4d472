"""A program that calls tools by MCP: those of the pack and those of its own server, at one address."""

import json
import os
import urllib.request

URL, TOKEN = os.environ["AGENTCLASH_MCP_URL"], os.environ["AGENTCLASH_MCP_TOKEN"]


def send(method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    with urllib.request.urlopen(urllib.request.Request(URL, body, headers)) as reply:
        return json.load(reply)["result"]


def call(tool, **arguments):
    text = send("tools/call", name=tool, arguments=arguments)["content"][0]["text"]
    return json.loads(text)


names = [tool["name"] for tool in send("tools/list")["tools"]]
if "units__convert" not in names:
    raise SystemExit(f"there is no units__convert among {names}")
distance = call("read_distance") if "read_distance" in names else {"miles": 26.2}
print(call("units__convert", **{"value": distance["miles"], "from": "mile", "to": "kilometre"})["content"], end="")
