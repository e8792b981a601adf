import { reportWarnings } from '../base/warnings.ts';

// The command line as a program. It reports warnings of Node in its own form, also those of loading the commands.

const json = process.argv.includes('--json');
reportWarnings(({ name, message }) =>
  console.error(json ? JSON.stringify({ warning: { name, message } }) : `gatehouse: ${name}: ${message}`),
);
const { main } = await import('./main.ts');
await main(process.argv);
