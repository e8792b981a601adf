import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readNotionWebhook } from './notion-webhook.ts';

const token = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
const body = '{"type":"page.content_updated","entity":{"id":"1","type":"page"},"name":"Zoë"}';
const sign = (text: string | Buffer, key = token) =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

test('a change is signed with the verification token', () => {
  expect(readNotionWebhook(body, sign(body), token)).toEqual({ kind: 'change' });
  expect(readNotionWebhook(Buffer.from(body), sign(body), token)).toEqual({ kind: 'change' });
});

test.each([
  ['no signature', undefined],
  ['a signature of another body', sign(`${body} `)],
  ['a signature with another token', sign(body, 'other')],
  ['a signature without its algorithm', sign(body).slice(7)],
  ['a signature that is too short', sign(body).slice(0, -1)],
  ['a signature that is too long', `${sign(body)}0`],
  ['an empty signature', ''],
])('a change with %s is rejected', (_, signature) => {
  expect(readNotionWebhook(body, signature, token)).toEqual({ kind: 'rejected' });
});

test('the first request contains the verification token', () => {
  const first = JSON.stringify({ verification_token: token });
  expect(readNotionWebhook(first, undefined, null)).toEqual({ kind: 'verification', token });
  expect(readNotionWebhook(Buffer.from(first), sign(first), null)).toEqual({ kind: 'verification', token });
});

test('a verification token that is in use is not replaced', () => {
  const forged = JSON.stringify({ verification_token: 'forged' });
  expect(readNotionWebhook(forged, undefined, token)).toEqual({ kind: 'rejected' });
  expect(readNotionWebhook(forged, sign(forged, 'forged'), token)).toEqual({ kind: 'rejected' });
});

test.each(['', 'null', '[]', '{}', '{"verification_token":5}', '{"verification_token":""}', '<html>', body])(
  'a body without a verification token is rejected: %s',
  (text) => {
    expect(readNotionWebhook(text, undefined, null)).toEqual({ kind: 'rejected' });
  },
);
