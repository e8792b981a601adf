import { isThisMachine } from '../../base/networks/this-machine.ts';

/**
 * Whether an email and a password are sent only over TLS. Otherwise an attacker in the network could remove STARTTLS
 * from the replies, and read both, with every login link. Without a password, a mail server of this machine may go
 * without.
 */
export function requiresTls(smtpUrl: string): boolean {
  const { password, hostname } = new URL(smtpUrl);
  return !allowsPlainSmtp(smtpUrl) && (password !== '' || !isThisMachine(hostname));
}

/** Whether the URL says that TLS is not needed: by `?ignoreTLS=true` or `?requireTLS=false`. */
export function allowsPlainSmtp(smtpUrl: string): boolean {
  const { protocol, searchParams } = new URL(smtpUrl);
  const [required, ignored] = [searchParams.get('requireTLS'), searchParams.get('ignoreTLS')];
  if (protocol === 'smtps:') return false;
  return required === null ? ignored !== null && !isOff(ignored) : isOff(required);
}

/** As Nodemailer reads a parameter. */
function isOff(value: string): boolean {
  return value === 'false' || Number(value) === 0;
}
