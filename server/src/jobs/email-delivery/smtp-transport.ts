import type { Transporter } from 'nodemailer';
import type { EmailContent } from '../../domain/emails/email.ts';
import { passwordsIn, shownReply } from './mail-server-reply.ts';
import { requiresTls } from './smtp-encryption.ts';

export interface OutgoingEmail {
  readonly id: string;
  /** A single email address. */
  readonly recipient: string;
  readonly content: EmailContent;
}

/**
 * The messages of its errors never contain the mail server's words, which may repeat the email, and anyone with the login
 * link in it could log in. What is shown of them is without secrets, and in no log (`mailServerReply`).
 */
export interface EmailTransport {
  /**
   * Sends an email to the mail server within one minute.
   * @throws {EmailRejected | EmailDeferred | MailServerUnavailable}
   */
  send(email: OutgoingEmail): Promise<void>;
  /** Closes all connections; emails being sent fail. */
  close(): void;
}

export class DeliveryFailure extends Error {
  // Private, so that no log of an error contains it.
  readonly #mailServerReply: string | null;

  constructor(message: string, mailServerReply: string | null = null) {
    super(message);
    this.#mailServerReply = mailServerReply;
  }

  /** What the mail server said about the email, without secrets; null if nothing. */
  get mailServerReply(): string | null {
    return this.#mailServerReply;
  }
}

/** The mail server permanently rejects this email. */
export class EmailRejected extends DeliveryFailure {}

/** The mail server temporarily rejects this email, but may accept others. */
export class EmailDeferred extends DeliveryFailure {}

/** The mail server cannot be reached, or accepts no email at all. */
export class MailServerUnavailable extends DeliveryFailure {}

/** The maximum number of emails sent at the same time. */
export const emailsAtOnce = 5;

/** Limits the whole send: connection timeouts do not detect a mail server that sends a little now and then. */
const sendMilliseconds = 60_000;

// Contains nothing that a parser could read as a second or different address.
const plainAddress = /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u;

/**
 * Sends through a mail server (RFC 5321).
 * @param smtpUrl `smtp://user:password@host:587`, or `smtps:` for TLS from the first byte
 * @param mailFrom the sender address
 * @param mailFromName the name of the sender, instead of that of each email
 */
export function createSmtpTransport(
  smtpUrl: string,
  mailFrom: string,
  mailFromName?: string,
): EmailTransport {
  let opened: Promise<Transporter> | undefined;
  const passwords = passwordsIn(smtpUrl);
  return {
    async send(email) {
      if (!plainAddress.test(email.recipient))
        throw new EmailRejected('The recipient is not a single plain email address.');
      opened ??= openPool(smtpUrl);
      try {
        await (await opened).sendMail(messageOf(email, mailFrom, mailFromName));
      } catch (error) {
        throw translate(error, ({ response }) => shownReply(response, email.content, passwords));
      }
    },
    close() {
      opened?.then(
        (transporter) => (transporter as ForceableClose).close({ force: true }),
        () => {},
      );
    },
  };
}

interface ForceableClose {
  close(options: { force: boolean }): void;
}

async function openPool(smtpUrl: string): Promise<Transporter> {
  // Loaded with the first email, so that the start is faster.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...connectionOptions(smtpUrl),
    pool: true,
    maxConnections: emailsAtOnce,
    // Once, for a connection that was closed while idle.
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as object);
}

/** The connection options of a mail server, for sending and for checks. */
export function connectionOptions(smtpUrl: string): object {
  return {
    url: smtpUrl,
    ...(requiresTls(smtpUrl) && { requireTLS: true }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageOf(
  { id, recipient, content }: OutgoingEmail,
  mailFrom: string,
  mailFromName: string | undefined,
): object {
  const { subject, text, html } = content;
  // Addresses given as objects are not parsed, neither in headers nor in the envelope, so a single address stays
  // single.
  const to = { name: '', address: recipient };
  return {
    from: { name: (mailFromName ?? content.fromName).replace(/\p{Cc}+/gu, ' '), address: mailFrom },
    to,
    envelope: { from: mailFrom, to: [to] },
    messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
    subject,
    text: textPart(withLineBreaks(text)),
    html: withLineBreaks(html),
    // Not quoted-printable, which breaks each long line, so that the link would not be whole in the message as sent.
    encoding: 'base64',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    signal: AbortSignal.timeout(sendMilliseconds),
  };
}

/** Without the line break (RFC 5322, section 2.1.1). */
const maxLineOctets = 998;

/** A text of ASCII is sent as it is: the library would encode it for lines of more than 76 characters. */
function textPart(text: string): string | { readonly raw: string } {
  const isPlain =
    /^[\t\r\n\x20-\x7e]*$/.test(text) && text.split('\r\n').every((line) => line.length <= maxLineOctets);
  if (!isPlain) return text;
  return {
    raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${text}`,
  };
}

/** The line breaks that a text has before it is encoded (RFC 2045, section 6.8). */
function withLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, '\r\n');
}

interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  /** The whole reply of the mail server. */
  readonly response?: string;
}

/**
 * Translates a driver error: whether the mail server is unavailable, or rejected the recipient or the message
 * permanently (5xx) or temporarily (4xx).
 * @param replyOf what is shown of the reply to an email. The reply to a login may contain the password
 */
export function translate(error: unknown, replyOf: (error: SmtpError) => string | null): DeliveryFailure {
  const { code, originalCode, command, responseCode } = error as SmtpError;
  const answer = `The mail server replied ${responseCode}.`;
  if (code === 'ETLS') {
    return new MailServerUnavailable(
      'The mail server does not offer TLS, without which no password is sent, and nothing to another machine. If it needs no password and its network is trusted, add ?ignoreTLS=true to GATEHOUSE_SMTP_URL.',
    );
  }
  const isOfEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reply = isOfEmail ? replyOf(error as SmtpError) : null;
  if (!isOfEmail || isOfEveryEmail(command, responseCode)) {
    const reason = `The mail server could not be reached (${originalCode ?? code ?? 'no code'}).`;
    return new MailServerUnavailable(responseCode === undefined ? reason : answer, reply);
  }
  if (responseCode === undefined) return new EmailRejected('The email cannot be sent in this form.');
  return responseCode >= 500 ? new EmailRejected(answer, reply) : new EmailDeferred(answer, reply);
}

/**
 * A reply about the sender or the session may be caused by the configuration, and would be the same for the next
 * email.
 */
function isOfEveryEmail(command: string | undefined, responseCode: number | undefined): boolean {
  if (responseCode === undefined) return false;
  return command === 'MAIL FROM' || [421, 503, 530].includes(responseCode);
}
