/** A coding agent of forty lines: it has a shell and the tools of the pack, and numbers its sessions as others do. */
export const SMALL_AGENT = {
  name: 'small-agent',
  title: 'Small agent',
  wires: ['chat'],
  command: [
    '/usr/bin/python3',
    '-c',
    `
import json, os, subprocess, sys, urllib.request, uuid

def post(url, token, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {
        'content-type': 'application/json', 'accept': 'application/json, text/event-stream',
        'authorization': 'Bearer ' + token})
    return json.load(urllib.request.urlopen(request))

def mcp(method, params):
    body = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}
    return post(sys.argv[1], os.environ['TOKEN'], body)['result']

def function(name, parameters):
    return {'type': 'function', 'function': {'name': name, 'parameters': parameters}}

def used(name, arguments):
    if name != 'bash':
        return mcp('tools/call', {'name': name.removeprefix('pack_'), 'arguments': arguments})['content'][0]['text']
    done = subprocess.run(['sh', '-c', arguments['command']], capture_output=True, text=True)
    return done.stdout + done.stderr

tools = [function('bash', {'type': 'object', 'properties': {'command': {'type': 'string'}}})]
if len(sys.argv) > 1:
    mcp('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'small'}})
    tools += [function('pack_' + tool['name'], tool['inputSchema']) for tool in mcp('tools/list', {})['tools']]
messages = [{'role': 'user', 'content': sys.stdin.read()}]
while messages[-1]['role'] != 'assistant':
    body = {'model': os.environ['MODEL'], 'messages': messages, 'tools': tools, 'user': str(uuid.uuid4())}
    reply = post(os.environ['BASE'] + '/v1/chat/completions', os.environ['TOKEN'], body)['choices'][0]['message']
    messages.append(reply)
    for call in reply.get('tool_calls') or []:
        result = used(call['function']['name'], json.loads(call['function']['arguments']))
        messages.append({'role': 'tool', 'tool_call_id': call['id'], 'content': result})
print(json.dumps({'type': 'result', 'text': messages[-1]['content']}))
`,
  ],
  mcp: { arguments: ['{{url}}/mcp'] },
  stdin: '{{prompt}}',
  env: { BASE: '{{url}}', TOKEN: '{{token}}', MODEL: '{{model}}' },
  final_output: { from: 'last_json_line', where: { type: 'result' }, path: ['text'] },
};
