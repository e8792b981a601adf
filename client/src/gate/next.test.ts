import { describe, expect, test, vi } from 'vitest';
import { headersOfPage, NextResponse } from '../../test/gated-site.ts';
import { scriptGatehouse } from '../../test/scripted-gatehouse.ts';
import { Gatehouse } from '../index.ts';
import { gate, visitorOf } from './next.ts';

const site = 'https://academy.example.com';

/** Sends a request through the gate, and gives the headers with which the page is asked for. */
async function pass(headers: Record<string, string> = {}, path = '/courses') {
  const { gatehouse } = await scriptGatehouse('allowed');
  const proxy = gate(gatehouse, { NextResponse });
  return { gatehouse, headers: headersOfPage(await proxy(new Request(site + path, { headers }))) };
}

describe('a page', () => {
  test('knows who asks, whatever the letters of the name', async () => {
    const { gatehouse, headers } = await pass({ 'accept-language': 'de' });
    expect((await visitorOf(gatehouse, headers)).member).toMatchObject({ displayName: 'Ada 💙 Łovelace' });
    expect(headers.get('accept-language')).toBe('de');
  });

  test('is given no header of that kind which the visitor sent', async () => {
    const { gatehouse, headers } = await pass({
      'x-gatehouse-visitor': 'forged',
      'X-Gatehouse-Member': 'forged',
    });
    expect([...headers].filter(([, value]) => value.includes('forged'))).toEqual([]);
    expect((await visitorOf(gatehouse, headers)).member).toMatchObject({ email: 'ada@example.com' });
  });

  test('that the gate does not stand before believes no header', async () => {
    const { gatehouse, headers } = await pass();
    const genuine = headers.get('x-gatehouse-visitor')!;
    const [text, signature] = genuine.split('.') as [string, string];
    const other = btoa(atob(text).replace('ada@example.com', 'eve@example.com'));
    const signatureOfOther = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const forged of [
      '',
      '.',
      'null',
      text,
      `${text}.`,
      `${other}.${signature}`,
      `${text}.${signatureOfOther}`,
      `${genuine}.`,
      `${genuine}.${signature}`,
      `${genuine}, ${genuine}`,
      `${text}=.${signature}`,
    ]) {
      const asked = visitorOf(gatehouse, new Headers({ 'x-gatehouse-visitor': forged }));
      await expect(asked, forged).rejects.toThrow('has not been through the gate');
    }
    await expect(visitorOf(gatehouse, new Headers())).rejects.toThrow('has not been through the gate');
  });

  test('believes no header of another site', async () => {
    const { headers } = await pass();
    const other = new Gatehouse({ url: site, key: 'gate_other' });
    await expect(visitorOf(other, headers)).rejects.toThrow('has not been through the gate');
  });

  test('believes a header for five minutes', async () => {
    const { gatehouse, headers } = await pass();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 299_000);
    await expect(visitorOf(gatehouse, headers)).resolves.toBeDefined();
    clock.mockReturnValue(now + 301_000);
    await expect(visitorOf(gatehouse, headers)).rejects.toThrow('has not been through the gate');
    clock.mockRestore();
  });
});

describe('the gate asks about', () => {
  test.each([
    ['the path with its base path and query', '/app/courses?a=b', '/app/courses?a=b'],
    ['an escaped path as it is', '/courses%2f..%2fa', '/courses%2f..%2fa'],
    [
      'the image itself, not the maker of its copy',
      '/_next/image?url=%2Fcourses%2Fa.png&w=64',
      '/courses/a.png',
    ],
    ['such an image below a base path', '/app/_next/image?url=%2Fapp%2Fa.png', '/app/a.png'],
    [
      'the maker of copies for images of others',
      '/_next/image?url=https%3A%2F%2Fa.example%2Fb',
      '/_next/image',
    ],
  ])('%s', async (_, path, expected) => {
    const { gatehouse, askedPaths } = await scriptGatehouse('denied');
    await gate(gatehouse, { NextResponse })(new Request(site + path));
    expect(askedPaths()).toEqual([expected]);
  });

  test.each([
    '/_next/data/build/courses.json',
    '/app/_next/data/build/courses.json',
    '/courses.rsc',
    '/courses.segments/_tree.segment.rsc',
    '/_next/image?w=64',
    '/_next/image?url=%2Fpublic.png&url=%2Fcourses%2Fa.png',
  ])('nothing, and lets nobody pass, for %s', async (path) => {
    const { gatehouse, askedPaths } = await scriptGatehouse('allowed');
    const answer = await gate(gatehouse, { NextResponse })(new Request(site + path));
    expect(answer.status).toBe(400);
    expect(askedPaths()).toEqual([]);
  });
});

test('no page for those without access lets them pass', async () => {
  for (const denied of [
    () => undefined as unknown as Response,
    () => NextResponse.next({ request: { headers: new Headers() } }),
  ]) {
    const { gatehouse } = await scriptGatehouse('denied');
    const answer = await gate(gatehouse, { NextResponse, denied })(new Request(`${site}/courses`));
    expect(answer.status).toBe(403);
    expect(answer.headers.has('x-middleware-next')).toBe(false);
  }
});
