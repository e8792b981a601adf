import { normalizeEmail } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';

/** Addresses of one mailbox; the first is the name by which it is counted. */
const mailboxes: readonly [string, ...string[]][] = [
  [
    'adalovelace@gmail.com',
    'ada.lovelace@gmail.com',
    'Ada.Lovelace+club@GMAIL.com',
    ' a.d.a.lovelace@googlemail.com ',
    'adalovelace+a+b@gmail.com',
  ],
  ['ada@outlook.com', 'ada+1@outlook.com'],
  ['ada@hotmail.co.uk', 'ada+1@hotmail.co.uk'],
  ['ada@icloud.com', 'ada+1@icloud.com', 'ada@me.com', 'ada+x@mac.com'],
  ['ada@fastmail.com', 'ada+1@fastmail.com', 'anything@ada.fastmail.com', 'any+thing@ada.fastmail.com'],
  ['adalovelace@proton.me', 'ada.lovelace@proton.me', 'ada-love_lace+1@protonmail.com', 'ada.lovelace@pm.me'],
  ['ada@yahoo.com', 'ada-club@yahoo.com', 'ada-club+1@yahoo.com'],
  ['ada@yahoo.co.jp', 'ada-club@yahoo.co.jp'],
  ['ada@yandex.ru', 'ada+1@ya.ru', 'ada@yandex.com'],
  ['ada.lovelace@example.org', 'ada.lovelace+1@example.org', 'ada.lovelace+-@EXAMPLE.org'],
  ['ada@xn--bcher-kva.example', 'ada+1@bücher.example'],
];

/** Each one is a different mailbox, or may be. */
const others = [
  'ada.lovelace@outlook.com',
  'adalovelace@outlook.com',
  'ada.love@icloud.com',
  'ada@fastmail.fm',
  'ada-club@example.org',
  'ada_club@example.org',
  'ada@notgmail.com',
  'ada@gmail.com.example',
  'ada@club.example.org',
];

describe('addresses of one mailbox count as one', () => {
  test.each(mailboxes)('%s', (name, ...variants) => {
    for (const address of [name, ...variants]) expect(mailboxOf(normalizeEmail(address)!)).toBe(name);
  });
});

test('an address that may be another mailbox counts separately', () => {
  expect(new Set(others.map(mailboxOf)).size).toBe(others.length);
  for (const address of others) expect(mailboxOf(address)).toBe(address);
});

test.each([
  '+@gmail.com',
  '+1@example.org',
  '...@gmail.com',
  '.+.@gmail.com',
  '-._@proton.me',
  '-a@yahoo.com',
])('an address keeps a name that consists only of ignored characters: %s', (address) => {
  expect(mailboxOf(normalizeEmail(address)!)).toMatch(/^[^@]+@[^@]+$/);
});

test('normalizing twice changes nothing, and every address has a mailbox', () => {
  const domains = mailboxes.flatMap((variants) => variants.map((each) => each.trim().split('@')[1]!));
  const local = fc.string({ unit: fc.constantFrom(...'abC1.+-_!'), minLength: 1, maxLength: 64 });
  const domain = fc.oneof(
    fc.constantFrom(...domains),
    fc.domain(),
    fc.domain().map((each) => `${each}.fastmail.com`),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(local, domain).map((parts) => parts.join('@')),
        fc.emailAddress(),
      ),
      (text) => {
        const email = normalizeEmail(text);
        fc.pre(email !== null);
        const mailbox = mailboxOf(email);
        expect(mailbox).toMatch(/^[^@]+@[^@]+$/);
        expect(normalizeEmail(mailbox)).toBe(mailbox);
        expect(mailboxOf(mailbox)).toBe(mailbox);
      },
    ),
    { numRuns: 2_000 },
  );
});
