import { describe, expect, test } from 'vitest';
import { startNotionReader } from '../../../test/notion-reader.ts';
import type { OtherResponse } from '../../../test/notion-server.ts';

async function startWithMember() {
  const reader = await startNotionReader();
  const team = reader.notion.database('Team', { Name: 'title', Email: 'email' });
  team.addRow({ Email: 'ada@example.com' });
  return { ...reader, team };
}

describe('a failure for a moment', () => {
  test.each<OtherResponse>([
    { status: 429, retryAfterSeconds: 3 },
    { status: 429, retryAfterSeconds: 3, text: '<html>' },
    { status: 529, retryAfterSeconds: 3 },
    { status: 409 },
    { status: 500 },
    { status: 503 },
    { status: 502, text: '<html>Bad gateway</html>' },
  ])('is retried: %j', async (failure) => {
    const { notion, team, read, waits } = await startWithMember();
    notion.failNext(failure, failure);
    expect((await read(team)).emails).toEqual(['ada@example.com']);
    const pauses = waits.filter((milliseconds) => milliseconds > 500);
    expect(pauses).toEqual(failure.retryAfterSeconds ? [3000, 3000] : [1000, 2000]);
  });

  test('of every third request does not stop a reading', async () => {
    const { notion, team, read } = await startWithMember();
    for (let row = 0; row < 500; row++) team.addRow({ Email: `${row}@example.com` });
    notion.failEvery(3, { status: 429, retryAfterSeconds: 1 });
    expect((await read(team)).emails).toHaveLength(501);
  });

  test('that lasts ends the reading, with the time to wait', async () => {
    const { notion, team, read } = await startWithMember();
    notion.failEvery(1, { status: 529 });
    await expect(read(team)).rejects.toMatchObject({ name: 'WorkspaceUnavailable', code: 'unavailable' });
    expect(notion.requests).toHaveLength(5);
    notion.failEvery(1, { status: 429, retryAfterSeconds: 45 });
    await expect(read(team)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 45 });
    expect(notion.requests).toHaveLength(6);
  });

  test('is not waited for when the signal is aborted', async () => {
    const { notion, team, read } = await startWithMember();
    const controller = new AbortController();
    notion.onRequest = () => {
      controller.abort(new Error('stopped'));
      return { status: 503 };
    };
    await expect(read(team, {}, null, controller.signal)).rejects.toThrow('stopped');
    expect(notion.requests).toHaveLength(1);
  });

  test('of the network ends the reading after a few attempts', async () => {
    const { notion, team, read } = await startWithMember();
    notion.close();
    await expect(read(team)).rejects.toMatchObject({
      name: 'WorkspaceUnavailable',
      code: 'unavailable',
      message: expect.stringContaining('There was no complete response from Notion.'),
    });
  });
});

describe('a rejection', () => {
  test('of the token says what to do, and does not contain it', async () => {
    const { team, open } = await startWithMember();
    const token = 'ntn_secret';
    const reading = open(token).read(
      { key: team.id, columns: { email: 'title' } },
      null,
      AbortSignal.timeout(60_000),
    );
    const error = await reading.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'WorkspaceUnavailable', code: 'rejected' });
    expect(String(error)).toContain('Notion rejected the token.');
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain(token);
  });

  test('of reading content names the capability', async () => {
    const { notion, team, read, collections } = await startWithMember();
    notion.readsContent = false;
    const rejected = {
      name: 'WorkspaceUnavailable',
      code: 'rejected',
      message: expect.stringContaining('"Read content"'),
    };
    await expect(read(team)).rejects.toMatchObject(rejected);
    await expect(collections()).rejects.toMatchObject(rejected);
  });

  test('of a query as invalid concerns one collection', async () => {
    const { notion, team, read } = await startWithMember();
    notion.onRequest = ({ path }) => (path.endsWith('/query') ? { status: 400 } : undefined);
    await expect(read(team)).rejects.toMatchObject({ name: 'CollectionUnreadable', code: 'rejected' });
  });
});

describe('a response of somebody else', () => {
  test.each<OtherResponse>([
    { status: 200, text: '<html>Log in to the network</html>' },
    { status: 200, text: '{}' },
    { status: 200, text: 'null' },
    { status: 200, text: '{"object":"list","results":{}}' },
    { status: 401, text: '<html>Unauthorized</html>' },
    { status: 403, text: '<html>Forbidden</html>' },
    { status: 404, text: '<html>Not found</html>' },
  ])('is not taken for an answer of Notion: %j', async (response) => {
    const { notion, team, read, collections } = await startWithMember();
    notion.failEvery(1, response);
    const unavailable = {
      name: 'WorkspaceUnavailable',
      code: 'unavailable',
      message: expect.stringContaining('did not come from the API of Notion'),
    };
    await expect(read(team)).rejects.toMatchObject(unavailable);
    await expect(collections()).rejects.toMatchObject(unavailable);
  });

  test('that redirects is not followed with the token', async () => {
    const { notion, team, read } = await startWithMember();
    notion.failEvery(1, { status: 302, text: '' });
    await expect(read(team)).rejects.toMatchObject({ name: 'WorkspaceUnavailable', code: 'rejected' });
  });
});

describe('requests', () => {
  test('are sent three times a second, after a small burst, by all workspaces with the token', async () => {
    const { notion, team, read, clock } = await startWithMember();
    const begun = clock().getTime();
    for (let count = 0; count < 20; count++) await read(team);
    const seconds = (clock().getTime() - begun) / 1000;
    expect(notion.requests).toHaveLength(60);
    expect(seconds).toBeCloseTo((60 - 10) / 3, 1);
  });
});
