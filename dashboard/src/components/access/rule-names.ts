import type { GroupMatch, PageCode } from '@gatehouse/client';
import { useMemo } from 'react';
import { locale } from '../../languages/language.ts';
import { type Texts, useTexts } from '../../languages/texts.tsx';
import { usePageCodes } from '../../queries/access/page-codes.ts';
import { useAccessGroups } from '../../queries/access-groups.ts';

/** What rules name by its id. */
export interface RuleNames {
  readonly groups: NameOf;
  readonly codes: NameOf;
}

/** The name for an id, and whether something has it. While it is loading, the name is an ellipsis. */
export type NameOf = (id: string) => { readonly name: string; readonly isKnown: boolean };

/** The names of the access groups and page codes of the site. */
export function useRuleNames(): RuleNames {
  const t = useTexts('access');
  const { data: groups } = useAccessGroups();
  const { data: codes } = usePageCodes();
  return useMemo(
    () => ({
      groups: namesIn(
        groups?.map(({ id, name }) => [id, name]),
        t('deletedGroup'),
      ),
      codes: namesIn(
        codes?.map((code) => [code.id, codeName(t, code)]),
        t('deletedCode'),
      ),
    }),
    [t, groups, codes],
  );
}

/** The label of a page code, with a note if nobody has access by it any more. */
export function codeName(t: Texts<'access'>, { label, status }: PageCode): string {
  return status === 'expired' ? t('endedCode', { label }) : label;
}

function namesIn(named: readonly (readonly [string, string])[] | undefined, deleted: string): NameOf {
  const names = new Map(named);
  return (id) => {
    const name = names.get(id);
    if (name === undefined && named) return { name: deleted, isKnown: false };
    return { name: name ?? '…', isKnown: true };
  };
}

const lists = {
  any: new Intl.ListFormat(locale, { type: 'disjunction' }),
  all: new Intl.ListFormat(locale, { type: 'conjunction' }),
};

/** The names for some ids in a sentence: "Board or Crew" if any of them is enough, "Board and Crew" if all are needed. */
export function nameList(ids: readonly string[], match: GroupMatch = 'any', nameOf: NameOf): string {
  return listText(
    ids.map((id) => nameOf(id).name),
    match,
  );
}

/** Like `nameList`, for names. */
export function listText(names: readonly string[], match: GroupMatch): string {
  return lists[match].format(names);
}
