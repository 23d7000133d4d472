import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** From a request's last byte to the first of its reply. */
export const REPLY_DELAY_MS = 50;

/** Calls of one program, one after the other. */
export interface Calls {
  calls: number;
  promptBytes: number;
  /** From the start of one call to that of the next. */
  everyMs: number;
}

/** A program that calls its model and prints the milliseconds of each call as a JSON list. */
const PROGRAM = `
import http.client, json, os, random, sys, time
calls, size, every = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) / 1000
host = os.environ['OPENAI_BASE_URL'].split('/')[2]
message = {'role': 'user', 'content': 'x' * size}
body = json.dumps({'model': 'main', 'stream': True, 'max_tokens': 100, 'messages': [message]})
headers = {'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}
connection = http.client.HTTPConnection(host)
taken = []
time.sleep(random.random() * every)
for call in range(calls):
    started = time.perf_counter()
    connection.request('POST', '/v1/chat/completions', body, headers)
    response = connection.getresponse()
    reply = response.read()
    if response.status != 200 or b'[DONE]' not in reply:
        sys.exit('status ' + str(response.status) + ': ' + reply.decode()[:500])
    seconds = time.perf_counter() - started
    taken.append(round(seconds * 1000, 3))
    time.sleep(max(0, every - seconds))
print(json.dumps(taken))
`;

export function programOf({ calls, promptBytes, everyMs }: Calls): string[] {
  return ['/usr/bin/python3', '-c', PROGRAM, String(calls), String(promptBytes), String(everyMs)];
}

/** The milliseconds of all calls of so many programs that call the provider itself, all at once. */
export async function directCalls(providerUrl: string, programs: number, calls: Calls): Promise<number[]> {
  const [command = '', ...args] = programOf(calls);
  const env = { ...process.env, OPENAI_BASE_URL: `${providerUrl}/v1`, OPENAI_API_KEY: 'none' };
  const outputs = await Promise.all(
    Array.from({ length: programs }, async () => {
      const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      if (code !== 0) throw new Error(`a program that calls the provider directly exited with ${code}`);
      return timesOf(output);
    }),
  );
  return outputs.flat();
}

/** The times that a program printed. */
export function timesOf(output: string): number[] {
  const times: unknown = JSON.parse(output);
  if (!Array.isArray(times)) throw new Error(`a program printed no times: ${output.slice(0, 200)}`);
  return times.map(Number);
}
