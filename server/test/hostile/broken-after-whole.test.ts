import { expect, test } from 'vitest';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { RawConnection, requestText } from './raw-connection.ts';

forOneStore((store) => {
  const server = useTestServer(store);

  test('a request followed by garbage gets its own response, and the garbage gets the next one', async () => {
    const site = await server.createSite();
    const bulk = (name: string) => {
      const members = Array.from({ length: 200 }, (_, index) => ({ email: `${name}${index}@example.com` }));
      const body = JSON.stringify({ members });
      const headers = {
        authorization: `Bearer ${site.key}`,
        'content-type': 'application/json',
        'content-length': String(body.length),
      };
      return requestText('POST /api/v1/members/bulk', headers, body);
    };
    const connection = await RawConnection.open(server.address);
    connection.write(`${bulk('a')}${bulk('b')}NO SUCH THING\r\n\r\n`);
    connection.write('\0\0\0');
    for (let request = 0; request < 2; request += 1)
      expect((await connection.answer())?.body.summary).toEqual({ total: 200, created: 200, failed: 0 });
    expect((await connection.answer())?.body.error.code).toBe('invalid_request');
    await connection.closed;
    expect(connection.nothingMore).toBe(true);
  });
});
