import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** An answer of 4xx or 5xx; null to accept. */
export type Answer = { code: number; text?: string } | null;

export interface MailServerBehaviour {
  /** 0 for any free port. */
  readonly port?: number;
  /** The answer to a recipient. */
  readonly recipient?: (address: string) => Answer;
  /** The answer to a whole mail, perhaps later. A mail counts as delivered when it is accepted. */
  readonly mail?: (source: string) => Answer | Promise<Answer>;
  readonly options?: SMTPServerOptions;
}

export interface Delivery {
  /** Who it was delivered to: the addresses of the envelope. */
  readonly recipients: readonly string[];
  readonly sender: string;
  /** As it came: headers, an empty line and the parts. */
  readonly source: string;
}

export interface MailServer {
  readonly port: number;
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** So many connections have been opened. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** Starts a mail server that answers as it is told to, and delivers nothing further. */
export async function startMailServer(behaviour: MailServerBehaviour = {}): Promise<MailServer> {
  const deliveries: Delivery[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // For a stop that does not wait for clients.
    closeTimeout: 100,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onRcptTo: ({ address }, _session, done) => done(errorOf(behaviour.recipient?.(address) ?? null)),
    onData: (stream, { envelope }, done) => {
      text(stream).then(async (source) => {
        const answer = (await behaviour.mail?.(source)) ?? null;
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        if (answer === null) deliveries.push({ recipients, sender, source });
        done(errorOf(answer));
      }, done);
    },
    ...behaviour.options,
  });
  // A client that breaks off is no failure of a test.
  server.on('error', () => {});
  server.listen(behaviour.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    deliveries,
    connections: () => connections,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function errorOf(answer: Answer): Error | null {
  return answer && Object.assign(new Error(answer.text ?? 'No.'), { responseCode: answer.code });
}
