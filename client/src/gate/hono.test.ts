import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { startHonoApp, visit } from '../../test/gated-site.ts';
import { scriptGatehouse } from '../../test/scripted-gatehouse.ts';
import { gate, type VerifiedSession, visitorOf } from './hono.ts';

test('the gate of a mounted application checks the whole path', async () => {
  const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
  const inner = new Hono().use(gate(gatehouse)).all('*', (context) => context.text('The page.'));
  const site = await startHonoApp(new Hono().mount('/courses', inner.fetch));
  expect(await visit(site, '/courses/rowing?a=b')).toMatchObject({ status: 403 });
  expect(requestedPaths()).toEqual(['/courses/rowing?a=b']);
});

test('it checks the path of the request on runtimes other than Node', async () => {
  const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
  const app = new Hono().use(gate(gatehouse));
  for (const path of ['/courses/%2fa?b=c', '/', '']) await app.request(`https://academy.example.com${path}`);
  expect(requestedPaths()).toEqual(['/courses/%2fa?b=c', '/', '/']);
});

test('a single route can be behind it', async () => {
  const { gatehouse } = await scriptGatehouse('denied');
  const app = new Hono().get('/', (context) => context.text('Welcome.'));
  app.get('/courses/*', gate(gatehouse), (context) => context.text('The page.'));
  expect((await app.request('/')).status).toBe(200);
  expect((await app.request('/courses/rowing')).status).toBe(403);
});

test('no request passes if the page for denied members fails or is missing', async () => {
  const failing = async () => {
    throw new Error('no template');
  };
  for (const denied of [failing, () => undefined as unknown as Response]) {
    const { gatehouse } = await scriptGatehouse('denied');
    const app = new Hono().use(gate(gatehouse, { denied })).all('*', (context) => context.text('The page.'));
    app.onError((_, context) => context.text('failed', 500));
    const response = await app.request('/courses');
    expect(response.status).toBeOneOf([403, 500]);
    expect(await response.text()).not.toContain('The page.');
  }
});

test('a response that cannot be changed is for the browser of its visitor too', async () => {
  const { gatehouse } = await scriptGatehouse('allowed');
  const app = new Hono().use(gate(gatehouse)).all('*', () => Response.redirect('https://example.com/'));
  const { status, headers } = await app.request('/courses');
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
    302,
    'https://example.com/',
    'private, no-cache',
  ]);
});

test('the visitor is a variable of the context', async () => {
  const { gatehouse } = await scriptGatehouse('allowed');
  const app = new Hono<{ Variables: { gatehouse: VerifiedSession } }>();
  app.use(gate(gatehouse));
  app.get('/courses', (context) => {
    expect(visitorOf(context)).toBe(context.get('gatehouse'));
    return context.text(context.get('gatehouse').member!.email);
  });
  expect(await (await app.request('/courses')).text()).toBe('ada@example.com');
});

test('the visitor is known only behind the gate', async () => {
  const app = new Hono().get('/', (context) => context.json(visitorOf(context)));
  app.onError((error, context) => context.text(error.message, 500));
  expect(await (await app.request('/')).text()).toContain('has not passed the gate');
});
