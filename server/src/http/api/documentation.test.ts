import { openApiDocument } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { expectEveryHeader, expectResponse } from '../../../test/contract/answers.ts';
import { forOneStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { version } from '../../base/version.ts';

forOneStore((store) => {
  const server = useTestServer(store);
  const get = (path: string) => send(server.address + path, 'GET');

  test('the OpenAPI document is public, and is the one generated from the contract', async () => {
    const answer = await get('/api/v1/openapi.json');
    expect(expectResponse('getOpenApi', answer, 200)).toEqual(openApiDocument({ version }));
  });

  test('the reference at /docs is a public page', async () => {
    const answer = await get('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expectEveryHeader(answer);
    expect(answer.text).toContain('/api/v1/openapi.json');
  });

  test('the reference may not load from other hosts', async () => {
    const answer = await get('/docs');
    const policy = new Map(
      answer.headers
        .get('content-security-policy')!
        .split(';')
        .map((directive) => directive.trim().split(/\s+/))
        .map(([name, ...sources]) => [name!, sources]),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'"]);
    for (const name of ['form-action', 'base-uri', 'frame-ancestors'])
      expect(policy.get(name)).toEqual(["'none'"]);
    for (const source of [...policy.values()].flat()) {
      expect(["'self'", "'none'", "'unsafe-inline'", 'data:']).toContain(source);
    }
    expect(answer.text).not.toMatch(/https?:|src="\/\/|url\(/);
  });

  test('everything that the reference loads comes from this server', async () => {
    const { text } = await get('/docs');
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!);
    expect(sources).toContain('/docs/scalar.js');
    for (const source of sources.filter((each) => !each.startsWith('data:'))) {
      const answer = await get(source);
      expect(answer.status, source).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(answer.text.length).toBeGreaterThan(100_000);
      expectEveryHeader(answer);
    }
  });

  test.each(['/healthz', '/readyz', '/readyz/writes'])('%s is public', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(server.address + path, method);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(method === 'GET' ? { status: 'ok' } : undefined);
      expectEveryHeader(answer);
    }
  });
});
