import { shellQuoted } from '../database/database-url.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];

/**
 * What a shell runs to complete words of `gatehouse`. It asks the program at this path, and never a program of that name in
 * the current folder. Where no words are known, files are completed.
 */
export function completionScript(shell: Shell, programPath: string): string {
  return scripts[shell].replaceAll('PROGRAM', () => shellQuoted(programPath));
}

const bash = `# Completions of Gatehouse for bash. Load them with: source <(gatehouse completions bash)
_gatehouse() {
  local line=\${COMP_LINE:0:COMP_POINT} word current before=
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  # Bash has split the word at these characters, and replaces only what follows the last of them.
  [[ $current == *[=:]* ]] && before=\${current%"\${current##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("\${word#"$before"}")
  done < <(PROGRAM complete "\${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _gatehouse gatehouse
`;

const zsh = `#compdef gatehouse
# Completions of Gatehouse for zsh. Load them after compinit with: source <(gatehouse completions zsh)
_gatehouse() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(PROGRAM complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  if (( $#candidates )); then _describe gatehouse candidates; else _files; fi
}
compdef _gatehouse gatehouse
if [[ $funcstack[1] == _gatehouse ]]; then _gatehouse; fi
`;

const fish = `# Completions of Gatehouse for fish. Load them with: gatehouse completions fish | source
function __gatehouse_complete
    set -l before (commandline -opc)
    set -l candidates (PROGRAM complete $before[2..] (commandline -ct) 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c gatehouse -f -a '(__gatehouse_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
