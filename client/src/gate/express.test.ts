import express, { type NextFunction, type Request, type Response } from 'express';
import express4 from 'express4';
import { describe, expect, test } from 'vitest';
import { start, visit } from '../../test/gated-site.ts';
import { scriptGatehouse } from '../../test/scripted-gatehouse.ts';
import { gate, visitorOf } from './express.ts';

describe.each([
  ['5', express],
  ['4', express4],
])('in Express %s', (_, createApp) => {
  test('the gate of a router checks the whole path', async () => {
    const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
    const router = express.Router().use(gate(gatehouse));
    const site = await start(createApp().use('/courses', router));
    await visit(site, '/courses/rowing?a=b');
    expect(requestedPaths()).toEqual(['/courses/rowing?a=b']);
  });

  test('it checks the path as received, even if it was rewritten before', async () => {
    const { gatehouse, requestedPaths } = await scriptGatehouse('denied');
    const app = createApp();
    app.use((request: Request, _: Response, next: NextFunction) => {
      request.url = '/public';
      next();
    });
    await visit(await start(app.use(gate(gatehouse))), '/courses');
    expect(requestedPaths()).toEqual(['/courses']);
  });

  test('no request passes if the page for denied members fails', async () => {
    const { gatehouse } = await scriptGatehouse('denied');
    const app = createApp();
    app.set('env', 'test');
    app.use(gate(gatehouse, { denied: () => Promise.reject(new Error('no template')) }));
    app.use((_: Request, response: Response) => {
      response.send('The page.');
    });
    const response = await visit(await start(app), '/courses');
    expect(response.status).toBeOneOf([403, 500]);
    expect(response.body).not.toContain('The page.');
  });

  test('an error of a page is not treated as an error of the gate', async () => {
    const { gatehouse } = await scriptGatehouse('allowed');
    const app = createApp().use(gate(gatehouse));
    app.get('/courses', () => {
      throw new Error('broken page');
    });
    app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).send(error.message);
    });
    expect(await visit(await start(app), '/courses')).toMatchObject({ status: 500, body: 'broken page' });
  });
});

test('the visitor is known only behind the gate', () => {
  expect(() => visitorOf({})).toThrow('has not passed the gate');
});
