import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Miniflare, type Request as WorkerRequest, Response as WorkerResponse } from 'miniflare';
import { build, type Rollup } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { forOneStore } from '../../../server/test/stores.ts';
import { useTestServer } from '../../../server/test/use-server.ts';
import { anEdgeSite } from '../../test/edge-site.ts';

const program = fileURLToPath(new URL('../../../examples/edge/worker.ts', import.meta.url));

/** The example as one file, without anything of Node. */
async function bundled(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: program, write: false, minify: false, target: 'es2022' },
  })) as Rollup.RollupOutput;
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  return output[0].code;
}

forOneStore((store) => {
  const server = useTestServer(store);

  test('the example runs in the runtime of Cloudflare with a real Gatehouse', async () => {
    const edge = await anEdgeSite(server);
    const state = { checks: 0, isDown: false };
    const worker = new Miniflare({
      // The worker reports there that Gatehouse is unavailable.
      handleRuntimeStdio: (...streams: Readable[]) => void streams.map((stream) => stream.resume()),
      workers: [
        {
          name: 'site',
          modules: true,
          script: await bundled(),
          compatibilityDate: '2025-01-01',
          bindings: {
            GATEHOUSE_URL: 'https://gatehouse.test',
            GATEHOUSE_KEY: edge.key,
            SITE_ID: edge.site.siteId,
            SITE_ORIGIN: edge.origin,
          },
          serviceBindings: {
            ASSETS: (request: WorkerRequest) =>
              new WorkerResponse(`The page ${new URL(request.url).pathname}.`, {
                headers: { 'cache-control': 'public, max-age=60' },
              }),
          },
          // Everything that the worker requests: the API, and the pages of Gatehouse at the site.
          outboundService: async (request: WorkerRequest) => {
            if (state.isDown) return new WorkerResponse('unreachable', { status: 502 });
            const url = new URL(request.url);
            if (url.pathname.endsWith('/sessions/verify')) state.checks += 1;
            const isApi = url.host === 'gatehouse.test';
            if (!isApi) {
              const { status, text } = await edge.site.visit('GET', url.pathname + url.search);
              return new WorkerResponse(text, { status });
            }
            const headers = Object.fromEntries(request.headers);
            const { host: _, ...sent } = headers;
            const body = await request.text();
            const response = await fetch(server.address + url.pathname, {
              method: request.method,
              headers: sent,
              body,
            });
            return new WorkerResponse(await response.text(), { status: response.status });
          },
        },
      ],
    });
    onTestFinished(() => worker.dispose());
    const visit = async (path: string, ...cookies: string[]) => {
      const headers = { cookie: cookies.join('; '), accept: 'text/html' };
      const response = await worker.dispatchFetch(edge.origin + path, { headers, redirect: 'manual' });
      const token = /^(__Host-gatehouse_edge=[^;]+);/.exec(response.headers.get('set-cookie') ?? '')?.[1];
      return { status: response.status, token: token ?? '', body: await response.text(), response };
    };

    expect(await visit('/')).toMatchObject({ status: 200, body: 'The page /.' });
    // The runtime marks its requests as those of a script, which are not redirected to the login page.
    const anonymous = await visit('/courses/a/b');
    expect([anonymous.status, JSON.parse(anonymous.body).error.code]).toEqual([401, 'login_required']);
    expect((await visit('/_gatehouse/login')).body).toContain('<form');
    const first = await visit('/courses/a/b', edge.adaSession);
    expect([first.status, first.body]).toEqual([200, 'The page /courses/a/b.']);
    expect(first.response.headers.get('cache-control')).toBe('private, max-age=60');
    expect((await visit('/courses/secret', edge.adaSession)).status).toBe(403);
    const checks = state.checks;
    expect((await visit('/courses/a/c', edge.adaSession, first.token)).status).toBe(200);
    expect(state.checks).toBe(checks);
    expect((await visit('/courses/a/c', edge.eveSession, first.token)).status).toBe(200);
    expect(state.checks).toBe(checks + 1);
    expect((await visit('/courses/a/c', first.token)).status).toBe(401);
    // The last characters of a signature are the same in many tokens.
    const tampered = first.token.replace(/.(?=.{20}$)/, (each) => (each === 'A' ? 'B' : 'A'));
    await visit('/courses/a/c', edge.adaSession, tampered);
    expect(state.checks).toBe(checks + 3);

    state.isDown = true;
    expect((await visit('/courses/a/d', edge.adaSession, first.token)).status).toBe(200);
    expect((await visit('/courses/b', edge.adaSession, first.token)).status).toBe(503);
    expect((await visit('/courses/a/d', edge.eveSession, first.token)).status).toBe(503);
    expect((await visit('/')).status).toBe(503);
  });
});
