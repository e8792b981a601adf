import { Stack } from '@mantine/core';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { ActionParts } from './action-parts.tsx';
import { ListParts } from './list-parts.tsx';
import { OverviewParts } from './overview-parts.tsx';
import { ScaleParts } from './scale-parts.tsx';
import { StateParts } from './state-parts.tsx';

/** All parts of the design, for those who change the dashboard. It is in English only and in no menu. */
export function DesignPage() {
  return (
    <>
      <PageHeader title="Design" description="The parts that pages are made of." />
      <Stack gap="xl">
        <ScaleParts />
        <StateParts />
        <ListParts />
        <OverviewParts />
        <ActionParts />
      </Stack>
    </>
  );
}
