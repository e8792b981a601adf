import type { Source, SourceRun } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { IconLabel } from '../../components/icons/icon-label.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { typeIcon } from '../../components/sources/kinds.ts';
import { messageOf } from '../../components/sources/run-message.ts';
import { isUnfinished, SourceStateText, stateOfSource } from '../../components/sources/source-state.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { lastSync, useRuns } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';

/** Sources, each with its groups, its people and its state. */
export function SourcesTable({ sources }: { sources: readonly Source[] }) {
  const t = useTexts('sources');
  const columns: DataColumn[] = [
    { name: 'source', title: t('source') },
    { name: 'state', title: t('status'), width: 176 },
    { name: 'type', title: t('type'), width: 176, from: 'md' },
    { name: 'groups', title: t('groups'), width: 88, align: 'end', from: 'sm' },
    { name: 'people', title: t('people'), width: 88, align: 'end', from: 'sm' },
    { name: 'lastSync', title: t('lastSync') },
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {sources.map((source) => (
        <SourceRow key={source.id} source={source} />
      ))}
    </DataTable>
  );
}

function SourceRow({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { data: runs } = useRuns(source.id);
  const { data: groups } = useAccessGroups();
  const { link, open } = useSourceLink(source, runs ?? []);
  const people = runs && lastSync(runs)?.counts.read;
  const count = groups?.filter(({ sourceId }) => sourceId === source.id).length;
  return (
    <DataRow onOpen={open}>
      <DataCell title={source.name}>
        <IconLabel icon={typeIcon(source)}>{link}</IconLabel>
      </DataCell>
      <DataCell>{runs && <SourceStateText state={stateOfSource(source, runs)} />}</DataCell>
      <DataCell quiet>{t.has(`kind.${source.type}`) ? t(`kind.${source.type}`) : source.type}</DataCell>
      <DataCell align="end">{count !== undefined && t('number', { number: count })}</DataCell>
      <DataCell align="end">{people !== undefined && t('number', { number: people })}</DataCell>
      <LastSyncCell source={source} runs={runs ?? []} />
    </DataRow>
  );
}

/** Leads to the page of the source, or to its set-up while that is not finished. */
function useSourceLink(source: Source, runs: readonly SourceRun[]) {
  const navigate = useNavigate({ from: '/$site/sources' });
  const continues = useMay('sources:write') && isUnfinished(source, runs);
  const { id, name } = source;
  const look = { from: '/$site', c: 'inherit', fw: 500 } as const;
  return continues
    ? {
        open: () => void navigate({ to: '/$site/sources/set-up', search: { source: id } }),
        link: (
          <LinkText {...look} to="/$site/sources/set-up" search={{ source: id }}>
            {name}
          </LinkText>
        ),
      }
    : {
        open: () => void navigate({ to: '/$site/sources/$sourceId', params: { sourceId: id } }),
        link: (
          <LinkText {...look} to="/$site/sources/$sourceId" params={{ sourceId: id }}>
            {name}
          </LinkText>
        ),
      };
}

/** When the source was synchronized last, and why that failed if it did. */
function LastSyncCell({ source, runs }: { source: Source; runs: readonly SourceRun[] }) {
  const t = useTexts('sources');
  const last = lastSync(runs);
  if (!last) return <DataCell quiet>{t(source.type === 'program' ? 'noList' : 'noRun')}</DataCell>;
  const message = last.status === 'failed' ? messageOf(last) : undefined;
  return (
    <DataCell quiet title={message}>
      <TimeText at={last.endedAt!} />
      {message !== undefined && (
        <Text component="span" c="var(--mantine-color-error)" ms="xs" lang="en">
          {message}
        </Text>
      )}
    </DataCell>
  );
}
