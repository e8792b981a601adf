import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type MailServer, type MailServerBehavior, startMailServer } from '../../../test/mail-server.ts';
import type { EmailContent } from '../../domain/emails/email.ts';
import {
  createSmtpTransport,
  type DeliveryFailure,
  EmailDeferred,
  EmailRejected,
  type EmailTransport,
  MailServerUnavailable,
} from './smtp-transport.ts';

const id = '0191b2c3-0000-7000-8000-000000000001';
const content: EmailContent = {
  fromName: 'Chess Club Zürich',
  subject: 'Log in to Chess Club',
  text: 'Open https://club.example.org/_gatehouse/link/secret to log in.',
  html: '<p>Open <a href="https://club.example.org/_gatehouse/link/secret">this</a> to log in.</p>',
};

const open: { transport: EmailTransport; server: MailServer }[] = [];

afterEach(async () => {
  for (const { transport, server } of open.splice(0)) {
    transport.close();
    await server.stop();
  }
});

async function given(
  behavior: MailServerBehavior = {},
  user = '',
  query = '',
  host = '127.0.0.1',
  name?: string,
) {
  const server = await startMailServer(behavior);
  const transport = createSmtpTransport(
    `smtp://${user}${host}:${server.port}${query}`,
    'door@club.example.org',
    name,
  );
  open.push({ transport, server });
  const send = (changes: Partial<EmailContent> = {}, recipient = 'ada@example.com') =>
    transport.send({ id, recipient, content: { ...content, ...changes } });
  return { server, transport, send };
}

async function failureOf(sending: Promise<void>): Promise<DeliveryFailure> {
  return sending.then(
    () => expect.fail('it was sent'),
    (error: DeliveryFailure) => error,
  );
}

function headOf(server: MailServer): string {
  return server.deliveries[0]!.source.split('\r\n\r\n')[0]!.replaceAll(/\r\n[ \t]+/g, ' ');
}

/** The text and the HTML part, decoded. */
function partsOf(server: MailServer): string[] {
  const { source } = server.deliveries[0]!;
  return [...source.matchAll(/Encoding: (base64|7bit)\r\n\r\n(.*?)\r\n--/gs)].map(([, encoding, body]) =>
    encoding === '7bit' ? body! : Buffer.from(body!, 'base64').toString(),
  );
}

