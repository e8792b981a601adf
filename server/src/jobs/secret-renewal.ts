import { doublingPauses } from '@gatehouse/contract/backoff';
import type { SecretBox } from '../base/encryption/secret-box.ts';
import { everySealedText } from '../runtime/sealed-texts.ts';
import type { Database } from '../storage/database.ts';
import type { Job, Started } from './job.ts';

export interface SecretRenewalParts {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/**
 * Seals stored secrets with the newest key while there is an older one; a task is a site. It repeats, because another
 * process may seal with the older key until it has the new one too.
 */
export class SecretRenewal implements Job {
  readonly name = 'secret-renewal';
  readonly errorMessage = 'secrets could not be sealed with the new key and will be tried again';
  readonly sweepMilliseconds = 60_000;
  readonly concurrency = 1;
  readonly slotsPerTask = 1;
  readonly backoff = doublingPauses(5_000, 60_000);
  readonly #parts: SecretRenewalParts;

  constructor(parts: SecretRenewalParts) {
    this.#parts = parts;
  }

  async findDue(): Promise<readonly string[]> {
    const { database, secrets } = this.#parts;
    const sites = await Promise.all(everySealedText.map((each) => each.findOldSites(database, secrets)));
    return [...new Set(sites.flat())];
  }

  async start(siteId: string): Promise<Started> {
    const { database, secrets } = this.#parts;
    await database.transaction(async (tx) => {
      for (const each of everySealedText) await each.renew({ db: tx, siteId }, secrets);
    });
    return { more: false };
  }
}
