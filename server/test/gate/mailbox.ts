import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../faults/gatehouse-process.ts';

export interface ReceivedEmail {
  /** The recipients: the addresses of the envelope. */
  readonly recipients: readonly string[];
  readonly subject: string;
  /** The header `To`. */
  readonly to: string;
  readonly text: string;
}

export interface Mailbox {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  readonly emails: readonly ReceivedEmail[];
  /** Waits for the next email that was not returned yet. */
  next(): Promise<ReceivedEmail>;
  stop(): Promise<void>;
}

/** Starts a mail server that accepts everything and forwards nothing. */
export async function startMailbox(): Promise<Mailbox> {
  const emails: ReceivedEmail[] = [];
  let taken = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      text(stream).then((source) => {
        emails.push({ recipients, ...readEmail(source) });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    emails,
    next: async () => {
      await eventually('an email arrives', 15_000, async () => emails.length > taken);
      return emails[taken++]!;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The plain text of an email, and the relevant headers (RFC 5322, RFC 2045). */
function readEmail(source: string): Omit<ReceivedEmail, 'recipients'> {
  const whole = readPart(source);
  const boundary = /boundary="?([^";]+)"?/i.exec(whole.headers.get('content-type') ?? '')?.[1];
  const parts = boundary
    ? source
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => readPart(part.replace(/^\r\n/, '')))
    : [whole];
  const plain = parts.find(({ headers }) => headers.get('content-type')?.startsWith('text/plain'));
  return {
    subject: whole.headers.get('subject') ?? '',
    to: whole.headers.get('to') ?? '',
    text: plain?.body ?? '',
  };
}

function readPart(source: string): { headers: Map<string, string>; body: string } {
  const endOfHead = source.indexOf('\r\n\r\n');
  const head = source.slice(0, endOfHead).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = new Map(
    head.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  return { headers, body: decode(source.slice(endOfHead + 4), encoding) };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