describe('an email', () => {
  test('has the configured name of the sender, if there is one', async () => {
    const { server, send } = await given({}, '', '', '127.0.0.1', 'Rowing Club, Office');
    await send();
    expect(headOf(server)).toMatch(/^From: "Rowing Club, Office" <door@club\.example\.org>$/im);
  });

  test('has a text and an HTML part, and the configured sender address with the name of the site', async () => {
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

  test('has its own id as Message-ID, and requests no automatic reply', async () => {
    const { server, send } = await given();
    await send();
    expect(headOf(server)).toContain(`Message-ID: <${id}@club.example.org>`);
    expect(headOf(server)).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(headOf(server)).toMatch(/^X-Auto-Response-Suppress: All$/m);
  });

  test.each(['fromName', 'subject'] as const)('cannot have headers injected by its %s', async (field) => {
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

  test.each([
    ['ASCII', ''],
    ['other characters', 'Öffnen: '],
    ['many other characters', 'このリンクを開いてください：'],
  ])('has no broken link and no long line, with %s', async (_, words) => {
    const { server, send } = await given();
    const link = `https://club.example.org/_gatehouse/link/${'x'.repeat(43)}`;
    const text = `${words}\n\n${link}\n\n.\n..\nFrom me ${'long '.repeat(500)}\n`;
    const html = `<p>${words}<a href="${link}">${'long '.repeat(500)}</a></p>`;
    await send({ text, html });
    expect(partsOf(server)).toEqual([text.replaceAll('\n', '\r\n'), html]);
    const { source } = server.deliveries[0]!;
    expect(source).not.toContain('quoted-printable');
    expect(Math.max(...source.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(999);
  });

  test('in ASCII has its link on a line of its own, as sent', async () => {
    const { server, send } = await given();
    const link = `https://club.example.org/_gatehouse/link/${'x'.repeat(43)}`;
    await send({ text: `Log in:\n\n${link}\n\n.\n` });
    const { source } = server.deliveries[0]!;
    expect(source).toContain(`Content-Transfer-Encoding: 7bit\r\n\r\nLog in:\r\n\r\n${link}\r\n\r\n`);
    expect(partsOf(server)[0]).toBe(`Log in:\r\n\r\n${link}\r\n\r\n.\r\n`);
  });

  test('reads no files and fetches no URLs, whatever its text contains', async () => {
    const { server, send } = await given();
    await send({ html: '<img src="file:///etc/hostname">', text: '/etc/hostname' });
    const [plain, html] = partsOf(server);
    expect([plain, html]).toEqual(['/etc/hostname', '<img src="file:///etc/hostname">']);
  });
});

describe('nothing is sent to anything but a single plain address', () => {
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
    expect(await failureOf(send({}, recipient))).toBeInstanceOf(EmailRejected);
    expect(server.deliveries).toEqual([]);
  });

  test('an address with any valid character is sent as that one address', async () => {
    const { server, send } = await given();
    const recipient = "a.!#$%&'*+/=?^_`{|}~-z@example.com";
    await send({}, recipient);
    expect(server.deliveries).toMatchObject([{ recipients: [recipient] }]);
  });
});

describe('failures are classified', () => {
  const secret = 'https://club.example.org/_gatehouse/link/secret';
  const says = (code: number) => ({ code, text: `I do not like ${secret}` });

  test.each([
    [550, EmailRejected],
    [552, EmailRejected],
    [450, EmailDeferred],
    [421, MailServerUnavailable],
    [530, MailServerUnavailable],
  ])('%i for the recipient', async (code, kind) => {
    const { send } = await given({ recipient: () => says(code) });
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toBe(`The mail server replied ${code}.`);
    // After 421 the mail server closes the connection.
    expect(failure.mailServerReply).toBe(code === 421 ? null : `${code} I do not like […]`);
  });

  test.each([
    [554, EmailRejected],
    [451, EmailDeferred],
    [421, MailServerUnavailable],
  ])('%i for the email', async (code, kind) => {
    const { send } = await given({ email: () => says(code) });
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toBe(`The mail server replied ${code}.`);
  });

  test.each([450, 550])('%i for the sender counts as a failure of every email', async (code) => {
    const onMailFrom = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('No.'), { responseCode: code }));
    const { send } = await given({ options: { onMailFrom } });
    expect(await failureOf(send())).toBeInstanceOf(MailServerUnavailable);
  });

  test.each([
    ['one line', 'User unknown', '550 User unknown'],
    ['the address', '<ada@example.com>: Rejected', '550 <ada@example.com>: Rejected'],
    ['other characters', 'Postfach unzulässig: 拒否', '550 Postfach unzulässig: 拒否'],
    ['control characters', 'a\u001b[31mb\u0000c\u202Ed\u200be', '550 a [31mb c d e'],
    ['markup', '<script>alert(1)</script>', '550 <script>alert(1)</script>'],
    ['addresses of pages', 'See https://mx.example/?p=1, www.example.com/x', '550 See […] […]'],
    [
      'a page without a scheme',
      `No ${'club.example.org/_gatehouse/link/'}${'aB3-'.repeat(11)}`,
      '550 No club.example.[…]',
    ],
    ['what could be a token', `id ${'aB3_'.repeat(5)}, ok`, '550 id […], ok'],
    ['long words', 'Benutzerverwaltung misconfiguration', '550 Benutzerverwaltung misconfiguration'],
    ['very long text', 'no way '.repeat(100), `${`550 ${'no way '.repeat(100)}`.slice(0, 299)}…`],
    ['the code', 'Spam: Log in 01 23-45', '550 Spam: Log in […]'],
  ])('what the mail server says is shown as one line without secrets: %s', async (_, text, shown) => {
    const { send } = await given({ recipient: () => ({ code: 550, text }) });
    const failure = await failureOf(send({ subject: 'Log in: 012345' }));
    expect(failure.mailServerReply).toBe(shown);
  });

  test('nothing is shown of a reply that repeats the link or the password', async () => {
    const token = `${'q7-_'.repeat(10)}abc`;
    const link = `https://club.example.org/_gatehouse/link/${token}`;
    const password = 'se cret/9';
    const options = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_: unknown, __: unknown, done: (error: null, answer: object) => void) =>
        done(null, { user: 'door' }),
    };
    for (const text of [
      token,
      `${token.slice(0, 20)}=\n${token.slice(20)}`,
      `${token.slice(0, 7)} ${token.slice(7, 14)} ${token.slice(14, 28)} ${token.slice(28)}`,
      `You are door with ${password}`,
      `AUTH PLAIN ${Buffer.from(`\0door\0${password}`).toString('base64')}`,
      `AUTH LOGIN ${Buffer.from(password).toString('base64')}`,
    ]) {
      const answer = { recipient: () => ({ code: 550, text }), options };
      const { send } = await given(answer, `door:${encodeURIComponent(password)}@`, '?ignoreTLS=true');
      const failure = await failureOf(send({ text: `Open ${link}` }));
      expect([text, failure.message, failure.mailServerReply]).toEqual([
        text,
        'The mail server replied 550.',
        null,
      ]);
    }
  });

  test('a password is not sent to a mail server without TLS', async () => {
    let passwordSent = false;
    const options = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_: unknown, __: unknown, done: (error: null, answer: object) => void) => {
        passwordSent = true;
        done(null, { user: 'door' });
      },
    };
    const { server, send } = await given({ options }, 'door:secret@');
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerUnavailable);
    expect(failure.message).toContain('?ignoreTLS=true');
    expect([passwordSent, server.deliveries]).toEqual([false, []]);
  });

  test('nothing is sent to a mail server of another machine without TLS, unless the URL says so', async () => {
    // This machine under a name that is not known to be its own.
    const another = '127.1';
    for (const query of ['', '?ignoreTLS=false', '?requireTLS=true', '?requireTLS=true&ignoreTLS=true']) {
      const { server, send } = await given({}, '', query, another);
      const failure = await failureOf(send());
      expect(failure).toBeInstanceOf(MailServerUnavailable);
      expect(failure.message).toContain('does not offer TLS');
      expect(server.deliveries).toEqual([]);
    }
    for (const query of ['?ignoreTLS=true', '?requireTLS=false']) {
      const { server, send } = await given({}, '', query, another);
      await send();
      expect(server.deliveries).toHaveLength(1);
    }
  });

  test('a wrong password is a failure of every email', async () => {
    const options = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_: unknown, __: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error('Wrong.'), { responseCode: 535 })),
    };
    const { send } = await given({ options }, 'door:wrong@', '?ignoreTLS=true');
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerUnavailable);
    expect(failure.message).toContain('535');
    expect(failure.mailServerReply).toBeNull();
  });

  test('an unreachable mail server', async () => {
    const { server, send } = await given();
    await server.stop();
    const failure = await failureOf(send());
    expect(failure).toBeInstanceOf(MailServerUnavailable);
    expect(failure.message).toBe('The mail server could not be reached (ECONNREFUSED).');
  });

  test('no message repeats the text of the mail server', async () => {
    for (const code of [421, 450, 550]) {
      const { send } = await given({ email: () => says(code) });
      const failure = await failureOf(send());
      const inspected = inspect(failure, { depth: 5, showHidden: true });
      const logged = JSON.stringify([failure.message, failure.stack, failure.cause, failure]);
      for (const text of [logged, inspected]) expect(text).not.toMatch(/secret|I do not like/);
    }
  });
});

