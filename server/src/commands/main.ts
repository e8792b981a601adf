import { Command, CommanderError, type Option } from 'commander';
import { WrongUsage } from '../app/failure.ts';
import { findSimilarName } from '../app/settings/similar-name.ts';
import { installedPackage, withInstalledName } from '../base/installed-package.ts';
import { versionAndCommit } from '../base/version.ts';
import type { Mode } from './api/mode.ts';
import type { Respelled } from './old-spellings.ts';
import overview from './overview.json' with { type: 'json' };
import { explainArguments } from './shared/wrong-arguments.ts';

type Add = (program: Command, mode: Mode) => void;

/** The commands that are more than an operation. Each is loaded alone when it is called. */
const byHand: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./serve/serve.ts')).addServeCommand,
  'setup-link': async () => (await import('./operator/setup-link.ts')).addSetupLinkCommand,
  'secret-key': async () => (await import('./key/secret-key.ts')).addSecretKeyCommand,
  migrate: async () => (await import('./database/migrate.ts')).addMigrateCommand,
  health: async () => (await import('./serve/health.ts')).addHealthCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./database/backup.ts')).addBackupCommand,
  restore: async () => (await import('./database/restore.ts')).addRestoreCommand,
  copy: async () => (await import('./database/copy/copy.ts')).addCopyCommand,
  completions: async () => (await import('./completions/completions.ts')).addCompletionsCommand,
  'site create': async () => (await import('./site/site.ts')).addSiteCreateCommand,
  'site list': async () => (await import('./site/site.ts')).addSiteListCommand,
  'site suspend': async () => (await import('./site/site.ts')).addSiteSuspendCommand,
  'site resume': async () => (await import('./site/site.ts')).addSiteResumeCommand,
  'events tail': async () => (await import('./event/events.ts')).addEventsTailCommand,
  'operators remove-passkeys': async () =>
    (await import('./operator/operator.ts')).addOperatorRemovePasskeysCommand,
  'members import': async () => (await import('./member/member-import.ts')).addMemberImportCommand,
  'members export': async () => (await import('./member/member-export.ts')).addMemberExportCommand,
  'sources collections choose': async () =>
    (await import('./sources/chosen-collections.ts')).addCollectionChooseCommand,
  'sources collections remove': async () =>
    (await import('./sources/chosen-collections.ts')).addCollectionRemoveCommand,
};

/** Whether no operation has the noun of a command. */
const isAlone = (name: string) => !name.includes(' ');

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
    const command = findKnown(program, args);
    await program.parseAsync(args, { from: 'user' }).catch((error) => {
      throw error instanceof CommanderError ? explainArguments(error, command) : error;
    });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? 0 : 2;
    // It knows the errors of databases and services, which a command that succeeds may not load.
    const { report } = await import('../app/report.ts');
    return report(error, argv.includes('--json'));
  }
}

/** Commander has printed it. Of a group without a command it is wrong usage. */
function isHelp({ exitCode, code }: CommanderError): boolean {
  return exitCode === 0 || code === 'commander.help';
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
 * The command that some words begin with. Commander names the commands that it has only if one of them is similar, and
 * with `--help` shows those of the group.
 * @throws {WrongUsage}
 */
function findKnown(program: Command, args: readonly string[]): Command {
  let group = program;
  for (const name of args) {
    if (name.startsWith('-') || name === 'help' || group.commands.length === 0) return group;
    const found = group.commands.find((command) => command.name() === name);
    if (!found) {
      const names = group.commands.map((command) => command.name());
      const similar = findSimilarName(name, names);
      const advice = similar === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean ${similar}?`;
      throw new WrongUsage(`Unknown command '${name}'. ${advice}`);
    }
    group = found;
  }
  return group;
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
  const called = Object.keys(byHand).find((name) =>
    name.split(' ').every((word, index) => words[index] === word),
  );
  if (called !== undefined) {
    await addByHand(program, [called], mode);
    return program;
  }
  const { addOperationCommands, addOperationCommand } = await import('./api/operation-commands.ts');
  if (await addOperationCommand(program, words, mode)) return program;
  const noun = nouns.has(words[0] ?? '') ? words[0] : undefined;
  const names = Object.keys(byHand).filter((name) => noun === undefined || name.startsWith(`${noun} `));
  await addByHand(program, names.filter(isAlone), mode);
  program.commandsGroup(groupOfOperations);
  await addOperationCommands(program, noun, mode);
  await addByHand(
    program,
    names.filter((name) => !isAlone(name)),
    mode,
  );
  return program;
}

async function addByHand(program: Command, names: readonly string[], mode: Mode): Promise<void> {
  for (const name of names) (await byHand[name]!())(program, mode);
}

const groupOfOperations = 'Commands for a site:';

function newProgram(): Command {
  const program = describedProgram();
  if (installedPackage === undefined) return program;
  const installed = installedPackage;
  program.configureOutput({ writeOut: (text) => void process.stdout.write(withInstalledName(text)) });
  return program.hook('preAction', async (_, command) => {
    const { becomeServiceUser } = await import('./installed/become-service-user.ts');
    becomeServiceUser(installed, command);
  });
}

function describedProgram(): Command {
  return (
    new Command('./gatehouse')
      .description('Manages the members of a website and their access groups.')
      .version(versionAndCommit)
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
    if (!Object.hasOwn(byHand, usage.split(' ')[0]!)) program.commandsGroup(groupOfOperations);
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
