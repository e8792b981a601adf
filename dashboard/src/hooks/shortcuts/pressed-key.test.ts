import { expect, test } from 'vitest';
import { followedBy, type KeyPress, pressedKey } from './pressed-key.ts';

function press(key: string, code: string, held: Partial<KeyPress> & { altGraph?: boolean } = {}): KeyPress {
  const { altGraph = false, ...others } = held;
  return {
    key,
    code,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    isComposing: false,
    getModifierState: () => altGraph,
    ...others,
  };
}

test.each([
  ['a letter', press('j', 'KeyJ'), 'j'],
  ['a letter with Caps Lock', press('J', 'KeyJ'), 'j'],
  ['a letter with Shift', press('X', 'KeyX', { shiftKey: true }), 'shift+x'],
  ['a letter at another place, on a French keyboard', press('a', 'KeyQ'), 'a'],
  ['a letter on a Greek keyboard', press('ξ', 'KeyJ'), 'j'],
  ['a letter on a Russian keyboard, with Shift', press('Ч', 'KeyX', { shiftKey: true }), 'shift+x'],
  ['a letter with an accent', press('é', 'Digit2'), 'é'],
  ['a slash on an American keyboard', press('/', 'Slash'), '/'],
  ['a slash on a German keyboard', press('/', 'Digit7', { shiftKey: true }), '/'],
  ['a question mark on a French keyboard', press('?', 'KeyM', { shiftKey: true }), '?'],
  ['a slash with AltGr', press('/', 'KeyQ', { ctrlKey: true, altKey: true, altGraph: true }), '/'],
  ['Enter', press('Enter', 'Enter'), 'Enter'],
  ['an arrow with Shift', press('ArrowDown', 'ArrowDown', { shiftKey: true }), 'shift+ArrowDown'],
  ['a letter with Ctrl', press('j', 'KeyJ', { ctrlKey: true }), undefined],
  ['a letter with ⌘', press('k', 'KeyK', { metaKey: true }), undefined],
  ['a letter with Alt', press('j', 'KeyJ', { altKey: true }), undefined],
  ['Shift alone', press('Shift', 'ShiftLeft', { shiftKey: true }), undefined],
  ['a letter that an input method reads', press('j', 'KeyJ', { isComposing: true }), undefined],
  ['a key that an input method has taken', press('Process', 'KeyJ'), undefined],
])('reads %s', (_, event, key) => {
  expect(pressedKey(event)).toBe(key);
});

const known = ['j', 'g m', 'g g', '?'];

test('a single key is complete at once', () => {
  expect(followedBy(undefined, 'j', 0, known)).toEqual({ pressed: 'j' });
  expect(followedBy(undefined, 'y', 0, known)).toBeUndefined();
});

test('a sequence is complete with its last key', () => {
  const begun = { keys: 'g', at: 1_000 };
  expect(followedBy(undefined, 'g', 1_000, known)).toEqual({ begun });
  expect(followedBy(begun, 'g', 1_400, known)).toEqual({ pressed: 'g g' });
  expect(followedBy(begun, 'm', 1_400, known)).toEqual({ pressed: 'g m' });
});

test('a key that does not continue a sequence ends it without an effect', () => {
  expect(followedBy({ keys: 'g', at: 0 }, 'j', 100, known)).toBeUndefined();
});

test('a sequence that was begun long ago does not count', () => {
  expect(followedBy({ keys: 'g', at: 0 }, 'j', 2_000, known)).toEqual({ pressed: 'j' });
  expect(followedBy({ keys: 'g', at: 0 }, 'g', 2_000, known)).toEqual({ begun: { keys: 'g', at: 2_000 } });
});
