import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A response of 4xx or 5xx; null to accept. */
export type Answer = { code: number; text?: string } | null;

export interface MailServerBehavior {
  /** 0 for any free port. */
  readonly port?: number;
  /** The response to a recipient. */
  readonly recipient?: (address: string) => Answer;
  /** The response to a whole email, possibly delayed. An email counts as delivered when it is accepted. */
  readonly email?: (source: string) => Answer | Promise<Answer>;
  readonly options?: SMTPServerOptions;
}

export interface Delivery {
  /** The recipients: the addresses of the envelope. */
  readonly recipients: readonly string[];
  readonly sender: string;
  /** The message as received: headers, an empty line and the parts. */
  readonly source: string;
}

export interface MailServer {
  readonly port: number;
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** The number of connections opened so far. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** Starts a mail server with the given responses that forwards nothing. */
export async function startMailServer(behavior: MailServerBehavior = {}): Promise<MailServer> {
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
    onRcptTo: ({ address }, _session, done) => done(errorOf(behavior.recipient?.(address) ?? null)),
    onData: (stream, { envelope }, done) => {
      text(stream).then(async (source) => {
        const answer = (await behavior.email?.(source)) ?? null;
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        if (answer === null) deliveries.push({ recipients, sender, source });
        done(errorOf(answer));
      }, done);
    },
    ...behavior.options,
  });
  // A client that disconnects early does not fail a test.
  server.on('error', () => {});
  server.listen(behavior.port ?? 0, '127.0.0.1');
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
