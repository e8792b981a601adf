import { timestampAfter } from '../../base/clock.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { notifyOperators } from '../operators/operator-notices.ts';
import { hasChosenCode, lockExistingSettings, savePause } from './page-code-store.ts';

/** Wrong attempts on a site in an hour after which chosen codes are not accepted for an hour. */
export const maxWrongAttempts = 300;
const pauseMilliseconds = 60 * 60 * 1_000;

/**
 * Pauses the chosen codes of a site for an hour, unless they are paused, and notifies the operators who can change them.
 * Generated codes cannot be guessed.
 */
export async function pausePageCodes(change: Change, composer: EmailComposer): Promise<void> {
  const settings = await lockExistingSettings(change);
  const { now } = change;
  if (!settings || (settings.pausedUntil ?? '') > now || !(await hasChosenCode(change))) return;
  const until = timestampAfter(now, pauseMilliseconds);
  await savePause(change, until);
  change.bySystem().record({ type: 'page-code.paused', data: { until } });
  await notifyOperators(
    change,
    { permission: 'site:write', type: 'page_codes_paused', page: 'rules/codes' },
    (frame, notice) => composer.pageCodesPausedEmail(frame, notice),
  );
}
