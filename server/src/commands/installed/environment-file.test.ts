import { expect, test } from 'vitest';
import { parseEnvironmentFile } from './environment-file.ts';

/** What systemd 252 reads from the same texts. */
test.each([
  ['A=1\n# B=2\n;C=3\n\nno assignment\nD=4', { A: '1', D: '4' }],
  ['A= two words  \n  B = v', { A: 'two words', B: 'v' }],
  ['A="x  y "\nB=\'$z "q"\'\nC="a\\"b\\$\\n"', { A: 'x  y ', B: '$z "q"', C: 'a"b$\\n' }],
  ['A="x y" z\nB=\'a\'"b"c\nC=a"b"c', { A: 'x yz', B: 'abc', C: 'a"b"c' }],
  ['A=x\\\ny\nB=a\\ \nC=\\\\', { A: 'xy', B: 'a ', C: '\\' }],
  ['A="two\nlines"\nB=1', { A: 'two\nlines', B: '1' }],
  ['# a comment that continues \\\nA=1\nB=2', { B: '2' }],
  ['A=\nA=smtps://u:p@h?x=y&z=%20#1\r\n1C=y\nA-B=z', { A: 'smtps://u:p@h?x=y&z=%20#1' }],
])('a file of settings is read as systemd reads it: %j', (text, variables) => {
  expect(Object.fromEntries(parseEnvironmentFile(text))).toEqual(variables);
});
