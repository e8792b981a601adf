import type { AccessAlternative } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { type Texts, useTexts } from '../../languages/texts.tsx';
import type { Icon as IconType } from '../icons/icon.tsx';
import { IconClock, IconNetwork } from '../icons/icons.ts';
import { TimeText } from '../time-text.tsx';
import classes from './access-text.module.css';
import { listText, nameList, type RuleNames } from './rule-names.ts';

interface AlternativeTextProps {
  alternative: AccessAlternative;
  names: RuleNames;
}

/** The requirements of an alternative on one line. */
export function AlternativeText({ alternative, names }: AlternativeTextProps) {
  const t = useTexts('access');
  const { access, groupIds = [], match, pageCodeIds = [], from, until, networks = [] } = alternative;
  const facts: ReactNode[] = [
    access === 'code'
      ? t('alternative.withCode', { codes: nameList(pageCodeIds, 'any', names.codes) })
      : t(access),
  ];
  if (groupIds.length > 0)
    facts.push(t('alternative.inGroups', { groups: nameList(groupIds, match, names.groups) }));
  if (from) facts.push(marked(IconClock, t.rich('alternative.fromTime', { time: timeOf(from) })));
  if (until) facts.push(marked(IconClock, t.rich('alternative.untilTime', { time: timeOf(until) })));
  if (networks.length > 0) facts.push(marked(IconNetwork, networksText(t, networks)));
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {fact}
    </Fragment>
  ));
}

function timeOf(at: string): ReactNode {
  return <TimeText at={at} as="clock" />;
}

/** A limit, which is found at a glance. */
function marked(Icon: IconType, limit: ReactNode): ReactNode {
  return (
    <>
      <Icon size={14} aria-hidden className={classes.mark} /> {limit}
    </>
  );
}

/** The alternatives of a conditional rule, one of which is enough. */
export function AlternativesText({
  alternatives,
  names,
}: {
  alternatives: readonly AccessAlternative[];
  names: RuleNames;
}) {
  const t = useTexts('access');
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

const maxNetworks = 3;

function networksText(t: Texts<'access'>, networks: readonly string[]): string {
  const more = networks.length - maxNetworks;
  if (more <= 0) return t('alternative.inNetworks', { networks: listText(networks, 'any') });
  return t('alternative.inMoreNetworks', {
    networks: networks.slice(0, maxNetworks).join(', '),
    count: more,
  });
}
