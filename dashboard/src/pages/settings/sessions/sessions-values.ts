import type { Site } from '@gatehouse/client';
import { isSessionLimit } from '../../../format/session-limit.ts';
import { changedFields, type FormSection } from '../form/form-section.ts';

export interface SessionsValues {
  /** A number, or the text that was entered instead. */
  maxSessions: number | string;
  membersCreateTokens: boolean;
}

export const sessionsSection: FormSection<SessionsValues> = {
  fields: ['maxSessions', 'membersCreateTokens'],
  toValues: ({ maxSessions, membersCreateTokens }: Site) => ({ maxSessions, membersCreateTokens }),
  toChanges: ({ maxSessions, membersCreateTokens }, values) =>
    changedFields(
      { maxSessions, membersCreateTokens },
      { ...values, maxSessions: Number(values.maxSessions) },
    ),
  validate: (t) => ({ maxSessions: (count) => (isSessionLimit(count) ? null : t('maxSessionsWrong')) }),
};
