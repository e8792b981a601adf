import type { Source, SourceRun } from '@gatehouse/client';
import { Group, Text, ThemeIcon } from '@mantine/core';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { typeIcon } from '../../components/sources/kinds.ts';
import { LastRunText } from '../../components/sources/last-run-text.tsx';
import { messageOf } from '../../components/sources/run-message.ts';
import { isUnfinished, SourceStateBadge, stateOfSource } from '../../components/sources/source-state.tsx';
import classes from '../../components/tables/state-rows.module.css';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { lastSync, useRuns } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';

/** A source with its state, its groups and its people. */
export function SourceRow({ source }: { source: Source }) {
  const { data: runs } = useRuns(source.id);
  const Icon = typeIcon(source);
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={36} radius="md" aria-hidden>
        <Icon size={20} stroke={1.6} />
      </ThemeIcon>
      <div className={classes.facts}>
        <SourceName source={source} runs={runs ?? []} />
        <SourceFacts source={source} />
        {runs && !isUnfinished(source, runs) && <LastRunText source={source} runs={runs} />}
        {runs && <Failure runs={runs} />}
      </div>
      <Group gap="xs">{runs && <SourceStateBadge state={stateOfSource(source, runs)} />}</Group>
    </li>
  );
}

/** Why the last synchronization failed, if it did. */
function Failure({ runs }: { runs: readonly SourceRun[] }) {
  const last = lastSync(runs);
  if (last?.status !== 'failed') return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" lang="en">
      {messageOf(last)}
    </Text>
  );
}

/** The name leads to the page of the source, or to its set-up while that is not finished. */
function SourceName({ source, runs }: { source: Source; runs: readonly SourceRun[] }) {
  const continues = useMay('sources:write') && isUnfinished(source, runs);
  const look = { from: '/$site', c: 'inherit', fw: 600 } as const;
  return continues ? (
    <LinkText {...look} to="/$site/sources/set-up" search={{ source: source.id }}>
      {source.name}
    </LinkText>
  ) : (
    <LinkText {...look} to="/$site/sources/$sourceId" params={{ sourceId: source.id }}>
      {source.name}
    </LinkText>
  );
}

function SourceFacts({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { data: runs } = useRuns(source.id);
  const { data: groups } = useAccessGroups();
  const count = groups?.filter(({ sourceId }) => sourceId === source.id).length;
  const people = runs && lastSync(runs)?.counts.read;
  const facts = [
    t.has(`kind.${source.type}`) ? t(`kind.${source.type}`) : source.type,
    count !== undefined && t('groupCount', { count }),
    people !== undefined && t('peopleCount', { count: people }),
  ].filter((fact) => fact !== false);
  return <Hint>{facts.join(' · ')}</Hint>;
}
