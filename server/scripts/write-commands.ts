import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../src/commands/main.ts';
import { type ListedCommand, listCommands } from './command-list.ts';

// Writes the reference at the end of docs/command-line.md from the commands themselves, and the list of their nouns.

const file = new URL('../../docs/command-line.md', import.meta.url);
const overviewFile = new URL('../src/commands/overview.json', import.meta.url);
const begin = '<!-- Below: written by npm run commands -->';

/** The guide with the reference of the commands as they are now. */
export async function withReference(guide: string): Promise<string> {
  const [introduction] = guide.split(begin);
  return `${introduction}${begin}\n\n${await reference()}`;
}

/** The commands as the help lists them: their usage, with what they are about. */
export async function overview(): Promise<Record<string, string>> {
  const program = await createProgram();
  const help = program.createHelp();
  return Object.fromEntries(
    program.commands.map((command) => [help.subcommandTerm(command), help.subcommandDescription(command)]),
  );
}

async function reference(): Promise<string> {
  const groups = Map.groupBy(await listCommands(), ({ words }) => words[0]!);
  return [...groups].map(([noun, commands]) => sectionOf(noun, commands)).join('\n');
}

function sectionOf(noun: string, commands: readonly ListedCommand[]): string {
  const rows = commands.map(
    (command) => `| ${usageOf(command)} | ${command.summary} | ${flagsOf(command)} |`,
  );
  return [`### ${noun}`, '', '| Command | | Options |', '|---|---|---|', ...rows, ''].join('\n');
}

function usageOf({ words, arguments: parameters }: ListedCommand): string {
  return `\`${[...words, ...parameters.map(({ usage }) => usage)].join(' ')}\``;
}

/** Those of every command are described before the reference. */
const common = new Set(['--json', '--jsonl', '--site', '--url', '--key', '--yes', '--file']);

function flagsOf({ flags }: ListedCommand): string {
  const names = flags
    .map(({ names }) => names.at(-1)!)
    .filter((name) => !common.has(name) && !/^--no-/.test(name));
  return names.map((name) => `\`${name}\``).join(' ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, await withReference(readFileSync(file, 'utf8')));
  writeFileSync(overviewFile, `${JSON.stringify(await overview(), null, 2)}\n`);
}
