import { afterEach, describe, expect, test } from 'vitest';
import { type MailServer, type MailServerBehaviour, startMailServer } from '../../test/mail-server.ts';
import type { MailContent } from './mail.ts';
import {
  createSmtpTransport,
  MailDelayed,
  MailRefused,
  MailServerAway,
  type MailTransport,
} from './transport.ts';

const id = '0191b2c3-0000-7000-8000-000000000001';
const content: MailContent = {
  fromName: 'Chess Club Zürich',
  subject: 'Log in to Chess Club',
  text: 'Open https://club.example.org/_gatehouse/link/secret to log in.',
  html: '<p>Open <a href="https://club.example.org/_gatehouse/link/secret">this</a> to log in.</p>',
};

const open: { transport: MailTransport; server: MailServer }[] = [];

afterEach(async () => {
  for (const { transport, server } of open.splice(0)) {
    transport.close();
    await server.stop();
  }
});

async function given(behaviour: MailServerBehaviour = {}, user = '', query = '') {
  const server = await startMailServer(behaviour);
  const transport = createSmtpTransport(
    `smtp://${user}127.0.0.1:${server.port}${query}`,
    'door@club.example.org',
  );
  open.push({ transport, server });
  const send = (changes: Partial<MailContent> = {}, recipient = 'ada@example.com') =>
    transport.send({ id, recipient, content: { ...content, ...changes } });
  return { server, transport, send };
}

async function failureOf(sending: Promise<void>): Promise<Error> {
  return sending.then(
    () => expect.fail('it was sent'),
    (error: Error) => error,
  );
}

function headOf(server: MailServer): string {
  return server.deliveries[0]!.source.split('\r\n\r\n')[0]!.replaceAll(/\r\n[ \t]+/g, ' ');
}

describe('a mail', () => {
  test('comes with both its parts, from the address of the settings in the name of the site', async () => {
    const { server, send } = await given();
    await send();
    const [delivery] = server.deliveries;
    expect(delivery).toMatchObject({ recipients: ['ada@example.com'], sender: 'door@club.example.org' });
    const head = headOf(server);
    expect(head).toMatch(/^From: =\?UTF-8\?Q\?Chess_Club_Z=C3=BCrich\?= <door@club\.example\.org>$/im);
    expect(head).toMatch(/^To: ada@example\.com$/m);
    expect(head).toMatch(/^Subject: Log in to Chess Club$/m);
    expect(head).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(delivery!.source).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    expect(delivery!.source).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m);
  });

  test('is known by its own id, and asks for no automatic answer', async () => {
    const { server, send } = await given();
    await send();
    expect(headOf(server)).toContain(`Message-ID: <${id}@club.example.org>`);
    expect(headOf(server)).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(headOf(server)).toMatch(/^X-Auto-Response-Suppress: All$/m);
  });

  test.each(['fromName', 'subject'] as const)('has no header that its %s makes up', async (field) => {
    const { server, send } = await given();
    const forged = 'Club\r\nBcc: evil@example.net\nX-Forged: yes\r\n\r\nAnother body';
    await send({ [field]: forged });
    expect(server.deliveries).toMatchObject([{ recipients: ['ada@example.com'] }]);
    const names = headOf(server)
      .split('\r\n')
      .map((line) => line.slice(0, line.indexOf(':')));
    expect(names.toSorted()).toEqual([
      'Auto-Submitted',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
      'X-Auto-Response-Suppress',
    ]);
    expect(headOf(server)).not.toMatch(/=0[AD]/i);
  });

  test('reads no file and fetches nothing, whatever its text looks like', async () => {
    const { server, send } = await given();
    await send({ html: '<img src="file:///etc/hostname">', text: '/etc/hostname' });
    expect(server.deliveries[0]!.source).toContain('<img src=');
  });
});

