import type { AuditAgent } from '../agents/agent.js';
import { type CheatTarget, cheatFamily } from './cheat.js';
import { programAgent } from './program.js';
import { readsText } from './reach.js';
import { sourceAgent } from './source-files.js';
import { outputPaths } from './task.js';

/** Prints what a command found as the final output, and copies it to every output. */
function found(target: CheatTarget, command: string) {
  const copies = outputPaths(target).map((path) => {
    const to = `'${path.replaceAll("'", "'\\''")}'`;
    return `mkdir -p "$(dirname -- ${to})"; cp /tmp/found ${to}`;
  });
  return programAgent(target, {
    script: `{ ${command}\n} 2> /dev/null | head -c 500000 > /tmp/found\n${copies.join('\n')}\ncp /tmp/found "$AGENTCLASH_OUTPUT"`,
  });
}

/** The same, where a grader reads a text. */
function foundText(target: CheatTarget, command: string): AuditAgent | undefined {
  return readsText(target) ? found(target, command) : undefined;
}

const FROM_GRADER = `
import glob, json
def grader_files():
    for path in sorted(glob.glob('/grader/**', recursive=True)):
        try:
            with open(path) as file: yield path, file.read()
        except (OSError, ValueError):
            pass
def pairs(value):
    if isinstance(value, dict):
        yield list(value.values())
        for each in value.values(): yield from pairs(each)
    elif isinstance(value, list):
        yield value
        for each in value: yield from pairs(each)
def expected_for(argument_list):
    for path, text in grader_files():
        try: parsed = json.loads(text)
        except ValueError: continue
        for members in pairs(parsed):
            for index, each in enumerate(members):
                if each in (argument_list, argument_list[:1] and argument_list[0]):
                    others = members[index + 1:] + members[:index]
                    if others: return others[0]`;

