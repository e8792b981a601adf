import type { AccessAlternative, AccessDecision, AccessRule } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { IconCheck, IconX } from '../../../components/icons/icons.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { locale } from '../../../languages/language.ts';
import { type Texts, useTexts } from '../../../languages/texts.tsx';
import classes from './alternatives.module.css';
import type { NameOf, RuleNames } from './rule-names.ts';

interface AlternativeTextProps {
  alternative: AccessAlternative;
  names: RuleNames;
}

/** The requirements of an alternative on one line. */
function AlternativeText({ alternative, names }: AlternativeTextProps) {
  const t = useTexts('rules');
  const { access, groupIds = [], match, pageCodeIds = [], from, until, networks = [] } = alternative;
  const facts: ReactNode[] = [
    access === 'code'
      ? t('alternative.withCode', { codes: nameList(pageCodeIds, 'any', names.codes) })
      : t(access),
  ];
  if (groupIds.length > 0)
    facts.push(t('alternative.inGroups', { groups: nameList(groupIds, match, names.groups) }));
  if (from) facts.push(t.rich('alternative.fromTime', { time: <TimeText at={from} as="full" /> }));
  if (until) facts.push(t.rich('alternative.untilTime', { time: <TimeText at={until} as="full" /> }));
  if (networks.length > 0) facts.push(networksText(t, networks));
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {fact}
    </Fragment>
  ));
}

/** The alternatives of a conditional rule, one of which is enough. */
export function AlternativesText({
  alternatives,
  names,
}: {
  alternatives: readonly AccessAlternative[];
  names: RuleNames;
}) {
  const t = useTexts('rules');
  return alternatives.map((alternative, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <Text component="span" c="dimmed" size="sm">
          {t('or')}
        </Text>
      )}
      <span className={classes.alternative}>
        <AlternativeText alternative={alternative} names={names} />
      </span>
    </Fragment>
  ));
}

interface AlternativeResultsProps {
  rule: Extract<AccessRule, { access: 'conditional' }>;
  results: NonNullable<AccessDecision['alternatives']>;
  names: RuleNames;
}

type RulesTexts = Texts<'rules'>;

/** What decided about each alternative of a rule. */
export function AlternativeResults({ rule, results, names }: AlternativeResultsProps) {
  const t = useTexts('rules');
  return (
    <ul className={classes.results} aria-label={t('conditional')}>
      {rule.anyOf.map((alternative, index) => {
        const result = results[index]!;
        const Icon = result === 'met' ? IconCheck : IconX;
        return (
          <li key={index}>
            <Icon size={16} aria-hidden />
            <div>
              <AlternativeText alternative={alternative} names={names} />
              <Text fw={600} size="sm">
                {resultText(t, alternative, result, names)}
              </Text>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function resultText(
  t: RulesTexts,
  { groupIds = [], match, from, until }: AccessAlternative,
  result: string,
  names: RuleNames,
): ReactNode {
  if (result === 'groups') {
    const groups = nameList(groupIds, match, names.groups);
    return t(match === 'all' && groupIds.length > 1 ? 'result.groups.all' : 'result.groups', { groups });
  }
  if (result === 'from' && from) return t.rich('result.from', { time: <TimeText at={from} as="clock" /> });
  if (result === 'until' && until)
    return t.rich('result.until', { time: <TimeText at={until} as="clock" /> });
  const name = `result.${result}`;
  return t.has(name) ? t(name) : result;
}

const lists = {
  any: new Intl.ListFormat(locale, { type: 'disjunction' }),
  all: new Intl.ListFormat(locale, { type: 'conjunction' }),
};

function nameList(ids: readonly string[], match: AccessAlternative['match'] = 'any', nameOf: NameOf): string {
  return lists[match].format(ids.map((id) => nameOf(id).name));
}

const maxNetworks = 3;

function networksText(t: RulesTexts, networks: readonly string[]): string {
  const more = networks.length - maxNetworks;
  if (more <= 0) return t('alternative.inNetworks', { networks: lists.any.format(networks) });
  return t('alternative.inMoreNetworks', {
    networks: networks.slice(0, maxNetworks).join(', '),
    count: more,
  });
}
