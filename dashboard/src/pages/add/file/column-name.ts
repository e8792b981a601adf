import type { MemberList } from '@gatehouse/member-lists';
import { useTexts } from '../../../languages/texts.tsx';

/** What columns of a list are called: their headings, or else their numbers. */
export function useColumnName({ hasHeadings, survey }: MemberList): (column: number) => string {
  const t = useTexts('add');
  return (column) => (hasHeadings ? survey.headings[column]! : t('column', { number: column + 1 }));
}
