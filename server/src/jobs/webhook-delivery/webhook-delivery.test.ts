import type { ServerResponse } from 'node:http';
import type { CreateWebhook, WebhookDelivery } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, aWebhook } from '../../../test/contract/given.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { startWebhookReceiver } from '../../../test/webhook-receiver.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  async function startReceiver() {
    const receiver = await startWebhookReceiver();
    stopInTheEnd(() => receiver.stop());
    return receiver;
  }

  /** A site with a webhook for some events, and its receiver. */
  async function given(values: Partial<CreateWebhook> = {}) {
    const site = await server.createSite();
    const receiver = await startReceiver();
    const webhook = await aWebhook(site, { url: receiver.url, eventTypes: ['member.created'], ...values });
    return { site, receiver, webhook };
  }

  const deliveriesOf = async (site: TestSite, id: string, query = ''): Promise<WebhookDelivery[]> =>
    expectResponse(
      'listWebhookDeliveries',
      await site.get(`/webhooks/${id}/deliveries?limit=100${query}`),
      200,
    ).data;
  const stateOf = async (site: TestSite, id: string) =>
    expectResponse('getWebhook', await site.get(`/webhooks/${id}`), 200).data;

  test('an event is sent as it happens, signed, with all its data', async () => {
    const { site, receiver, webhook } = await given();
    const member = await aMember(site, { displayName: 'Ada' });
    const { headers, text, body, path } = (await receiver.waitFor(1))[0]!;
    const [event] = expectResponse('listEvents', await site.get('/events?type=member.created'), 200).data;
    const { id, type, occurredAt, version, actor, requestId, data } = event;
    const { siteId } = site;
    expect(body).toEqual({
      id,
      type,
      timestamp: occurredAt,
      siteId,
      version,
      content: 'full',
      actor,
      requestId,
      data,
    });
    expect(data.member).toMatchObject({ id: member.id, displayName: 'Ada' });
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    expect(new Verifier(webhook.secret).verify(text, headers as Record<string, string>)).toEqual(body);
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id)).toMatchObject([
        {
          trigger: 'event',
          messageId: id,
          type,
          attempt: 1,
          status: 'succeeded',
          dueAt: null,
          responseStatus: 204,
          responseBody: null,
          error: null,
          nextAttemptAt: null,
        },
      ]),
    );
    const [delivery] = await deliveriesOf(site, webhook.id);
    const read = await site.get(`/webhooks/${webhook.id}/deliveries/${delivery!.id}`);
    expect(expectResponse('getWebhookDelivery', read, 200).data.requestBody).toBe(text);
  });

  test('only events of the given types and groups are sent, and only ids if wanted', async () => {
    const site = await server.createSite();
    const receiver = await startReceiver();
    const [group, other] = [await aGroup(site), await aGroup(site)];
    await aWebhook(site, {
      url: receiver.url,
      content: 'ids',
      groupIds: [group.id],
      eventTypes: ['access-group.member.added', 'access-group.updated', 'member.created'],
    });
    const { id: memberId } = await aMember(site);
    await aMembership(site, other.id, memberId);
    await aMembership(site, group.id, memberId);
    await site.patch(`/access-groups/${group.id}`, { name: 'Secret name' });
    await receiver.waitFor(2);
    const bodies = receiver.messages.map(({ body }) => body);
    expect(bodies.map(({ type, content, data }) => ({ type, content, data }))).toEqual(
      expect.arrayContaining([
        { type: 'access-group.member.added', content: 'ids', data: { groupId: group.id, memberId } },
        { type: 'access-group.updated', content: 'ids', data: { groupId: group.id } },
      ]),
    );
    expect(JSON.stringify(bodies)).not.toMatch(/Secret name|@example\.com/);
    expect(bodies.every(({ actor }) => actor.name === null)).toBe(true);
  });

  test('with parallelism 1 events arrive in order, otherwise several at the same time', async () => {
    const ordered = await given({ parallelism: 1 });
    const parallel = await given({ parallelism: 3 });
    ordered.receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 5);
    // Three are answered together, so that no fewer are sent at the same time.
    const open: ServerResponse[] = [];
    parallel.receiver.respond = (response) => {
      open.push(response);
      if (open.length === 3) for (const each of open.splice(0)) each.writeHead(204).end();
    };
    for (const { site } of [ordered, parallel])
      await site.post('/members/bulk', {
        members: Array.from({ length: 30 }, (_, n) => ({ email: `m-${n}@example.com` })),
      });
    await ordered.receiver.waitFor(30);
    const sent = ordered.receiver.messages.map(({ body }) => body.data.member.email);
    expect(sent).toEqual(Array.from({ length: 30 }, (_, n) => `m-${n}@example.com`));
    expect(ordered.receiver.open.max).toBe(1);
    await parallel.receiver.waitFor(30);
    expect(parallel.receiver.open.max).toBe(3);
  });

  // The first pause takes five seconds: those that wait for it run at the same time.
  test.concurrent('a failed attempt is stored with its response, and is made again after a pause', async () => {
    const { site, receiver, webhook } = await given();
    receiver.respond = (response) =>
      response.writeHead(500, { 'retry-after': '2' }).end(`\0<b>${'é'.repeat(2_000)}`);
    await aMember(site);
    await receiver.waitFor(1);
    receiver.respond = undefined;
    await eventually(async () => expect(await deliveriesOf(site, webhook.id)).toHaveLength(2));
    const [next, failed] = await deliveriesOf(site, webhook.id);
    expect(failed).toMatchObject({
      attempt: 1,
      status: 'failed',
      responseStatus: 500,
      dueAt: null,
      nextAttemptAt: next!.dueAt,
      error: { code: 'status', message: expect.stringContaining('500') },
    });
    expect(failed!.responseBody).toMatch(/^\uFFFD<b>é+/);
    expect(Buffer.byteLength(failed!.responseBody!)).toBeLessThanOrEqual(1_024 + 4);
    expect(next).toMatchObject({ attempt: 2, status: 'waiting', messageId: failed!.messageId });
    const pause = Date.parse(next!.dueAt!) - Date.parse(failed!.startedAt!);
    expect(pause).toBeGreaterThanOrEqual(4_500);
    expect(pause).toBeLessThan(15_000);
    // One failure is not yet a failing receiver: the others continue.
    const { id } = await aMember(site);
    const [, second] = await receiver.waitFor(2);
    expect(second!.body.data.member.id).toBe(id);
    await receiver.waitFor(3);
    expect(receiver.messages[2]!.headers['webhook-id']).toBe(failed!.messageId);
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=succeeded')).toHaveLength(2),
    );
    expect(await deliveriesOf(site, webhook.id, '&status=waiting')).toEqual([]);
    const attempts = await deliveriesOf(site, webhook.id, `&messageId=${failed!.messageId}`);
    expect(attempts.map(({ attempt, status }) => ({ attempt, status }))).toEqual([
      { attempt: 2, status: 'succeeded' },
      { attempt: 1, status: 'failed' },
    ]);
  });

  test.concurrent('in order, a failed event blocks those after it', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 1 });
    receiver.respond = (response) => response.writeHead(receiver.messages.length === 1 ? 503 : 204).end();
    const members = [await aMember(site), await aMember(site), await aMember(site)];
    await receiver.waitFor(4);
    const ids = receiver.messages.map(({ body }) => body.data.member.id);
    expect(ids).toEqual([members[0]!.id, ...members.map(({ id }) => id)]);
    expect((await stateOf(site, webhook.id)).status).toBe('active');
  });

  test.concurrent('a receiver that fails again and again gets one message at a time, and then all of them', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 2 });
    receiver.respond = (response) => response.writeHead(502).end();
    await site.post('/members/bulk', {
      members: Array.from({ length: 100 }, (_, n) => ({ email: `m-${n}@example.com` })),
    });
    await receiver.waitFor(5);
    await eventually(async () => {
      const { status, failingSince, nextAttemptAt } = await stateOf(site, webhook.id);
      expect(status).toBe('failing');
      expect(nextAttemptAt > failingSince).toBe(true);
    });
    expect(receiver.messages.length).toBeLessThan(8);
    // Nothing is stored for the events that wait.
    expect((await deliveriesOf(site, webhook.id, '&status=waiting')).length).toBeLessThan(8);
    receiver.messages.length = 0;
    receiver.respond = undefined;
    await receiver.waitFor(90, 30_000);
    await eventually(async () => expect((await stateOf(site, webhook.id)).status).toBe('active'));
  });

  test('after a long failure, a test that succeeds lets everything be sent at once, also in order', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 1 });
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await aMember(site);
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=waiting')).toHaveLength(1),
    );
    const holder = sql`SELECT holder FROM webhooks WHERE site_id = ${site.siteId} AND id = ${webhook.id}`;
    await eventually(async () => expect(await server.database.get(holder)).toEqual({ holder: null }));
    await server.database.transaction(async (tx) => {
      const at = '2030-01-31T09:30:00.000Z';
      await tx.run(sql`
        UPDATE webhooks SET failures = 9, due_at = ${at}, follows_feed = ${false}
        WHERE site_id = ${site.siteId} AND id = ${webhook.id}`);
      await tx.run(sql`
        UPDATE webhook_deliveries SET due_at = ${at}, attempt = 9
        WHERE site_id = ${site.siteId} AND webhook_id = ${webhook.id} AND status = 'waiting'`);
    });
    receiver.messages.length = 0;
    receiver.respond = undefined;
    const next = await aMember(site);
    await site.request('POST', `/webhooks/${webhook.id}/test`);
    await receiver.waitFor(3);
    const [test, ...events] = receiver.messages.map(({ body }) => body);
    expect(test?.type).toBe('webhook.test');
    expect(events.map(({ data }) => data.member.id)).toEqual([id, next.id]);
  });

  test('a receiver that recovers by a test and fails again is left alone until its pause is over', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 5 });
    const holder = sql`SELECT holder FROM webhooks WHERE site_id = ${site.siteId} AND id = ${webhook.id}`;
    const isFailing = () =>
      eventually(async () => {
        expect((await stateOf(site, webhook.id)).status).toBe('failing');
        expect(await server.database.get(holder)).toEqual({ holder: null });
      });
    receiver.respond = (response, { body }) =>
      response.writeHead(body.type === 'webhook.test' ? 204 : 500).end();
    await site.post('/members/bulk', {
      members: Array.from({ length: 5 }, (_, n) => ({ email: `m-${n}@example.com` })),
    });
    await receiver.waitFor(5);
    await isFailing();
    receiver.messages.length = 0;
    await site.request('POST', `/webhooks/${webhook.id}/test`);
    await receiver.waitFor(6);
    await isFailing();
    expect(receiver.messages).toHaveLength(6);
  });

  test('a message whose event is being sent is not sent again at the same time', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 5 });
    await aMember(site);
    await receiver.waitFor(1);
    await eventually(async () => expect(await deliveriesOf(site, webhook.id)).toHaveLength(1));
    const [delivery] = await deliveriesOf(site, webhook.id);
    receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 50);
    const path = `/webhooks/${webhook.id}/deliveries/${delivery!.id}/replay`;
    await Promise.all(Array.from({ length: 4 }, () => site.request('POST', path)));
    await receiver.waitFor(5);
    expect(receiver.open.max).toBe(1);
  });

  test('a receiver that is gone is disabled at once, with an event and an email to its operators', async () => {
    const { site, receiver, webhook } = await given();
    await site.createOperator('admin');
    await site.createOperator('viewer');
    receiver.respond = (response) => response.writeHead(410).end();
    await aMember(site);
    await eventually(async () =>
      expect(await stateOf(site, webhook.id)).toMatchObject({
        enabled: false,
        status: 'disabled',
        disabledReason: 'gone',
      }),
    );
    const [event] = expectResponse('listEvents', await site.get('/events?type=webhook.disabled'), 200).data;
    const host = new URL(receiver.url).host;
    expect(event).toMatchObject({
      actor: { type: 'system' },
      data: { webhookId: webhook.id, host, reason: 'gone' },
    });
    const emails = expectResponse('listEmails', await site.get('/emails'), 200).data;
    expect(emails).toMatchObject([
      { type: 'webhook_disabled', subject: expect.stringMatching(/was disabled/) },
    ]);
    expect(await deliveriesOf(site, webhook.id, '&status=waiting')).toEqual([]);
    // Enabled again, it begins with what happens from then on.
    receiver.respond = undefined;
    receiver.messages.length = 0;
    await aMember(site);
    await site.patch(`/webhooks/${webhook.id}`, { enabled: true });
    const { id } = await aMember(site);
    const [message] = await receiver.waitFor(1);
    expect(message!.body.data.member.id).toBe(id);
  });

  test('a response of an earlier URL does not count for the new one', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 20 });
    const other = await startReceiver();
    const answers: ServerResponse[] = [];
    receiver.respond = (response) => answers.push(response);
    await aMember(site);
    await receiver.waitFor(1);
    await site.patch(`/webhooks/${webhook.id}`, { url: other.url });
    // A run that sends to the earlier one notices it within a second.
    const sentToOther = async () => {
      await aMember(site);
      return other.messages.length;
    };
    await expect.poll(sentToOther, { interval: 200 }).toBeGreaterThan(0);
    for (const response of answers) response.writeHead(410).end();
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=failed')).toHaveLength(answers.length),
    );
    expect(await stateOf(site, webhook.id)).toMatchObject({ enabled: true, status: 'active' });
  });

  test('what happens after its settings were changed is sent by them, also while it sends', async () => {
    const { site, receiver, webhook } = await given();
    for (const content of ['ids', 'full', 'ids'] as const) {
      await aMember(site);
      await site.patch(`/webhooks/${webhook.id}`, { content });
      const { id } = await aMember(site);
      const found = () => receiver.messages.find(({ text }) => text.includes(id));
      await eventually(() => expect(found()?.body.content).toBe(content));
    }
    await aMember(site);
    await site.patch(`/webhooks/${webhook.id}`, { eventTypes: ['access-group.created'] });
    const { id } = await aMember(site);
    const group = await aGroup(site);
    await eventually(() => expect(receiver.messages.at(-1)!.text).toContain(group.id));
    expect(receiver.messages.some(({ text }) => text.includes(id))).toBe(false);
  });

  test('what failed before a webhook was disabled does not count when it is enabled again', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 20 });
    const answers: ServerResponse[] = [];
    receiver.respond = (response) => answers.push(response);
    await site.post('/members/bulk', {
      members: Array.from({ length: 6 }, (_, n) => ({ email: `m-${n}@example.com` })),
    });
    await receiver.waitFor(6);
    for (const enabled of [false, true]) await site.patch(`/webhooks/${webhook.id}`, { enabled });
    for (const response of answers.splice(0)) response.writeHead(500).end();
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=failed')).toHaveLength(6),
    );
    expect(await stateOf(site, webhook.id)).toMatchObject({ status: 'active', failingSince: null });
    receiver.respond = undefined;
    const { id } = await aMember(site);
    const ids = () => receiver.messages.map(({ body }) => body.data.member.id);
    await eventually(() => expect(ids()).toContain(id));
  });

  test.each([
    { what: 'its replay ends', isReplayed: false, sent: 1 },
    { what: 'only a new replay is sent, and whole', isReplayed: true, sent: 4 },
  ])('when a webhook is disabled and enabled again while it sends, $what', async ({ isReplayed, sent }) => {
    const { site, receiver, webhook } = await given({ parallelism: 1 });
    for (let count = 1; count <= 3; count += 1) await aMember(site);
    await receiver.waitFor(3);
    receiver.messages.length = 0;
    const answers: ServerResponse[] = [];
    receiver.respond = (response) => answers.push(response);
    const replay = () => site.post(`/webhooks/${webhook.id}/replay`, { since: '2020-01-01T00:00:00.000Z' });
    await replay();
    await receiver.waitFor(1);
    for (const enabled of [false, true]) await site.patch(`/webhooks/${webhook.id}`, { enabled });
    if (isReplayed) await replay();
    receiver.respond = undefined;
    for (const response of answers) response.writeHead(204).end();
    const holder = sql`SELECT holder, replay FROM webhooks WHERE site_id = ${site.siteId} AND id = ${webhook.id}`;
    await eventually(
      async () => expect(await server.database.get(holder)).toEqual({ holder: null, replay: null }),
      { timeout: 20_000 },
    );
    expect(receiver.messages).toHaveLength(sent);
    const { id } = await aMember(site);
    const messages = await receiver.waitFor(sent + 1);
    expect(messages.at(-1)!.body.data.member.id).toBe(id);
  });

  test('a test is sent once, and its result is in the delivery', async () => {
    const { site, receiver, webhook } = await given();
    receiver.respond = (response) => response.writeHead(418).end('no coffee');
    const answer = await site.request('POST', `/webhooks/${webhook.id}/test`);
    const { data: delivery } = expectResponse('testWebhook', answer, 201);
    expect(delivery).toMatchObject({ trigger: 'test', type: 'webhook.test', status: 'waiting', attempt: 1 });
    const [message] = await receiver.waitFor(1);
    expect(message!.body).toEqual({
      id: delivery.messageId,
      type: 'webhook.test',
      siteId: site.siteId,
      data: {},
      timestamp: expect.any(String),
    });
    const read = async () =>
      expectResponse(
        'getWebhookDelivery',
        await site.get(new URL(answer.headers.get('location')!).pathname.replace('/api/v1', '')),
        200,
      ).data;
    await eventually(async () => expect((await read()).status).toBe('failed'));
    expect(await read()).toMatchObject({
      responseStatus: 418,
      responseBody: 'no coffee',
      nextAttemptAt: null,
      requestBody: message!.text,
    });
    await aMember(site);
    await eventually(async () => expect((await deliveriesOf(site, webhook.id)).length).toBeGreaterThan(1));
    expect(await deliveriesOf(site, webhook.id, '&type=webhook.test')).toMatchObject([{ id: delivery.id }]);
  });

  test('a replay shows how many of its events were sent', async () => {
    const { site, receiver, webhook } = await given({ parallelism: 1 });
    for (let count = 0; count < 4; count += 1) await aMember(site);
    await receiver.waitFor(4);
    await eventually(async () => expect(await deliveriesOf(site, webhook.id)).toHaveLength(4));
    const held: ServerResponse[] = [];
    receiver.messages.length = 0;
    receiver.respond = (response) => {
      if (receiver.messages.length < 3) response.writeHead(204).end();
      else held.push(response);
    };
    const body = { since: new Date(Date.now() - 60_000).toISOString() };
    const answer = await site.post(`/webhooks/${webhook.id}/replay`, body);
    expect(expectResponse('replayWebhook', answer, 200).data.replay).toMatchObject({ percent: 0 });
    await receiver.waitFor(3);
    await eventually(async () => {
      const { percent } = (await stateOf(site, webhook.id)).replay!;
      expect([percent > 0, percent < 100]).toEqual([true, true]);
    });
    receiver.respond = undefined;
    for (const response of held) response.writeHead(204).end();
    await eventually(async () => expect((await stateOf(site, webhook.id)).replay).toBeNull());
  });

  test('one message, or the events of a time, are sent again with the same ids', async () => {
    const { site, receiver, webhook } = await given({ eventTypes: ['member.created', 'member.updated'] });
    const first = await aMember(site);
    await receiver.waitFor(1);
    await eventually(async () => expect(await deliveriesOf(site, webhook.id)).toHaveLength(1));
    const [delivery] = await deliveriesOf(site, webhook.id);
    const again = await site.request('POST', `/webhooks/${webhook.id}/deliveries/${delivery!.id}/replay`);
    expect(expectResponse('replayWebhookDelivery', again, 201).data).toMatchObject({
      trigger: 'replay',
      attempt: 1,
    });
    await receiver.waitFor(2);
    expect(receiver.messages[1]!.text).toBe(receiver.messages[0]!.text);

    await site.patch(`/members/${first.id}`, { displayName: 'Ada' });
    const second = await aMember(site);
    await receiver.waitFor(4);
    receiver.messages.length = 0;
    const since = new Date(Date.parse(first.createdAt!) - 1_000).toISOString();
    const body = { since, eventTypes: ['member.created'] };
    const { data } = expectResponse(
      'replayWebhook',
      await site.post(`/webhooks/${webhook.id}/replay`, body),
      200,
    );
    expect(data.replay).toMatchObject({ since });
    await receiver.waitFor(2);
    expect(receiver.messages.map(({ body: { data } }) => data.member.id)).toEqual(
      expect.arrayContaining([first.id, second.id]),
    );
    await eventually(async () => expect((await stateOf(site, webhook.id)).replay).toBeNull());
    const wrong = { since: '2026-02-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    expectError(await site.post(`/webhooks/${webhook.id}/replay`, wrong), 400, 'invalid_request');
  });

  test('after the secret was replaced, both sign', async () => {
    const { site, receiver, webhook } = await given();
    const answer = await site.request('POST', `/webhooks/${webhook.id}/rotate-secret`);
    const { secret, previousSecretExpiresAt } = expectResponse('rotateWebhookSecret', answer, 201).data;
    expect(Date.parse(previousSecretExpiresAt) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await stateOf(site, webhook.id)).toMatchObject({
      previousSecretExpiresAt: previousSecretExpiresAt,
    });
    await aMember(site);
    const { text, headers } = (await receiver.waitFor(1))[0]!;
    for (const each of [webhook.secret, secret])
      new Verifier(each).verify(text, headers as Record<string, string>);
    expect(() =>
      new Verifier('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(text, headers as Record<string, string>),
    ).toThrow();
    const stored = sql`SELECT previous_secret FROM webhooks WHERE id = ${webhook.id}`;
    const previous = async () =>
      (await server.database.get<{ previous_secret: string | null }>(stored))!.previous_secret;
    await purgeExpired(server.database, () => new Date());
    expect(await previous()).not.toBeNull();
    await purgeExpired(server.database, () => new Date(previousSecretExpiresAt));
    expect(await previous()).toBeNull();
  });

  test('a redirect is a failure, and nothing is sent to its target', async () => {
    const { site, receiver, webhook } = await given();
    const target = await startReceiver();
    receiver.respond = (response) => response.writeHead(307, { location: target.url }).end();
    await aMember(site);
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=failed')).toHaveLength(1),
    );
    const [failed] = await deliveriesOf(site, webhook.id, '&status=failed');
    expect(failed!.error!.code).toBe('redirect_not_allowed');
    expect(target.messages).toEqual([]);
  });

  test('a response that is long counts by its status, and only its beginning is read', async () => {
    const { site, receiver, webhook } = await given();
    receiver.respond = (response) => {
      response.writeHead(200);
      const writing = setInterval(() => response.write('x'.repeat(16 * 1024)), 1);
      response.once('close', () => clearInterval(writing));
    };
    await aMember(site);
    await eventually(async () =>
      expect(await deliveriesOf(site, webhook.id, '&status=succeeded')).toHaveLength(1),
    );
    const [delivery] = await deliveriesOf(site, webhook.id);
    expect(delivery!.responseBody).toBe('x'.repeat(1_024));
  });

  test('a receiver that does not respond delays no other', async () => {
    const { site, receiver } = await given();
    const slow = await startReceiver();
    slow.respond = () => {};
    await aWebhook(site, { url: slow.url, eventTypes: ['member.created'] });
    for (let number = 1; number <= 10; number += 1) {
      await aMember(site);
      await receiver.waitFor(number, 10_000);
    }
    expect(slow.messages.length).toBeGreaterThan(0);
  });
});

/** Waits longer than vi.waitFor does by default, which is too short for a busy machine. */
const eventually: typeof vi.waitFor = (check, options = 10_000) => vi.waitFor(check, options);
