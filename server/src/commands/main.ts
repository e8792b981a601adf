import { Command, CommanderError } from 'commander';
import { addBackupCommand } from './backup.ts';
import { addDoctorCommand } from './doctor.ts';
import { describeFailure } from './failure.ts';
import { addKeyCommands } from './key.ts';
import { addMemberCommands } from './member.ts';
import { addMigrateCommand } from './migrate.ts';
import { addRestoreCommand } from './restore.ts';
import { addScopeCommands } from './scope.ts';
import { addServeCommand } from './serve.ts';
import { addSiteCommands } from './site.ts';
import { version } from './version.ts';

/** The command line: `gatehouse <command>`. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader);
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exit(report(error, argv.includes('--json')));
  }
}

function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Knows the members of a website and their access groups.')
    .version(version)
    .exitOverride()
    // Errors are told once, in `report`.
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      'after',
      '\nExample:\n  $ gatehouse serve\n\nEach command explains itself: gatehouse key create --help',
    );
  addServeCommand(program);
  addSiteCommands(program);
  addKeyCommands(program);
  addMemberCommands(program);
  addScopeCommands(program);
  addMigrateCommand(program);
  addDoctorCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  return program;
}

/** Tells an error in one line on the standard error. Gives the exit code: 1 failed, 2 called wrongly. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const { exitCode, code, message, requestId } = describeFailure(error);
  const text = json ? JSON.stringify({ error: { code, message, requestId } }) : `gatehouse: ${message}`;
  process.stderr.write(`${text}\n`);
  if (/^(debug|trace)$/.test(process.env.GATEHOUSE_LOG_LEVEL ?? '')) console.error(error);
  return exitCode;
}

/** Whoever reads the output has seen enough, as in `gatehouse member list | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
