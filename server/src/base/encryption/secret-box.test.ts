import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../contract/test/any-character.ts';
import {
  newSecretKey,
  parseSecretKey,
  parseSecretKeys,
  SecretBox,
  SecretKeyMissing,
  SecretUnreadable,
} from './secret-box.ts';

const text = fc.string({ unit: anyCharacter });
const [key, otherKey] = [newSecretKey(), newSecretKey()];
const box = new SecretBox([key]);
const place = 'site/source';

test('a sealed text can be opened in its place, and only there', () => {
  fc.assert(
    fc.property(text, text, text, (secret, own, other) => {
      fc.pre(own !== other);
      const sealed = box.seal(secret, own);
      expect(box.open(sealed, own)).toBe(secret);
      expect(() => box.open(sealed, other)).toThrow(SecretUnreadable);
    }),
  );
});

test('a sealed text is one line of plain characters that do not contain the secret', () => {
  const sealed = box.seal('ntn_hush\nhush', place);
  expect(sealed).toMatch(/^1\.[0-9a-f]{12}\.[\w-]+$/);
  expect(Buffer.from(sealed.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('hush');
});

test('the same text is never sealed the same way twice', () => {
  const nonces = Array.from({ length: 500 }, () => box.seal('hush', place).split('.')[2]!.slice(0, 16));
  expect(new Set(nonces).size).toBe(nonces.length);
});

test('a text that was changed anywhere cannot be opened', () => {
  const sealed = box.seal('hush', place);
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~=';
  for (let index = 0; index < sealed.length; index += 1) {
    for (const character of [...others].filter((each) => each !== sealed[index])) {
      const changed = sealed.slice(0, index) + character + sealed.slice(index + 1);
      expect(() => box.open(changed, place), changed).toThrow(SecretUnreadable);
    }
    expect(() => box.open(sealed.slice(0, index), place)).toThrow(SecretUnreadable);
    expect(() => box.open(sealed.slice(index + 1), place)).toThrow(SecretUnreadable);
  }
  for (const more of ['A', 'AAAA', '=', '\n', ' ']) {
    expect(() => box.open(sealed + more, place)).toThrow(SecretUnreadable);
  }
});

test('each changed bit of the nonce, the text and the tag is noticed', () => {
  const [version, id, content] = box.seal('hush', place).split('.');
  const bytes = Buffer.from(content!, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    const sealed = `${version}.${id}.${changed.toString('base64url')}`;
    expect(() => box.open(sealed, place)).toThrow(SecretUnreadable);
  }
});

test('no text makes opening fail in another way', () => {
  const sealed = box.seal('hush', place);
  const near = fc
    .tuple(fc.nat(sealed.length), fc.nat(sealed.length), text)
    .map(([from, to, part]) => sealed.slice(0, from) + part + sealed.slice(to));
  fc.assert(
    fc.property(fc.oneof(text, near), (any) => {
      fc.pre(any !== sealed);
      expect(() => box.open(any, place)).toThrow(SecretUnreadable);
    }),
  );
});

test('the first key seals, and every key opens', () => {
  const both = new SecretBox([otherKey, key]);
  const [older, newer] = [box.seal('hush', place), both.seal('hush', place)];
  expect([both.open(older, place), both.open(newer, place)]).toEqual(['hush', 'hush']);
  expect([both.isCurrent(older), both.isCurrent(newer)]).toEqual([false, true]);
  expect(both.olderPrefixes.map((prefix) => [older, newer].map((each) => each.startsWith(prefix)))).toEqual([
    [true, false],
  ]);
  expect(new SecretBox([otherKey]).open(newer, place)).toBe('hush');
  expect(() => box.open(newer, place)).toThrow(
    /key [0-9a-f]{12}, which is missing\. Add the key to GATEHOUSE/,
  );
});

test('the same key twice is one key', () => {
  const twice = new SecretBox([key, key]);
  expect(twice.isCurrent(box.seal('hush', place))).toBe(true);
  expect(twice.olderPrefixes).toEqual([]);
});

test('without a key nothing is sealed or opened, and the errors say what to do', () => {
  const none = new SecretBox([]);
  expect(() => none.seal('hush', place)).toThrow(SecretKeyMissing);
  expect(() => none.seal('hush', place)).toThrow(/GATEHOUSE_SECRET_KEY.*\.\/gatehouse secret-key/);
  expect(() => none.open(box.seal('hush', place), place)).toThrow(SecretUnreadable);
  expect(none.isCurrent(box.seal('hush', place))).toBe(false);
});

test('a box shows its keys to nobody who prints it', () => {
  for (const shown of [inspect(box, { depth: 9, showHidden: true }), JSON.stringify(box)]) {
    expect(shown).not.toContain(key);
    expect(shown).not.toContain(Buffer.from(key, 'base64url').toString('hex').slice(0, 8));
  }
});

test('a key is 256 random bits in either form of Base64', () => {
  expect(key).not.toBe(otherKey);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const [base64, base64url] = (['base64', 'base64url'] as const).map((form) =>
        Buffer.from(bytes).toString(form),
      );
      expect(parseSecretKey(base64!)).toBe(base64url);
      expect(parseSecretKey(base64url!)).toBe(base64url);
    }),
  );
  for (const wrong of ['', 'hush', key.slice(1), `${key}A`, `${key}==`, ` ${key}`, 'é'.repeat(43)]) {
    expect(parseSecretKey(wrong)).toBeUndefined();
  }
});

test('one key or two can be given', () => {
  expect(parseSecretKeys(key)).toEqual([key]);
  expect(parseSecretKeys(` ${key} , ${otherKey}\n`)).toEqual([key, otherKey]);
  for (const wrong of ['', ',', `${key},`, `${key},hush`, `${key},${key},${key}`]) {
    expect(parseSecretKeys(wrong)).toBeUndefined();
  }
});
