import type { Clock } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { Timers } from '../../base/timers.ts';
import type { EmailComposer } from '../../domain/emails/email-composer.ts';
import type { SendMessage, SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import type { Database } from '../../storage/database.ts';

/** What the delivery needs from outside. */
export interface DeliveryParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number;
  readonly secrets: SecretBox;
  readonly composer: EmailComposer;
  readonly send: SendMessage;
  /** Called with each result. */
  readonly onResult: (result: SendResult) => void;
}
