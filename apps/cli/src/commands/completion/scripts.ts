import type { Session } from '../../session/session.js';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * A script for each shell. It calls `agentclash complete` for the candidates at the cursor: lines of a value, a tab and
 * its description; `:files` means that names of files may follow.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of agentclash; source it, or put it into /etc/bash_completion.d
_agentclash() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  local -a files
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      mapfile -t files < <(compgen -f -- "$current")
      COMPREPLY+=("\${files[@]}")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(agentclash complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _agentclash agentclash
`,
  zsh: `#compdef agentclash
# zsh completion of agentclash; put it into a folder of $fpath as _agentclash, or source it
_agentclash() {
  local line files=""
  local -a offers
  for line in "\${(@f)$(agentclash complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      "") ;;
      :files) files=yes ;;
      *) offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#offers )) && _describe agentclash offers
  [[ -n $files ]] && _files
}
if [ "$funcstack[1]" = "_agentclash" ]; then _agentclash "$@"; else compdef _agentclash agentclash; fi
`,
  fish: `# fish completion of agentclash; put it into ~/.config/fish/completions/agentclash.fish
function __agentclash_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (agentclash complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c agentclash -f -a "(__agentclash_complete)"
`,
};

/** Prints a script which lets a shell complete commands, options, and names that the server knows. */
export async function printCompletion(session: Session, { shell }: { shell: Shell }): Promise<undefined> {
  const script = SCRIPTS[shell];
  session.out.result({ shell, script }, () => script.trimEnd());
}
