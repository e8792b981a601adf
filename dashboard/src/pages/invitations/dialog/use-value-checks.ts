import { chosenEnd } from '../../../format/days.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { type InvitationValues, isLastDay } from './invitation-values.ts';

/** What is wrong with the values of a form, at their fields. */
export function useValueChecks() {
  const t = useTexts('invitations');
  const { timeZone } = useSite();
  const hasGroups = ({ accessGroupIds }: InvitationValues) => accessGroupIds.length > 0;
  return {
    lastDay: (day: string) => (isLastDay(day, timeZone, new Date()) ? null : t('lastDayWrong')),
    endDay: (day: string, values: InvitationValues) =>
      hasGroups(values) && values.end === 'day' && !chosenEnd(day, timeZone, new Date())
        ? t('endDayWrong')
        : null,
    endDays: (days: number | '', values: InvitationValues) =>
      hasGroups(values) && values.end === 'days' && days === '' ? t('endDaysMissing') : null,
  };
}

/** The field for a JSON pointer in the request. */
export function fieldOf(pointer: string): string | undefined {
  const [name = ''] = pointer.slice(1).split('/');
  const fields: Readonly<Record<string, string>> = {
    emails: 'addresses',
    expiresAt: 'lastDay',
    membershipExpiresAt: 'endDay',
    membershipDays: 'endDays',
    accessGroupIds: 'accessGroupIds',
    emailDomains: 'emailDomains',
    maxUses: 'maxUses',
    note: 'note',
    language: 'language',
  };
  return fields[name];
}
