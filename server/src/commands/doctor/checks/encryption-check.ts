import { findPlainConnections } from '../../../app/settings/plain-connections.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { type Check, ok, warn } from './check.ts';

/** Whether what leaves this machine is encrypted. */
export function checkEncryption(settings: Settings): Check {
  const plain = findPlainConnections(settings);
  if (plain.length === 0) return ok('encryption', 'connections to other machines are encrypted');
  return warn(
    'encryption',
    `not encrypted: ${plain.map(({ setting, host, content }) => `${setting} to ${host} (${content})`).join('; ')}`,
    'Use TLS: sslmode=require for PostgreSQL, smtps:// or STARTTLS for email, rediss:// and https:// for others. On a network ' +
      'that nobody else can read, nothing has to be done.',
  );
}
