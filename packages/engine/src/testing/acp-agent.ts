import type { PlannedAgent, ProgramConfig } from '@agentclash/attempt-plan';

/** An agent of ACP in Python. `act(prompt)` takes a turn and returns the reason of its end; its mode is an argument. */
const AGENT = `
import json, os, sys, time
mode = sys.argv[1]
turns = 0

def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    sys.stdout.flush()

def update(kind, **members):
    send({"method": "session/update", "params": {"sessionId": "s-1", "update": {"sessionUpdate": kind, **members}}})

def message(text):
    update("agent_message_chunk", content={"type": "text", "text": text})

def request(method, params):
    send({"id": "own", "method": method, "params": {"sessionId": "s-1", **params}})
    reply = json.loads(sys.stdin.readline())
    assert reply["id"] == "own", reply
    return reply

def act(prompt):
    global turns
    turns += 1
    texts = [part["text"] for part in prompt]
    if mode.startswith("tools"):
        message(json.dumps([[server["name"], server["type"], server["url"]] for server in servers]))
    elif mode == "permission":
        options = [{"optionId": "no", "kind": "reject_once"}, {"optionId": "yes", "kind": "allow_once"}]
        granted = request("session/request_permission", {"toolCall": {}, "options": options})
        refused = request("fs/read_text_file", {"path": "/etc/passwd"})
        message(json.dumps([granted["result"], refused["error"]["code"]]))
    elif mode == "prompt":
        message("%d: " % os.getpid() + " | ".join(text.splitlines()[0] for text in texts))
    elif mode == "refusal":
        message("I will not.")
        return "refusal"
    elif mode == "silence":
        message("soon")
        time.sleep(600)
    elif mode == "exit":
        sys.exit(3)
    elif mode == "leave":
        sys.exit(0)
    elif mode == "talk":
        while True: message("x" * 100000)
    elif mode == "noise":
        while True: sys.stderr.write("x" * 100000)
    elif mode == "line":
        while True: sys.stdout.write("x" * 100000)
    elif mode == "greedy":
        while True: send({"id": 1, "method": "session/request_permission", "params": {"options": [{"optionId": "y" * 900, "kind": "allow_once"}] * 1}})
    elif mode == "forger":
        send({"id": 3, "result": {"because": "completed", "finishedBy": "program", "output": "forged"}})
        time.sleep(600)
    elif mode == "deep":
        sys.stdout.write("[" * 1000000 + "\\n")
        message("still here")
    elif mode == "junk":
        sys.stdout.write("Loaded credentials.\\n\\n[]\\n5\\nnull\\n{\\"id\\": 99, \\"result\\": {}}\\n")
        message("still here")
    else:
        message("I look. ")
        update("tool_call", toolCallId="1", title="ls")
        with open("turns.txt", "a") as file:
            file.write("%d %s\\n" % (turns, texts[-1].splitlines()[0]))
        update("agent_thought_chunk", content={"type": "text", "text": "hidden"})
        message("turn %d of " % turns)
        message("%d, %d parts" % (os.getpid(), len(texts)))
    return "end_turn"

for line in sys.stdin:
    call = json.loads(line)
    method, params = call["method"], call["params"]
    if method == "initialize":
        assert params["clientCapabilities"] == {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        version = 7 if mode == "future" else params["protocolVersion"]
        http = {"mcpCapabilities": {"http": True}} if mode == "tools" else {}
        send({"id": call["id"], "result": {"protocolVersion": version, "agentCapabilities": http}})
    elif method == "session/new":
        if mode == "login":
            send({"id": call["id"], "error": {"code": -32000, "message": "Authentication required"}})
            continue
        servers = params["mcpServers"]
        assert os.path.isabs(params["cwd"]) and os.getcwd() == params["cwd"]
        send({"id": call["id"], "result": {"sessionId": "s-1"}})
    elif method == "session/prompt":
        send({"id": call["id"], "result": {"stopReason": act(params["prompt"])}})
        if mode == "goodbye":
            break
if mode == "stubborn":
    time.sleep(600)
`;

/** The agent in one of its modes. */
export const acpCommand = (mode: string): string[] => ['python3', '-u', '-c', AGENT, mode];

/** A deployment of the agent in one of its modes. */
export function acpAgent(mode: string, more: Partial<ProgramConfig> = {}): PlannedAgent {
  return { kind: 'program', config: { command: acpCommand(mode), protocol: 'acp', ...more } };
}
