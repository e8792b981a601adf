import { Command } from 'commander';
import { serve } from './serve.ts';
import { readSettings } from './settings.ts';
import { version } from './version.ts';

/** The command line: `gatehouse <command>`. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('gatehouse').version(version);
  program.command('serve').action(() => serve(readSettings(process.env)));
  await program.parseAsync(argv);
}
