import { expect, test } from 'vitest';
import { parseCommand } from './parse-command.ts';

const none = { who: undefined, path: undefined, group: undefined };

test.each([
  ['block ada', { name: 'block', who: 'ada' }],
  ['  Block   Ada Lovelace ', { name: 'block', who: 'Ada Lovelace' }],
  ['unblock ada@example.com', { name: 'unblock', who: 'ada@example.com' }],
  ['blockiere ada', { name: 'block', who: 'ada' }],
  ['Ada sperren', { name: 'block', who: 'Ada' }],
  ['entsperre ada', { name: 'unblock', who: 'ada' }],
  ['bloquer ada', { name: 'block', who: 'ada' }],
  ['débloquez ada', { name: 'unblock', who: 'ada' }],
  ['bloquea a ada', { name: 'block', who: 'ada' }],
  ['desbloquear a ada', { name: 'unblock', who: 'ada' }],
  ['adaをブロック', { name: 'block', who: 'ada' }],
  ['adaのブロックを解除', { name: 'unblock', who: 'ada' }],
  ['test /course as ada', { name: 'test', path: '/course', who: 'ada' }],
  ['can ada open /course?', { name: 'test', path: '/course', who: 'ada' }],
  ['test /course', { name: 'test', path: '/course' }],
  ['test https://example.com/course?a=1 as ada', { name: 'test', path: '/course', who: 'ada' }],
  ['teste /kurs als ada', { name: 'test', path: '/kurs', who: 'ada' }],
  ['tester /cours en tant que ada', { name: 'test', path: '/cours', who: 'ada' }],
  ['prueba /curso como ada', { name: 'test', path: '/curso', who: 'ada' }],
  ['/courseをadaとしてテスト', { name: 'test', path: '/course', who: 'ada' }],
  ['add ada to paying crew', { name: 'add', who: 'ada', group: 'paying crew' }],
  ['add to crew', { name: 'add', group: 'crew' }],
  ['füge ada zu crew hinzu', { name: 'add', who: 'ada', group: 'crew' }],
  ['ajouter ada à crew', { name: 'add', who: 'ada', group: 'crew' }],
  ['añadir a ada a crew', { name: 'add', who: 'ada', group: 'crew' }],
  ['adaをcrewに追加', { name: 'add', who: 'ada', group: 'crew' }],
])('reads %s', (typed, command) => {
  expect(parseCommand(typed)).toEqual({ ...none, ...command });
});

test.each(['', 'block', 'block ', 'blocked', 'ada', 'test course', 'add', '/course'])(
  'takes %j for a text to find',
  (typed) => {
    expect(parseCommand(typed)).toBeUndefined();
  },
);
