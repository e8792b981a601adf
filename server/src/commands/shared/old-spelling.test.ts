import { Command } from 'commander';
import { expect, test } from 'vitest';
import { wholeNumber } from './add-command.ts';
import { addOldSpelling } from './old-spelling.ts';

function parse(...given: string[]) {
  const command = new Command('update')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option('--color <color>', 'the color')
    .option('--no-color', 'the default color')
    .option('--interval-minutes <number>', 'the interval', wholeNumber(5, 60));
  addOldSpelling(command, '--colour', '--color');
  addOldSpelling(command, '--no-colour', '--no-color');
  addOldSpelling(command, '--interval', '--interval-minutes');
  command.parse(given, { from: 'user' });
  return { options: command.opts(), help: command.helpInformation() };
}

test('an old spelling gives the same value, and the last one given counts', () => {
  for (const spelling of ['--color', '--colour'])
    expect(parse(spelling, '#0f766e').options).toEqual({ color: '#0f766e' });
  for (const spelling of ['--no-color', '--no-colour'])
    expect(parse(spelling).options).toEqual({ color: false });
  expect(parse('--interval=30').options).toEqual({ intervalMinutes: 30 });
  expect(parse('--color', 'a', '--colour', 'b').options).toEqual({ color: 'b' });
  expect(parse().options).toEqual({});
});

test('an old spelling takes the same values, and is not in the help', () => {
  expect(() => parse('--interval', '61')).toThrow('Use a whole number from 5 to 60.');
  const { help } = parse();
  for (const spelling of ['--colour', '--no-colour', '--interval ']) expect(help).not.toContain(spelling);
});
