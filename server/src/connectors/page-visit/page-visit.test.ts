import type { RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../../test/loopback-servers.ts';
import type { ResolveName } from '../outgoing/checked-connector.ts';
import { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { PageVisit } from './page-visit.ts';

const megabyte = 1_048_576;

interface Given {
  readonly resolve?: ResolveName;
  readonly timeoutMilliseconds?: number;
}

/** Visits the page at `/` of http://club.example, of which everything is open. Only 127.0.0.1 may be reached. */
async function start(answer: RequestListener, { resolve, timeoutMilliseconds = 10_000 }: Given = {}) {
  const paths: string[] = [];
  const servers = await listenOnLoopback((request, response) => {
    paths.push(request.url!);
    answer(request, response);
  });
  const http = new OutgoingHttp(
    { allowedNetworks: ['127.0.0.1'], allowsHttp: true },
    { resolve: resolve ?? (async () => ['127.0.0.1']) },
  );
  onTestFinished(() => http.close());
  const page = new URL(`http://club.example:${servers.port}/`);
  const pages = { locate: (url: URL) => (url.origin === page.origin ? url : undefined), isOpen: () => true };
  const load = () => new PageVisit(http, pages, AbortSignal.timeout(timeoutMilliseconds)).load(page);
  const expectClosed = () => expect.poll(() => servers.sockets.size).toBe(0);
  return { ...servers, load, paths, expectClosed };
}

/** Serves a page of these lines at `/`, and the same style sheet at each other path. */
function serve(
  html: string,
  css: string | Uint8Array = '',
  headers: Record<string, string> = {},
): RequestListener {
  return ({ url }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(html);
    else response.writeHead(200, { 'content-type': 'text/css', ...headers }).end(css);
  };
}

const sheets = (count: number) =>
  Array.from({ length: count }, (_, index) => `<link rel=stylesheet href=/${index}.css>`).join('');

describe('a name that leads to another address', () => {
  test('at the next connection is not reached', async () => {
    let lookUps = 0;
    const resolve: ResolveName = async () => (lookUps++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    const { load, paths, connections } = await start(
      ({ url }, response) => {
        response.setHeader('connection', 'close');
        if (url === '/') response.setHeader('content-type', 'text/html').end(sheets(2));
        else response.setHeader('content-type', 'text/css').end('');
      },
      { resolve },
    );
    expect(await load()).toMatchObject({ isComplete: false });
    expect(paths).toEqual(['/']);
    expect(new Set(connections)).toEqual(new Set(['127.0.0.1']));
  });

  test('beside an allowed one is not reached', async () => {
    const { load, connections } = await start(serve(''), { resolve: async () => ['127.0.0.1', '10.0.0.1'] });
    await expect(load()).rejects.toMatchObject({ reason: 'address_not_allowed' });
    expect(connections).toEqual([]);
  });
});

describe('a visit reads', () => {
  test('a page up to its limit', async () => {
    const { load, expectClosed } = await start(
      serve(`<img src=/a.png>${'a'.repeat(2 * megabyte)}<img src=/b.png>`),
    );
    const { files, isComplete } = await load();
    expect([files.map(({ url }) => url.pathname), isComplete]).toEqual([['/a.png'], false]);
    await expectClosed();
  });

  test('a page without an end up to its limit', async () => {
    const { load, expectClosed } = await start((_request, response) => {
      response.setHeader('content-type', 'text/html');
      const send = () => {
        while (!response.destroyed && response.write('<p>'.repeat(5_000)));
      };
      response.on('drain', send).on('error', () => {});
      send();
    });
    expect(await load()).toMatchObject({ isComplete: false });
    await expectClosed();
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('what %s has compressed up to the same limit', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(200 * megabyte, ' '));
    expect(bomb.byteLength).toBeLessThan(megabyte);
    const { load } = await start(serve(sheets(3), bomb, { 'content-encoding': encoding }));
    expect(await load()).toMatchObject({ isComplete: false });
  });

  test('all style sheets together up to the limit', async () => {
    const { load, paths } = await start(serve(sheets(10), ' '.repeat(300_000)));
    expect(await load()).toMatchObject({ isComplete: false });
    expect(paths.length).toBeLessThan(6);
  });

  test('nothing after 20 requests, redirects included', async () => {
    const { load, paths } = await start(serve(sheets(50)));
    const { files, isComplete } = await load();
    expect([files.length, isComplete, paths.length]).toEqual([50, false, 20]);
    const redirecting = await start((request, response) => {
      if (/^\/\d+\.css$/.test(request.url!)) response.writeHead(302, { location: `${request.url}?x` }).end();
      else serve(sheets(50))(request, response);
    });
    expect(await redirecting.load()).toMatchObject({ isComplete: false });
    expect(redirecting.paths).toHaveLength(20);
  });

  test('no style sheet twice, whatever imports it', async () => {
    const { load, paths } = await start(serve(sheets(1), '@import "/0.css"; @import "/1.css";'));
    expect(await load()).toMatchObject({ isComplete: true });
    expect(paths.filter((path) => path !== '/')).toEqual(['/0.css', '/1.css']);
  });

  test('at most 200 files', async () => {
    const images = Array.from({ length: 300 }, (_, index) => `<img src=/${index}.png>`).join('');
    const { load } = await start(serve(images));
    const { files, isComplete } = await load();
    expect([files.length, isComplete]).toEqual([200, false]);
  });

  test('no longer than its time', async () => {
    const slow = await start(
      ({ url }, response) => {
        if (url === '/') response.setHeader('content-type', 'text/html').end(sheets(2));
      },
      { timeoutMilliseconds: 500 },
    );
    expect(await slow.load()).toMatchObject({ files: [{}, {}], isComplete: false });
    expect(slow.paths).toEqual(['/', '/0.css']);
    await slow.expectClosed();
    const hanging = await start(
      (_request, response) => {
        response.setHeader('content-type', 'text/html').write('<p>');
      },
      { timeoutMilliseconds: 500 },
    );
    await expect(hanging.load()).rejects.toMatchObject({ name: 'TimeoutError' });
    await hanging.expectClosed();
  });
});