describe('what is not one plain address gets no mail', () => {
  test.each([
    'a@b.c,evil@example.net',
    'a@b.c;evil@example.net',
    'a@b.c evil@example.net',
    'a@b.c\r\nBcc: evil@example.net',
    'a@b.c>\r\nRCPT TO:<evil@example.net',
    'a@b.c\nevil@example.net',
    '"a@b.c" <evil@example.net>',
    'a <evil@example.net>',
    'friends:a@b.c,evil@example.net;',
    'a@b.c\u0000',
    'a@b.c\u0085evil@example.net',
    'a(comment)@b.c',
    'a@[127.0.0.1]',
    'a',
    '',
  ])('%j', async (recipient) => {
    const { server, send } = await given();
    expect(await failureOf(send({}, recipient))).toBeInstanceOf(MailRefused);
    expect(server.deliveries).toEqual([]);
  });

  test('every sign that an address may have goes to that one address', async () => {
    const { server, send } = await given();
    const recipient = "a.!#$%&'*+/=?^_`{|}~-z@example.com";
    await send({}, recipient);
    expect(server.deliveries).toMatchObject([{ recipients: [recipient] }]);
  });
});

describe('a failure is told apart', () => {
  const secret = 'https://club.example.org/_gatehouse/link/secret';
  const says = (code: number) => ({ code, text: `I do not like ${secret}` });

  test.each([
    [550, MailRefused],
    [552, MailRefused],
    [450, MailDelayed],
    [421, MailServerAway],
    [530, MailServerAway],
  ])('%i for the recipient', async (code, kind) => {
    const { send } = await given({ recipient: () => says(code) });
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toBe(`The mail server answered ${code}.`);
  });

  test.each([
    [554, MailRefused],
    [451, MailDelayed],
    [421, MailServerAway],
  ])('%i for the mail', async (code, kind) => {
    const { send } = await given({ mail: () => says(code) });
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toBe(`The mail server answered ${code}.`);
  });

  test.each([450, 550])('%i for the sender may be said of every mail', async (code) => {
    const onMailFrom = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('No.'), { responseCode: code }));
    const { send } = await given({ options: { onMailFrom } });
    expect(await failureOf(send())).toBeInstanceOf(MailServerAway);
  });

  test('a password is not told to a mail server without TLS', async () => {
    let told = false;
    const options = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_: unknown, __: unknown, done: (error: null, answer: object) => void) => {
        told = true;
        done(null, { user: 'door' });
      },
    };
    const { server, send } = await given({ options }, 'door:secret@');
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerAway);
    expect(failure.message).toContain('?ignoreTLS=true');
    expect([told, server.deliveries]).toEqual([false, []]);
  });

  test('a wrong password is of every mail', async () => {
    const options = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_: unknown, __: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error('Wrong.'), { responseCode: 535 })),
    };
    const { send } = await given({ options }, 'door:wrong@', '?ignoreTLS=true');
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerAway);
    expect(failure.message).toContain('535');
  });

  test('nobody there', async () => {
    const { server, send } = await given();
    await server.stop();
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerAway);
    expect(failure.message).toBe('The mail server could not be reached (ECONNREFUSED).');
  });

  test('none of it repeats what the mail server said', async () => {
    for (const code of [421, 450, 550]) {
      const { send } = await given({ mail: () => says(code) });
      const failure = await failureOf(send());
      expect(JSON.stringify([failure.message, failure.stack, failure.cause, failure])).not.toContain(
        'secret',
      );
    }
  });
});

test('a connection that the mail server closed meanwhile costs no mail and doubles none', async () => {
  const { promise: closed, resolve: onClose } = Promise.withResolvers<unknown>();
  const { server, send } = await given({ options: { socketTimeout: 1_000, onClose } });
  await send();
  await closed;
  await send();
  expect(server.deliveries).toHaveLength(2);
  expect(server.connections()).toBe(2);
});

test('a mail that was handed over without an answer is not sent again by itself', async () => {
  const sources: string[] = [];
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { server, send } = await given({
    mail: (source) => {
      sources.push(source);
      arrive();
      return new Promise(() => {});
    },
  });
  const failure = failureOf(send());
  await arrived;
  await server.stop();
  expect(await failure).toBeInstanceOf(MailServerAway);
  expect(sources).toHaveLength(1);
});

describe('closing', () => {
  test('breaks off what is being sent', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { transport, send } = await given({
      mail: () => {
        arrive();
        return new Promise(() => {});
      },
    });
    const failure = failureOf(send());
    await arrived;
    transport.close();
    expect(await failure).toBeInstanceOf(MailServerAway);
  });

  test('connects to nobody where nothing was sent', async () => {
    const { server, transport } = await given();
    expect(() => transport.close()).not.toThrow();
    expect(server.connections()).toBe(0);
  });
});