test('when the mail server closes an idle connection, no email is lost or sent twice', async () => {
  const { promise: closed, resolve: onClose } = Promise.withResolvers<unknown>();
  const { server, send } = await given({ options: { socketTimeout: 1_000, onClose } });
  await send();
  await closed;
  await send();
  expect(server.deliveries).toHaveLength(2);
  expect(server.connections()).toBe(2);
});

test('an email without a reply from the mail server is not resent automatically', async () => {
  const sources: string[] = [];
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { server, send } = await given({
    email: (source) => {
      sources.push(source);
      arrive();
      return new Promise(() => {});
    },
  });
  const failure = failureOf(send());
  await arrived;
  await server.stop();
  expect(await failure).toBeInstanceOf(MailServerUnavailable);
  expect(sources).toHaveLength(1);
});

describe('closing', () => {
  test('aborts emails being sent', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { transport, send } = await given({
      email: () => {
        arrive();
        return new Promise(() => {});
      },
    });
    const failure = failureOf(send());
    await arrived;
    transport.close();
    expect(await failure).toBeInstanceOf(MailServerUnavailable);
  });

  test('makes no connection when nothing was sent', async () => {
    const { server, transport } = await given();
    expect(() => transport.close()).not.toThrow();
    expect(server.connections()).toBe(0);
  });
});
