import type { PlannedAgent } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';

/** A program with an MCP client of twenty lines; `source` is its work. */
export function mcpProgram(source: string, env: Record<string, string> = {}): PlannedAgent {
  return { kind: 'program', config: { command: ['/usr/bin/python3', '-c', `${CLIENT}\n${source}`], env } };
}

/** A program that makes calls one after the other and prints the result of each. */
export function callingProgram(calls: readonly [string, JsonObject][]): PlannedAgent {
  return mcpProgram(
    `print(json.dumps([call(name, args) for name, args in json.loads(os.environ['CALLS'])]))`,
    { CALLS: JSON.stringify(calls) },
  );
}

/** The result of a call as `callingProgram` prints it. */
export interface PrintedCall {
  isError?: boolean;
  /** The result's text, parsed. */
  result?: JsonValue;
  /** The message of a refusal. */
  error?: string;
}

const CLIENT = `
import json, os, sys, threading, time, urllib.error, urllib.request
URL = os.environ.get('AGENTCLASH_MCP_URL', 'http://127.0.0.1:13131/mcp')
TOKEN = os.environ.get('AGENTCLASH_MCP_TOKEN', '')
def rpc(method, params=None):
    body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params or {}}).encode()
    request = urllib.request.Request(URL, body, {'content-type': 'application/json',
        'accept': 'application/json, text/event-stream', 'authorization': 'Bearer ' + TOKEN})
    return json.load(urllib.request.urlopen(request))
def tools():
    rpc('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'test'}})
    return rpc('tools/list')['result']['tools']
def call(name, args):
    reply = rpc('tools/call', {'name': name, 'arguments': args})
    if 'error' in reply: return {'error': reply['error']['message']}
    return {'isError': reply['result']['isError'], 'result': json.loads(reply['result']['content'][0]['text'])}
`;
