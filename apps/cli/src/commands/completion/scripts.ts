import type { CompletionNode } from './command-words.js';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A script for each shell. The words stand in it: completing starts nothing and asks no server. */
export const SCRIPTS: { [S in Shell]: (nodes: readonly CompletionNode[]) => string } = {
  bash: (nodes) => `# bash completion of agentclash; source it, or put it into /etc/bash_completion.d
_agentclash() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) at="\${at:+$at }$word" ;; esac
  done
${shellCases(nodes)}
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _agentclash agentclash
`,
  zsh: (nodes) => `#compdef agentclash
# zsh completion of agentclash; put it into a folder of $fpath as _agentclash, or source it
_agentclash() {
  local at="" word
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$word" in -*) ;; *) at="\${at:+$at }$word" ;; esac
  done
${shellCases(nodes)}
  compadd -- \${=offers}
  if [ -n "$files" ]; then _files; fi
}
if [ "$funcstack[1]" = "_agentclash" ]; then _agentclash "$@"; else compdef _agentclash agentclash; fi
`,
  fish: (nodes) => `# fish completion of agentclash; put it into ~/.config/fish/completions/agentclash.fish
function __agentclash_at
  set -l words (commandline -opc)
  set -l path
  for word in $words[2..-1]
    if not string match -q -- '-*' $word
      set -a path $word
    end
  end
  if test "$argv[1]" = within
    string match -q -- "$argv[2..-1] *" "$path "
  else
    test "$path" = "$argv[2..-1]"
  end
end
complete -c agentclash -f
${nodes.map((node) => fishLines(node, nodes)).join('\n')}
`,
};

/** Arguments may follow a command's words, so that the longest command that begins the path decides. */
function shellCases(nodes: readonly CompletionNode[]): string {
  const longestFirst = [...nodes].sort((left, right) => right.path.length - left.path.length);
  const cases = longestFirst.map(({ path, words, takesFiles }) => {
    const pattern = path === '' ? '*' : `"${path}"|"${path} "*`;
    const list = words.map(({ word }) => word).join(' ');
    return `    ${pattern}) offers="${list}" files="${takesFiles ? 'yes' : ''}" ;;`;
  });
  return ['  local offers files', '  case "$at" in', ...cases, '  esac'].join('\n');
}

/** Arguments follow a command that has no subcommands: its options are offered after them, too. */
function fishLines({ path, words, takesFiles }: CompletionNode, nodes: readonly CompletionNode[]): string {
  const isLast = path !== '' && !nodes.some((node) => node.path.startsWith(`${path} `));
  const condition = `-n ${quoted(`__agentclash_at ${isLast ? 'within' : 'at'} ${path}`.trimEnd())}`;
  const lines = words.map(({ word, help }) => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
    return `complete -c agentclash ${condition} ${what}${help === '' ? '' : ` -d ${quoted(help)}`}`;
  });
  return [...lines, ...(takesFiles ? [`complete -c agentclash ${condition} -F`] : [])].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
