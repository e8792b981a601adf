import { dayOf } from '@gatehouse/contract/time-zones';
import { type Field, listedTexts, type MemberDraft } from '@gatehouse/member-lists';
import { endText } from '../../../format/ends.ts';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';

/** For days without a time, which are read as UTC. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** A column of the preview, with the text of a row; undefined for none. */
export interface PreviewColumn {
  readonly field: Field;
  readonly text: (draft: MemberDraft) => string | undefined;
}

const alwaysShown: readonly Field[] = ['displayName', 'paid'];

/** The columns beside the email address that are always shown, or that some rows have. */
export function usePreviewColumns(): (drafts: readonly MemberDraft[]) => PreviewColumn[] {
  const t = useTexts('add');
  const { timeZone } = useSite();
  const columns: readonly PreviewColumn[] = [
    ...listedTexts.map((field) => ({ field, text: (draft: MemberDraft) => draft[field] })),
    { field: 'paid', text: ({ paid }) => (paid === undefined ? undefined : t(paid ? 'yes' : 'no')) },
    { field: 'status', text: ({ status }) => status && t(`status.${status}`) },
    {
      field: 'groups',
      text: ({ groups }) =>
        groups
          .map(({ name, expiresAt }) =>
            expiresAt === null ? name : t('groupUntil', { name, end: endText(expiresAt, timeZone) }),
          )
          .join(' · ') || undefined,
    },
    {
      field: 'registeredAt',
      text: ({ registeredAt }) => registeredAt && days.format(new Date(dayOf(registeredAt, timeZone))),
    },
  ];
  return (drafts) =>
    columns.filter(
      ({ field, text }) => alwaysShown.includes(field) || drafts.some((draft) => text(draft) !== undefined),
    );
}
