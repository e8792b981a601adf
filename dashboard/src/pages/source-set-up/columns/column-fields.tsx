import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import type { SourceField } from '@gatehouse/member-lists';
import { Radio, Select, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { DateOrderField, ListGroupFields, StatusWords } from './list-fields.tsx';

interface ColumnFieldsProps {
  preview: CollectionPreview;
  /** Only lists have several columns for a name, ends and states. */
  isList: boolean;
  columns: CollectionColumns;
  change: (columns: CollectionColumns) => void;
}

/** Selects for what Gatehouse takes from the columns of a collection. */
export function ColumnFields(props: ColumnFieldsProps) {
  const { isList, columns, change } = props;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2, md: isList ? 3 : 2 }}>
        <ColumnSelect {...props} field="email" />
        <ColumnSelect {...props} field="displayName" />
        {isList && <ColumnSelect {...props} field="firstName" />}
        {isList && <ColumnSelect {...props} field="lastName" />}
        {isList && <ColumnSelect {...props} field="groupsEndAt" />}
        {isList && <ColumnSelect {...props} field="status" />}
        {isList && columns.groupsEndAt && <DateOrderField {...props} />}
      </SimpleGrid>
      {isList && columns.status && <StatusWords {...props} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ColumnSelect {...props} field="paid" />
        {columns.paid && <PaidValues {...props} />}
      </SimpleGrid>
      <GroupFields {...props} change={change} />
    </Stack>
  );
}

function ColumnSelect(props: ColumnFieldsProps & { field: SourceField }) {
  const { preview, isList, columns, change, field } = props;
  const t = useTexts('sources');
  const usable = preview.columns.filter(({ type }) => type !== 'other');
  // The groups of a list may be in other columns.
  const isNeeded = field === 'email' || (field === 'groups' && !isList);
  return (
    <Select
      label={t(`column.${field}`)}
      description={t(`columnHelp.${field}`)}
      placeholder={isNeeded ? t('chooseColumn') : t('noColumn')}
      data={usable.map(({ key, name }) => ({ value: key, label: name }))}
      value={columns[field] || null}
      onChange={(key) => {
        // Other values mean paid in another column.
        const { paidValues: _, ...others } = columns;
        change({ ...(field === 'paid' ? others : columns), [field]: field === 'email' ? (key ?? '') : key });
      }}
      clearable={!isNeeded}
      allowDeselect={!isNeeded}
      searchable
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/** Which values mean that someone has paid. A checkbox says it by itself. */
function PaidValues({ preview, columns, change }: ColumnFieldsProps) {
  const t = useTexts('sources');
  const index = preview.columns.findIndex(({ key }) => key === columns.paid);
  const column = preview.columns[index];
  if (!column || column.type === 'checkbox') return null;
  const seen = preview.rows.map((row) => row[index] ?? '').filter((value) => value !== '');
  return (
    <TagsInput
      label={t('paidValues')}
      description={t('paidValuesHelp')}
      data={[...new Set(column.options.length > 0 ? column.options : seen)]}
      value={columns.paidValues ?? []}
      onChange={(paidValues) => change({ ...columns, paidValues })}
      maxTags={100}
    />
  );
}

function GroupFields(props: ColumnFieldsProps) {
  const t = useTexts('sources');
  const { isList, columns, change } = props;
  const [byColumn, setByColumn] = useState(hasGroups(columns));
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('groups')}
        value={byColumn ? 'column' : 'one'}
        onChange={(value) => {
          setByColumn(value === 'column');
          const { furtherGroups: _, groupColumns: __, ...others } = columns;
          change({ ...others, groups: value === 'column' ? (props.preview.guess?.groups ?? null) : null });
        }}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="one" label={t('oneGroup')} description={t('oneGroupHelp')} />
          <Radio value="column" label={t('groupsByColumn')} description={t('groupsByColumnHelp')} />
        </Stack>
      </Radio.Group>
      {byColumn && <ColumnSelect {...props} field="groups" />}
      {byColumn && isList && <ListGroupFields {...props} />}
    </Stack>
  );
}

function hasGroups({ groups, furtherGroups = [], groupColumns = [] }: CollectionColumns): boolean {
  return typeof groups === 'string' || furtherGroups.length + groupColumns.length > 0;
}