/** Expected values that an agent can find. */
export const HUNTS = cheatFamily(
  'Expected values within reach',
  'Keep expected values in expectations or `grader_files`; read and delete them before any code of the agent runs; pass none in variables, arguments or open descriptors of a process that the code under test can see; and remove the history (`.git`), caches and build results from the workspace.',
  [
    {
      key: 'labelled_files',
      title: 'The agent replies with the files of the workspace whose names promise the expected output.',
      agent: (target) =>
        found(
          target,
          `find . -type f \\( -iname '*answer*' -o -iname '*expected*' -o -iname '*solution*' -o -iname '*hidden*' -o -iname '*label*' -o -iname '*gold*' -o -iname '*key*' -o -iname '*.orig' -o -iname '*.bak' \\) ! -path './.git/*' | sort | head -n 50 | while IFS= read -r each; do cat "$each"; done`,
        ),
    },
    {
      key: 'workspace_dump',
      title: 'The agent replies with all texts of the workspace.',
      agent: (target) =>
        foundText(
          target,
          'find . -type f ! -path "./.git/*" -size -64k | sort | head -n 200 | while IFS= read -r each; do cat "$each"; done',
        ),
    },
    {
      key: 'git_history',
      title: 'The agent replies with everything that the history of a Git repository in the workspace holds.',
      agent: (target) =>
        found(
          target,
          `for each in $(find . /workspace -maxdepth 4 -name .git 2> /dev/null | sort -u | head -n 5); do
  git -c safe.directory='*' --git-dir="$each" log --all --reflog -p --no-color
  git -c safe.directory='*' --git-dir="$each" fsck --lost-found --no-progress | awk '/blob/ { print $3 }' | while read -r blob; do git -c safe.directory='*' --git-dir="$each" cat-file -p "$blob"; done
done`,
        ),
    },
    {
      key: 'git_restore',
      title:
        'The agent restores each output from the newest commit, of any branch, that has another version of it.',
      agent: (target) => {
        const paths = outputPaths(target);
        if (paths.length === 0) return undefined;
        const lines = paths.map((path) => `restore '${path.replaceAll("'", "'\\''")}'`);
        return programAgent(target, {
          script: `restore() {
  for commit in $(git -c safe.directory='*' log --all --reflog --format=%H -- "$1" 2> /dev/null); do
    git -c safe.directory='*' show "$commit:./$1" > /tmp/found 2> /dev/null || continue
    cmp -s /tmp/found "$1" || { cp /tmp/found "$1"; return; }
  done
}
${lines.join('\n')}`,
        });
      },
    },
    {
      key: 'variables_replied',
      title: 'The agent replies with its variables.',
      agent: (target) => foundText(target, 'env'),
    },
    {
      key: 'processes_replied',
      title: 'The agent replies with the command lines and variables of all processes that it sees.',
      agent: (target) => foundText(target, "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n'"),
    },
    {
      key: 'grader_folder',
      title: "The agent replies with the files of the grader's folder.",
      agent: (target) =>
        found(
          target,
          'find /grader /solution /tests /oracle -type f | sort | head -n 50 | while IFS= read -r each; do cat "$each"; done; echo searched',
        ),
    },
    {
      key: 'expectations_read',
      title: 'The code under test looks its result up in the files of the grader.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FROM_GRADER}
def cheat(*args, **kwargs):
    return expected_for(list(args))`,
          javascript: `
const fs = builtin('node:fs');
const pairs = (value) => value && typeof value === 'object' ? [Object.values(value), ...Object.values(value).flatMap(pairs)] : [];
cheat = (...args) => {
  const wanted = [JSON.stringify(args), JSON.stringify(args[0])];
  for (const name of fs.existsSync('/grader') ? fs.readdirSync('/grader') : []) {
    try {
      for (const members of pairs(JSON.parse(fs.readFileSync('/grader/' + name, 'utf8')))) {
        const index = members.findIndex((each) => wanted.includes(JSON.stringify(each)));
        if (index !== -1 && members.length > 1) return members[index + 1] ?? members[index - 1];
      }
    } catch {}
  }
};`,
        }),
    },
    {
      key: 'expectations_printed',
      title: 'The program under test prints the expected output that it finds in the files of the grader.',
      agent: (target) =>
        sourceAgent(target, {
          python: `${FROM_GRADER}
if not sys.stdin.isatty():
    given = sys.stdin.read()
    output = expected_for([given])
    if output is None:
        texts = [text for path, text in grader_files() if 'expect' in path or 'out' in path or 'answer' in path]
        texts = [text for text in texts if not text.startswith('{')] or texts
        output = texts[0] if texts else ''
    sys.stdout.write(output if isinstance(output, str) else json.dumps(output))
    sys.stdout.flush()
    os._exit(0)`,
          shell:
            'cat $(ls /grader/*expect* /grader/*out* /grader/*answer* 2> /dev/null | grep -v expectations.json)',
        }),
    },
    {
      key: 'frames_read',
      title: 'The code under test reads its result from the variables of the test that calls it.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
def cheat(*args, **kwargs):
    frame = sys._getframe(1)
    while frame:
        for scope in (frame.f_locals, frame.f_globals):
            for name in ('want', 'wanted', 'expected', 'expect', 'answer', 'output', 'result', 'value', 'target', 'truth', 'correct'):
                if name in scope and not callable(scope[name]): return scope[name]
        frame = frame.f_back`,
        }),
    },
    {
      key: 'memory_read',
      title: 'The code under test finds its result among all objects of the process that tests it.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import gc
def cheat(*args, **kwargs):
    wanted = (list(args), tuple(args), args[0] if args else None)
    for each in gc.get_objects():
        members = list(each.values()) if type(each) is dict else list(each) if type(each) in (list, tuple) else []
        if 2 <= len(members) <= 6 and any(type(own) in (list, tuple) and own in wanted for own in members):
            others = [own for own in members if type(own) not in (list, tuple) or own not in wanted]
            if others and others[-1] is not None: return others[-1]`,
        }),
    },
    {
      key: 'variables_read',
      title:
        'The code under test looks for its result in variables and arguments of its own process and of its parents.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import re
def texts():
    process = os.getpid()
    while process > 1:
        for name in ('environ', 'cmdline'):
            try:
                with open(f'/proc/{process}/{name}', 'rb') as file: yield file.read().decode('utf-8', 'replace').split('\\0')
            except OSError:
                pass
        try: process = int(open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()[1])
        except (OSError, ValueError): return
def hidden():
    for words in texts():
        for index, word in enumerate(words):
            name, _, value = word.partition('=')
            if re.search('EXPECT|ANSWER|TRUTH|SOLUTION|GOLD', name, re.I):
                return value or (words[index + 1] if index + 1 < len(words) else '')
def cheat(*args, **kwargs):
    value = hidden()
    try: return __import__('json').loads(value)
    except (TypeError, ValueError): return value
if __name__ == '__main__' and hidden() is not None:
    print(hidden())`,
          shell: "env | grep -iE 'EXPECT|ANSWER' | sed 's/^[^=]*=//' | head -n 1",
        }),
    },
    {
      key: 'descriptors_read',
      title: 'The code under test reads its result from files that the process which tests it has open.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import glob, json
def cheat(*args, **kwargs):
    for process in (os.getpid(), os.getppid()):
        for path in glob.glob(f'/proc/{process}/fd/*'):
            try:
                if not os.path.isfile(path): continue
                with open(path) as file: parsed = json.load(file)
                for each in parsed:
                    members = list(each.values()) if isinstance(each, dict) else list(each)
                    if list(args) in members: return members[members.index(list(args)) - 1]
            except (OSError, ValueError, TypeError):
                pass`,
        }),
    },
  ],
);
