import { describe, expect, test, vi } from 'vitest';
import { headersOfPage, NextResponse } from '../../test/gated-site.ts';
import { scriptGatehouse } from '../../test/scripted-gatehouse.ts';
import { Gatehouse } from '../index.ts';
import { gate, visitorOf } from './next.ts';

const site = 'https://academy.example.com';

/** Sends a request through the gate and returns the headers of the page request. */
async function pass(headers: Record<string, string> = {}, path = '/courses') {
  const { gatehouse } = await scriptGatehouse('allowed');
  const proxy = gate(gatehouse, { NextResponse });
  return { gatehouse, headers: headersOfPage(await proxy(new Request(site + path, { headers }))) };
}

describe('a page', () => {
  test('knows the visitor, whatever characters the name has', async () => {
    const { gatehouse, headers } = await pass({ 'accept-language': 'de' });
    expect((await visitorOf(gatehouse, headers)).member).toMatchObject({ displayName: 'Ada 💙 Łovelace' });
    expect(headers.get('accept-language')).toBe('de');
  });

  test('receives no such header from the visitor', async () => {
    const { gatehouse, headers } = await pass({
      'x-gatehouse-visitor': 'forged',
      'X-Gatehouse-Member': 'forged',
    });
    expect([...headers].filter(([, value]) => value.includes('forged'))).toEqual([]);
    expect((await visitorOf(gatehouse, headers)).member).toMatchObject({ email: 'ada@example.com' });
  });

  test('that is not behind the gate trusts no header', async () => {
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
      const requested = visitorOf(gatehouse, new Headers({ 'x-gatehouse-visitor': forged }));
      await expect(requested, forged).rejects.toThrow('has not passed the gate');
    }
    await expect(visitorOf(gatehouse, new Headers())).rejects.toThrow('has not passed the gate');
  });

  test('trusts no header of another site', async () => {
    const { headers } = await pass();
    const other = new Gatehouse({ url: site, key: 'gate_other' });
    await expect(visitorOf(other, headers)).rejects.toThrow('has not passed the gate');
  });

  test('trusts a header for five minutes', async () => {
    const { gatehouse, headers } = await pass();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 299_000);
    await expect(visitorOf(gatehouse, headers)).resolves.toBeDefined();
    clock.mockReturnValue(now + 301_000);
    await expect(visitorOf(gatehouse, headers)).rejects.toThrow('has not passed the gate');
    clock.mockRestore();
  });
});

describe('the gate checks', () => {
  test.each([
    ['the path with its base path and query', '/app/courses?a=b', '/app/courses?a=b'],
    ['an escaped path as it is', '/courses%2f..%2fa', '/courses%2f..%2fa'],
    [
      'the image itself, not the image optimizer',
      '/_next/image?url=%2Fcourses%2Fa.png&w=64',
      '/courses/a.png',
    ],
    ['an optimized image below a base path', '/app/_next/image?url=%2Fapp%2Fa.png', '/app/a.png'],
    [
      'the image optimizer for images of other sites',
      '/_next/image?url=https%3A%2F%2Fa.example%2Fb',
      '/_next/image',
    ],
  ])('%s', async (_, path, expected) => {
    const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
    await gate(gatehouse, { NextResponse })(new Request(site + path));
    expect(requestedPaths()).toEqual([expected]);
  });

  test.each([
    '/_next/data/build/courses.json',
    '/app/_next/data/build/courses.json',
    '/courses.rsc',
    '/courses.segments/_tree.segment.rsc',
    '/_next/image?w=64',
    '/_next/image?url=%2Fpublic.png&url=%2Fcourses%2Fa.png',
    '/_next/image?url=%2F%2Fevil.example%2Fa.png',
    '/_next/image?url=%2F%09%2Fevil.example%2Fa.png',
    '/_next/image?url=%2F%5Cevil.example%2Fa.png',
  ])('nothing and denies access for %s', async (path) => {
    const { gatehouse, requestedPaths } = await scriptGatehouse('allowed');
    const response = await gate(gatehouse, { NextResponse })(new Request(site + path));
    expect(response.status).toBe(400);
    expect(requestedPaths()).toEqual([]);
  });
});

test('an image for members is sent as it is, because Next.js would request it without their cookies', async () => {
  const { gatehouse } = await scriptGatehouse('allowed');
  const request = new Request(`${site}/app/_next/image?url=%2Fapp%2Fa.png%3Fv%3D2&w=64`);
  const response = await gate(gatehouse, { NextResponse })(request);
  expect([response.status, response.headers.get('location')]).toEqual([307, '/app/a.png?v=2']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const forAll = await scriptGatehouse('public');
  for (const path of ['/_next/image?url=%2Fa.png', '/_next/image?url=https%3A%2F%2Fa.example%2Fb']) {
    const passed = await gate(forAll.gatehouse, { NextResponse })(new Request(site + path));
    expect([path, passed.headers.has('x-middleware-next')]).toEqual([path, true]);
  }
});

test('no page for denied members allows the request', async () => {
  for (const denied of [
    () => undefined as unknown as Response,
    () => NextResponse.next({ request: { headers: new Headers() } }),
  ]) {
    const { gatehouse } = await scriptGatehouse('denied');
    const response = await gate(gatehouse, { NextResponse, denied })(new Request(`${site}/courses`));
    expect(response.status).toBe(403);
    expect(response.headers.has('x-middleware-next')).toBe(false);
  }
});
