import { Command, type Option } from 'commander';
import { WrongUsage } from '../app/failure.ts';
import { report } from '../app/report.ts';
import { findSimilarName } from '../app/settings/similar-name.ts';
import { version } from '../app/version.ts';
import type { Mode } from './api/mode.ts';
import type { Respelled } from './old-spellings.ts';
import overview from './overview.json' with { type: 'json' };

type Add = (program: Command, mode: Mode) => void;

/** The commands that a person needs more for than an operation. Each is loaded when it is called. */
const byHand: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./serve/serve.ts')).addServeCommand,
  site: async () => (await import('./site/site.ts')).addSiteCommands,
  events: async () => (await import('./event/events.ts')).addEventsCommands,
  operators: async () => (await import('./operator/operator.ts')).addOperatorCommands,
  members: async () => (await import('./member/member.ts')).addMemberCommands,
  sources: async () => (await import('./sources/chosen-collections.ts')).addSourceCommands,
  'setup-link': async () => (await import('./operator/setup-link.ts')).addSetupLinkCommand,
  'secret-key': async () => (await import('./key/secret-key.ts')).addSecretKeyCommand,
  migrate: async () => (await import('./database/migrate.ts')).addMigrateCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./database/backup.ts')).addBackupCommand,
  restore: async () => (await import('./database/restore.ts')).addRestoreCommand,
  completions: async () => (await import('./completions/completions.ts')).addCompletionsCommand,
};

/** The nouns that have no operation, so that the contract is not loaded for them. */
const withoutOperations: ReadonlySet<string> = new Set(
  'serve setup-link secret-key migrate doctor backup restore completions'.split(' '),
);

/** The other commands by hand, beside those of operations of the same noun, which are not loaded for them. */
const besideOperations: ReadonlySet<string> = new Set([
  'site create',
  'site list',
  'events tail',
  'operators remove-passkeys',
  'members import',
  'members export',
]);

/** The nouns of commands that are spelled otherwise now. */
const oldNouns: ReadonlySet<string> = new Set('key signing-key operator member source scope site'.split(' '));

/** The command line: `./gatehouse <command>`. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader);
  const exitCode = await runCommand(argv);
  if (exitCode !== undefined) process.exit(exitCode);
}

/** Runs a command in this process. Returns the exit code of a failed command; undefined when it has finished. */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  if (argv[2] === 'complete') return printCompletions(argv.slice(3));
  try {
    const { args, mode } = await respelled(withHelpOption(argv).slice(2));
    const program = await programFor(args, mode);
    requireKnown(program, args);
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
}

async function respelled(args: readonly string[]): Promise<Respelled> {
  if (!oldNouns.has(args[0] ?? '')) return { args, mode: {} };
  const { respell } = await import('./old-spellings.ts');
  return respell(args) ?? { args, mode: {} };
}

/** `help key rotate` as `key rotate --help`: Commander reads only the first name after `help`. */
function withHelpOption(argv: readonly string[]): readonly string[] {
  const [node = '', program = '', command, ...names] = argv;
  return command === 'help' && names.length > 0 ? [node, program, ...names, '--help'] : argv;
}

/**
 * Commander names the commands that it has only if one of them is similar, and with `--help` shows those of the group.
 * @throws {WrongUsage}
 */
function requireKnown(program: Command, args: readonly string[]): void {
  let group = program;
  for (const name of args) {
    if (name.startsWith('-') || name === 'help' || group.commands.length === 0) return;
    const found = group.commands.find((command) => command.name() === name);
    if (!found) {
      const names = group.commands.map((command) => command.name());
      const similar = findSimilarName(name, names);
      const advice = similar === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean ${similar}?`;
      throw new WrongUsage(`Unknown command '${name}'. ${advice}`);
    }
    group = found;
  }
}

/** A program with what some words need: their command, those of a group, or a list of what there is. */
async function programFor(words: readonly string[], mode: Mode): Promise<Command> {
  const [noun = ''] = words;
  const isKnown = nouns.has(noun) || (noun.startsWith('-') && !answeredByOverview.has(noun));
  return isKnown ? createProgram(words, mode) : addOverview(newProgram());
}

/** A program with the command that some words name; with those that begin with the first word; or with all. */
export async function createProgram(words: readonly string[] = [], mode: Mode = {}): Promise<Command> {
  const program = newProgram();
  const [name = '', verb = ''] = words;
  if (withoutOperations.has(name) || besideOperations.has(`${name} ${verb}`)) {
    (await byHand[name]!())(program, mode);
    return program;
  }
  const { addOperationCommands, addOperationCommand } = await import('./api/operation-commands.ts');
  if (addOperationCommand(program, words, mode)) return program;
  const noun = nouns.has(name) ? name : undefined;
  const called = noun === undefined ? Object.keys(byHand) : [noun];
  for (const each of called) if (withoutOperations.has(each)) (await byHand[each]!())(program, mode);
  program.commandsGroup(groupOfOperations);
  addOperationCommands(program, noun, mode);
  for (const each of called) if (!withoutOperations.has(each)) (await byHand[each]?.())?.(program, mode);
  return program;
}

const groupOfOperations = 'Commands for a site:';

function newProgram(): Command {
  return (
    new Command('./gatehouse')
      .description('Manages the members of a website and their access groups.')
      .version(version)
      .exitOverride()
      // `report` prints the errors.
      .configureOutput({ outputError: () => {} })
      .configureHelp({ optionDescription: describeOption })
      .addHelpText(
        'after',
        '\nExample:\n  $ ./gatehouse serve\n\nHelp for a command: ./gatehouse members create --help',
      )
  );
}

/** Each noun with what it is about, for a list of them without what they need. Written by `npm run commands`. */
const nouns: ReadonlyMap<string, string> = new Map(
  Object.entries(overview).map(([usage, about]) => [usage.split(' ')[0]!, about]),
);

/** What begins with another option is an error, or the command after `--`. */
const answeredByOverview: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

/** Adds the commands of the help without what they do. */
function addOverview(program: Command): Command {
  for (const [usage, about] of Object.entries(overview)) {
    if (!withoutOperations.has(usage.split(' ')[0]!)) program.commandsGroup(groupOfOperations);
    // Commander counts `[options]` among the arguments.
    program.command(usage).description(about);
  }
  return program;
}

const maxShownChoices = 8;

function describeOption({
  description,
  argChoices = [],
  defaultValue,
  defaultValueDescription,
}: Option): string {
  const more = argChoices.length > maxShownChoices ? ', …' : '';
  const choices =
    argChoices.length > 0 ? `: one of ${argChoices.slice(0, maxShownChoices).join(', ')}${more}` : '';
  const value = defaultValueDescription ?? defaultValue;
  const [, about, required = ''] = /^(.*?)( \(required\))?$/s.exec(description)!;
  return `${about}${choices}${required}${value === undefined ? '' : ` (default: ${value})`}`;
}

/** The reader of the output has closed it, as in `./gatehouse members list | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

/** For the scripts of the shells: `complete members li` prints `list`. */
async function printCompletions(words: readonly string[]): Promise<undefined> {
  const { printCandidates } = await import('./completions/completions.ts');
  const before = words.slice(words[0] === 'help' ? 1 : 0, -1);
  printCandidates(await programFor(before, {}), words);
}
