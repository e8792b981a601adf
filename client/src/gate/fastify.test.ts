import { type FastifyReply, type FastifyServerOptions, fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { visit } from '../../test/gated-site.ts';
import { scriptGatehouse } from '../../test/scripted-gatehouse.ts';
import { gate, visitorOf } from './fastify.ts';

function createApp(options: FastifyServerOptions = {}) {
  const app = fastify(options);
  onTestFinished(() => app.close());
  return { app, listen: () => app.listen({ port: 0, host: '127.0.0.1' }) };
}

test('routes of plugins that are registered after the gate are behind it', async () => {
  const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
  const { app, listen } = createApp();
  app.addHook('onRequest', gate(gatehouse));
  app.register(async (plugin) => plugin.get('/rowing', () => 'The page.'), { prefix: '/courses' });
  expect(await visit(await listen(), '/courses/rowing')).toMatchObject({ status: 403 });
  expect(requestedPaths()).toEqual(['/courses/rowing']);
});

test('missing pages are behind it too', async () => {
  const { gatehouse } = await scriptGatehouse('denied');
  const { app, listen } = createApp();
  app.addHook('onRequest', gate(gatehouse));
  expect(await visit(await listen(), '/nothing')).toMatchObject({ status: 403 });
});

test('it checks the path as received, even if it is rewritten', async () => {
  const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
  const { app, listen } = createApp({ rewriteUrl: () => '/public' });
  app.addHook('onRequest', gate(gatehouse));
  app.get('/public', () => 'The page.');
  expect(await visit(await listen(), '/courses')).toMatchObject({ status: 403 });
  expect(requestedPaths()).toEqual(['/courses']);
});

test('no request passes if the page for denied members fails or is missing', async () => {
  const failing = async () => {
    throw new Error('no template');
  };
  for (const denied of [failing, () => undefined]) {
    const { gatehouse } = await scriptGatehouse('denied');
    const { app, listen } = createApp();
    app.addHook('onRequest', gate(gatehouse, { denied }));
    app.get('/courses', () => 'The page.');
    const response = await visit(await listen(), '/courses');
    expect(response.status).toBeOneOf([403, 500]);
    expect(response.body).not.toContain('The page.');
  }
});

test('the page for denied members may send the reply itself', async () => {
  const { gatehouse } = await scriptGatehouse('denied');
  const { app, listen } = createApp();
  const options = {
    denied: (_: unknown, reply: FastifyReply) => reply.redirect('/no-place', 302),
  };
  app.addHook('onRequest', gate(gatehouse, options));
  expect(await visit(await listen(), '/courses')).toMatchObject({
    status: 302,
    headers: { location: '/no-place' },
  });
});

test('the visitor is known only behind the gate', () => {
  expect(() => visitorOf({})).toThrow('has not passed the gate');
});
