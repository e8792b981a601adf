import { Command } from 'commander';
import { WrongUsage } from '../app/failure.ts';
import { report } from '../app/report.ts';
import { findSimilarName } from '../app/settings/similar-name.ts';
import { version } from '../app/version.ts';

/** Each command is loaded when it is called, so that a server does not load what only the others need. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve/serve.ts')).addServeCommand,
  site: async () => (await import('./site/site.ts')).addSiteCommands,
  key: async () => (await import('./key/key.ts')).addKeyCommands,
  'signing-key': async () => (await import('./key/signing-key.ts')).addSigningKeyCommands,
  events: async () => (await import('./event/events.ts')).addEventsCommands,
  operator: async () => (await import('./operator/operator.ts')).addOperatorCommands,
  member: async () => (await import('./member/member.ts')).addMemberCommands,
  source: async () => (await import('./source/source.ts')).addSourceCommands,
  scope: async () => (await import('./scope/scope.ts')).addScopeCommands,
  'setup-link': async () => (await import('./operator/setup-link.ts')).addSetupLinkCommand,
  'secret-key': async () => (await import('./key/secret-key.ts')).addSecretKeyCommand,
  migrate: async () => (await import('./database/migrate.ts')).addMigrateCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./database/backup.ts')).addBackupCommand,
  restore: async () => (await import('./database/restore.ts')).addRestoreCommand,
  completions: async () => (await import('./completions/completions.ts')).addCompletionsCommand,
};

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
    const args = withHelpOption(argv);
    const program = await createProgram(args[2]);
    requireKnown(program, args.slice(2));
    await program.parseAsync(args);
    return undefined;
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
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

/** A program with the named command, or with all commands. */
export async function createProgram(called = ''): Promise<Command> {
  const program = new Command('./gatehouse')
    .description('Manages the members of a website and their access groups.')
    .version(version)
    .exitOverride()
    // `report` prints the errors.
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      'after',
      '\nExample:\n  $ ./gatehouse serve\n\nHelp for a command: ./gatehouse key create --help',
    );
  const known = Object.hasOwn(commands, called) ? [called] : Object.keys(commands);
  for (const name of known) (await commands[name]!())(program);
  return program;
}

/** The reader of the output has closed it, as in `./gatehouse member list | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

/** For the scripts of the shells: `complete members li` prints `list`. */
async function printCompletions(words: readonly string[]): Promise<undefined> {
  const { printCandidates } = await import('./completions/completions.ts');
  printCandidates(await createProgram(words.length > 1 ? words[0] : ''), words);
}
