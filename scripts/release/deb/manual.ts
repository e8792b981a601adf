// The manual page, made from the help of the commands, and their completions for shells.

import type { Command } from 'commander';
import { completionScript } from '../../../server/src/commands/completions/scripts.ts';
import { createProgram } from '../../../server/src/commands/main.ts';
import { version } from '../release-folder.ts';

export type Completions = Readonly<Record<'bash' | 'zsh' | 'fish', string>>;

export function completions(program: string): Completions {
  return {
    bash: completionScript('bash', program),
    zsh: completionScript('zsh', program),
    fish: completionScript('fish', program),
  };
}

/** `gatehouse(1)` in the language of man(7): an overview, and the help of every command. */
export async function manualPage(epochSeconds: number): Promise<string> {
  const program = await createProgram();
  const day = new Date(epochSeconds * 1000).toISOString().slice(0, 10);
  const text = `.TH GATEHOUSE 1 ${day} "Gatehouse ${version}" "User Commands"
.SH NAME
gatehouse \\- manage the members of a website and their access groups
.SH SYNOPSIS
.B gatehouse
.I command
.RI [ argument ...]
.RI [ option ...]
.SH DESCRIPTION
A command works on the database of the service, with the settings of the service. If root starts it, it runs as the user
gatehouse, after it has opened the files that its arguments name; what it writes must be in a folder in which that user
may write, such as /var/lib/gatehouse. With
.B \\-\\-key
or GATEHOUSE_KEY it calls a service instead, which every user may.
.PP
.B gatehouse
.I command
.B \\-\\-help
shows the help of a command.
.SH COMMANDS
${leaves(program).map(sectionOf).join('')}.SH FILES
.TP
.I /etc/gatehouse/gatehouse.env
The settings. Root and the group gatehouse can read it.
.TP
.I /var/lib/gatehouse
The data of the service, and the folder in which every command runs.
.TP
.I /usr/share/doc/gatehouse
The guides, and what each setting means.
.SH EXIT STATUS
0 success, 1 failure, 2 wrong usage.
`;
  return text.replaceAll('./gatehouse', 'gatehouse');
}

function leaves(command: Command): Command[] {
  const inside = command.commands.filter((each) => each.name() !== 'help');
  return inside.length === 0 ? [command] : inside.flatMap(leaves);
}

function sectionOf(command: Command): string {
  const help = command.createHelp();
  const usage = help.commandUsage(command);
  const about = help.commandDescription(command);
  const [, names = ''] = /^\S+ (.*?)(?: \[options\].*)?$/.exec(usage)!;
  const listed = [
    ...help
      .visibleArguments(command)
      .map((each) => item(help.argumentTerm(each), help.argumentDescription(each))),
    ...help.visibleOptions(command).map((each) => item(help.optionTerm(each), help.optionDescription(each))),
  ];
  return `.SS ${escaped(names)}
.B ${escaped(usage)}
.PP
${escaped(about)}
${listed.join('')}.PP
.EX
${escaped(textAfter(command))}
.EE
`;
}

function item(term: string, about: string): string {
  return about === '' ? '' : `.TP\n.B ${escaped(term)}\n${escaped(about)}\n`;
}

/** What follows the lists of the help: examples, and what else is good to know. The terminal of the release is not used. */
function textAfter(command: Command): string {
  let shown = '';
  const { columns } = process.stdout;
  Object.assign(process.stdout, { columns: 80 });
  command.configureOutput({
    writeOut: (text) => {
      shown = `${shown}${text}`;
    },
    getOutHelpWidth: () => 80,
  });
  command.outputHelp();
  Object.assign(process.stdout, { columns });
  return shown.slice(command.helpInformation().length).trim();
}

/** A dot or a quote at the beginning of a line would be a request of roff, and a hyphen another character. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
    .trim();
}
