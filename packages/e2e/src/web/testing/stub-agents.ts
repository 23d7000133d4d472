import { type Script, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import type { WebFixture } from './web-fixture.js';

/** A coding agent of one tool, a shell, in the API that its argument names; the instructions are another argument. */
const AGENT = `
import json, os, subprocess, sys, urllib.request

api, instructions = sys.argv[1:3]
task = json.load(open(os.environ["AGENTCLASH_TASK"]))
prompt = "\\n".join([instructions, task["instructions"]])
shape = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}

def post(url, headers, body):
    data = json.dumps({"model": os.environ["AGENTCLASH_MODEL"], **body}).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    return json.load(urllib.request.urlopen(request))

def run(command):
    done = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout or "exit code %d" % done.returncode

def anthropic():
    messages = [{"role": "user", "content": prompt}]
    while True:
        reply = post(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", {"x-api-key": os.environ["ANTHROPIC_API_KEY"]}, {
            "max_tokens": 1000, "system": "You are a coding agent.", "messages": messages,
            "tools": [{"name": "Bash", "input_schema": shape}]})
        messages.append({"role": "assistant", "content": reply["content"]})
        calls = [block for block in reply["content"] if block["type"] == "tool_use"]
        if not calls:
            return reply["content"][0]["text"]
        messages.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call["id"], "content": run(call["input"]["command"])} for call in calls]})

def responses():
    items = [{"role": "user", "content": prompt}]
    while True:
        reply = post(os.environ["OPENAI_BASE_URL"] + "/responses", {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}, {
            "instructions": "You are a coding agent.", "input": items, "max_output_tokens": 1000,
            "tools": [{"type": "function", "name": "exec_command", "parameters": shape}]})
        items.extend(reply["output"])
        calls = [item for item in reply["output"] if item["type"] == "function_call"]
        if not calls:
            return reply["output"][-1]["content"][0]["text"]
        for call in calls:
            output = run(json.loads(call["arguments"])["command"])
            items.append({"type": "function_call_output", "call_id": call["call_id"], "output": output})

print({"anthropic": anthropic, "responses": responses}[api]())
`;

/** Reads the task, writes what it knows, looks at it, and ends; by one API it forgets the edge cases. */
const script: Script = ({ resultCount, wire }) => {
  const solutions = wire === 'anthropic' ? 'solutions' : 'hasty_solutions';
  if (resultCount === 0) return { run: 'ls; cat README.md' };
  if (resultCount === 1) return { run: `python3 /agent/solver.py ${solutions}` };
  if (resultCount === 2) return { run: 'cat solution.py' };
  return { text: 'The function is written.' };
};

const ACCOUNTS = { anthropic: 'claude-code', openai: 'codex' } as const;
const APIS = { anthropic: 'anthropic', openai: 'responses' } as const;
type Provider = keyof typeof ACCOUNTS;
const PROVIDERS = Object.keys(ACCOUNTS) as Provider[];

/** Programs that call a scripted provider as coding agents do, below the names of two of them. */
export class StubAgents {
  private constructor(
    private readonly web: WebFixture,
    private readonly models: ScriptedModel,
  ) {}

  /** Publishes small-python-tasks and makes the deployments `claude-code` and `codex`. */
  static async prepare(web: WebFixture): Promise<StubAgents> {
    const models = await scriptedModel(script);
    const origin = new URL(models.urlOf('chat')).origin;
    await web.product.run(['secret', 'set', 'MODEL_KEY', '--host', origin], { stdin: 'sk-of-no-provider' });
    const agents = new StubAgents(web, models);
    web.write('agent.py', AGENT);
    for (const name of ['solver.py', 'solutions.py', 'hasty_solutions.py'])
      web.write(name, web.example(`deployments/small-python-tasks/${name}`));
    await web.prepare(web.example('challenge-packs/small-python-tasks.yaml'), agents.deployments());
    return agents;
  }

  /** Requests that the provider has received. */
  get requestCount(): number {
    return this.models.requests.length;
  }

  /** Changes what an agent sends with every request. */
  async instruct(name: string, instructions: string): Promise<void> {
    await this.web.deploy(this.deployments({ [name]: instructions }));
  }

  async close(): Promise<void> {
    await this.models.close();
  }

  private deployments(instructions: Readonly<Record<string, string>> = {}): string {
    const price = { input_cost_per_million_tokens: 3, output_cost_per_million_tokens: 15 };
    const files = ['agent.py', 'solver.py', 'solutions.py', 'hasty_solutions.py'];
    return JSON.stringify({
      provider_accounts: PROVIDERS.map((name) => ({
        ...{ name, provider_key: name, base_url: this.models.urlOf(APIS[name]) },
        credential_reference: 'workspace-secret://MODEL_KEY',
        pricing: { models: [{ provider_key: name, provider_model_id: 'scripted', ...price }] },
      })),
      model_aliases: PROVIDERS.map((name) => ({ name, provider_account: name, model: 'scripted' })),
      runtime_profiles: [{ name: 'coding', run_timeout_seconds: 120, max_iterations: 30 }],
      deployments: PROVIDERS.map((provider) => {
        const name = ACCOUNTS[provider];
        const words = ['python3', '/agent/agent.py', APIS[provider], instructions[name] ?? 'Write it.'];
        return {
          ...{ name, kind: 'program', runtime_profile: 'coding' },
          config: {
            command: words,
            models: { main: provider },
            files: files.map((file) => ({ path: file, from: file })),
          },
        };
      }),
    });
  }
}
